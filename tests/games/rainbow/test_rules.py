"""The rules of RULES.md one by one: a position, a move, and the result.

Decks are written with the face toward seat 0 first: seat 0 holds "RO" as R, and playing it blind shows O.
"""

from collections import Counter

import pytest

from sevenhues.core.errors import BadRecord, IllegalMove
from sevenhues.core.game import resolve_options
from sevenhues.core.moves import parse
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Dealer
from sevenhues.games.rainbow import game
from sevenhues.games.rainbow.pieces import PACK
from sevenhues.games.rainbow.rules import RainbowPosition
from tests.games.rainbow.positions import full_deck, hand, legal_moves, play, row, table

# Seat 0 holds R G I and sees V next; seat 1 holds O B I (its own side is the second letter) and sees V next.
FRONT = "RO GY IB VR WO"
BACK = "YO GB RI IV"


def refusal(position: RainbowPosition, move: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        parse(game, position, position.to_act()[0], move)
    return caught.value


# ── Cards ──────────────────────────────────────────────────────────────────────────────────────────────


def test_rb1_every_card_has_two_different_faces_of_nine() -> None:
    assert len(PACK) == 57
    assert all(0 <= low < high <= 8 for low, high in PACK)
    for wrong in ("RR", "RX", "R", "ROY", ""):
        with pytest.raises(BadRecord, match=r"setup\.deck\[0\].*RB-1"):
            game.start({"deck": [wrong, *full_deck("")[1:]], "first": 0}, 2, resolve_options(game, {}))


def test_rb2_pack_has_every_pair_once_and_every_pair_of_colours_twice() -> None:
    copies = Counter(PACK)
    assert len(copies) == 36
    assert all(count == (2 if high < 7 else 1) for (_, high), count in copies.items())
    faces = Counter(face for card in PACK for face in card)
    assert [faces[face] for face in range(9)] == [14] * 7 + [8, 8]


def test_rb2_extra_card_is_refused_in_either_orientation() -> None:
    deck = full_deck("RW")
    with pytest.raises(BadRecord, match=r"setup\.deck\[56\]: WR is a card too many: there are 1 \(RB-2\)"):
        game.start({"deck": [*deck[:56], "WR"], "first": 0}, 2, resolve_options(game, {}))


# ── Setup ──────────────────────────────────────────────────────────────────────────────────────────────


def test_rb3_dealing_shuffles_order_and_orientation() -> None:
    decks = [game.deal(2, resolve_options(game, {}), Dealer(bytes([n])), None)["deck"] for n in range(40)]
    assert len({tuple(deck) for deck in decks}) == 40
    assert {"WK", "KW"} == {card for deck in decks for card in deck if sorted(card) == ["K", "W"]}


def test_rb3_a_card_keeps_its_orientation_in_either_hand() -> None:
    position = table(FRONT, BACK)
    assert (hand(position, 0, 0), hand(position, 0, 1)) == ("RGI", "OYB")
    assert (hand(position, 1, 0), hand(position, 1, 1)) == ("YGR", "OBI")


def test_rb4_each_seat_draws_three_cards_from_its_own_end() -> None:
    view = game.view(table(FRONT, BACK), 0)
    assert [[card and card["card"] for card in cards] for cards in view["hands"]] == [[0, 1, 2], [56, 55, 54]]
    assert view["deck"] == 51


def test_rb5_seat_sees_the_backs_of_the_opponents_cards_and_not_of_its_own() -> None:
    seen = table(FRONT, BACK)
    other_backs = table("RY GW IV VR WO", BACK)  # the same, but for the backs of seat 0's hand
    assert game.view(seen, 0) == game.view(other_backs, 0)
    assert game.view(seen, 1) != game.view(other_backs, 1)


def test_rb6_seat_sees_the_deck_count_and_the_next_card_at_its_own_end() -> None:
    position = table(FRONT, BACK)
    assert [game.view(position, viewer)["next"] for viewer in (0, 1, WATCHER)] == ["V", "V", None]
    assert [game.view(position, viewer)["deck"] for viewer in (0, 1, WATCHER)] == [51, 51, 51]
    other = table(FRONT.replace("VR", "VB"), BACK)
    assert game.view(position, 0) == game.view(other, 0)


@pytest.mark.parametrize("first", [0, 1])
def test_rb7_setup_names_the_first_seat(first: int) -> None:
    assert table(FRONT, BACK, first=first).to_act() == [first]


def test_rb7_first_seat_is_random_by_default() -> None:
    firsts = Counter(game.deal(2, resolve_options(game, {}), Dealer(bytes([n])), None)["first"] for n in range(100))
    assert set(firsts) == {0, 1}
    assert min(firsts.values()) > 25


@pytest.mark.parametrize("first", [2, -1, True, "0", None, 0.0])
def test_rb7_setup_with_another_first_seat_is_refused(first: object) -> None:
    with pytest.raises(BadRecord, match=r"setup\.first"):
        game.start({"deck": full_deck(""), "first": first}, 2, resolve_options(game, {}))


# ── A turn ─────────────────────────────────────────────────────────────────────────────────────────────


def test_rb8_a_card_is_played_to_the_right_end_of_the_row() -> None:
    assert row(table(FRONT, BACK, "S1 E S1")) == "RO"
    assert row(table(FRONT, BACK, "S1 E S1 E S2")) == "ROG"


def test_rb8_turn_has_one_to_three_cards() -> None:
    position = table("RW OW YW", "", "S1")
    assert legal_moves(position) == "E F1"  # one is enough
    play(position, "F1 S2 F1 S3")  # the third ends the turn
    assert (row(position), position.to_act()) == ("ROY", [1])


def test_rb8_an_empty_slot_cannot_be_played() -> None:
    error = refusal(table("RW OW YW", "", "S1 F1"), "S1")
    assert (error.rule, error.key, error.parameters) == ("RB-8", "empty-slot", {"slot": 1})
    assert error.legal == ["B2", "B3", "E", "S2", "S3"]


def test_rb9_one_card_may_be_turned_over_before_the_first_play() -> None:
    assert legal_moves(table(FRONT, BACK)) == "B1 B2 B3 S1 S2 S3"
    assert legal_moves(table(FRONT, BACK, "S1 E")) == "B1 B2 B3 F1 S1 S2 S3"
    assert legal_moves(table(FRONT, BACK, "S1 E S1 E")) == "B1 B2 B3 F1 F2 S1 S2 S3"


def test_rb9_one_card_must_be_turned_over_before_each_further_play() -> None:
    position = table(FRONT, BACK, "S1")
    error = refusal(position, "S2")
    assert (error.rule, error.key) == ("RB-9", "turn-over-first")
    assert legal_moves(play(table("RW GY IB", BACK), "S1 F1")) == "B2 B3 E S2 S3"  # the card just played will do


def test_rb9_missing_card_cannot_be_turned_over() -> None:
    error = refusal(table(FRONT, BACK, "S1 E"), "F2")
    assert (error.rule, error.key, error.parameters) == ("RB-9", "no-such-card", {"place": 2, "length": 1})


def test_rb10_two_cards_cannot_be_turned_over_in_a_row() -> None:
    position = table("RW GY IB", BACK, "S1 E F1")
    assert row(position) == "W"
    error = refusal(position, "F1")
    assert (error.rule, error.key) == ("RB-10", "turned-already")


def test_rb10_next_player_may_turn_a_card_over_at_once() -> None:
    position = table("RW GY IB", BACK, "S1 F1 E")  # seat 0 ends after turning over
    assert position.to_act() == [1]
    assert legal_moves(position) == "B1 B2 B3 F1 S1 S2 S3"  # seat 1 may turn over straight away


@pytest.mark.parametrize(("move", "face"), [("S1", "R"), ("B1", "O"), ("S2", "G"), ("B2", "Y")])
def test_rb11_standard_play_shows_the_visible_face_and_blind_play_the_other(move: str, face: str) -> None:
    assert row(table(FRONT, BACK, move)) == face


def test_rb11_standard_and_blind_play_mirror_for_seat_1() -> None:
    assert row(table(FRONT, BACK, "S1", first=1)) == "O"
    assert row(table(FRONT, BACK, "B1", first=1)) == "Y"


def test_rb12_turn_may_end_after_a_play_or_after_turning_over_since() -> None:
    assert "E" in legal_moves(table("RW GY IB", BACK, "S1")).split()
    assert "E" in legal_moves(table("RW GY IB", BACK, "S1 F1")).split()


def test_rb12_turn_cannot_end_before_a_play() -> None:
    for moves in ("", "S1 E F1"):
        error = refusal(table("RW GY IB", BACK, moves), "E")
        assert (error.rule, error.key) == ("RB-12", "play-first")


def test_rb12_third_card_ends_the_turn() -> None:
    position = table("RW OW YW", BACK, "S1 F1 S2 F1")
    assert position.to_act() == [0]
    play(position, "S3")
    assert (position.to_act(), row(position), position.scores()) == ([1], "ROY", [0, 0])


def test_rb13_several_light_cards_do_not_clash() -> None:
    position = table("WR WO WY", BACK, "S1 F1 S2 F1 S3")
    assert row(position) == "WWW"
    assert position.scores() == [0, 0]


def test_rb14_shade_loses_played_or_turned_over() -> None:
    played = table("KR GY IB", BACK, "S1")
    assert (played.scores(), row(played), played.to_act()) == ([0, 1], "", [0])
    turned = table("RK GY IB", BACK, "S1 E F1")
    assert (turned.scores(), row(turned), turned.to_act()) == ([1, 0], "", [1])
    assert game.view(turned, WATCHER)["last"] == {
        "seat": 1,
        "move": "F1",
        "place": 0,
        "face": "K",
        "end": "shade",
        "round_end": {"row": [{"card": 0, "face": "K"}], "taker": 0, "clashes_with": None},
        "drawn": 0,
    }


def test_rb15_a_colour_already_shown_loses() -> None:
    position = table("RO GY IB", "YR", "S1 E S1")  # seat 1 lays R upon R
    assert (position.scores(), row(position)) == ([2, 0], "")
    last = game.view(position, 0)["last"]
    assert last is not None
    assert (last["end"], last["face"], last["round_end"]) == (
        "clash",
        "R",
        {"row": [{"card": 0, "face": "R"}, {"card": 56, "face": "R"}], "taker": 0, "clashes_with": 0},
    )


def test_rb15_turning_over_a_shown_colour_loses() -> None:
    position = table("RO GY IB", "YO", "S1 E S1")
    assert row(position) == "RO"
    play(position, "F1")  # R turns to O beside O
    assert (position.scores(), position.to_act()) == ([2, 0], [1])


def test_rb15_covered_colour_does_not_clash() -> None:
    position = table("RO GY IB", "YR", "S1 F1 E S1")  # R turned to O, so seat 1's R is free
    assert (row(position), position.scores()) == ("OR", [0, 0])


def test_rb16_the_sixth_card_played_makes_a_rainbow() -> None:
    position = table("RW OW YW GR", "WI WV WB", "S1 F1 S2 F1 S3 S1 F1 S2")
    assert (row(position), position.scores()) == ("WOYIV", [0, 0])
    rainbow = play(position.copy(), "F2 S3")  # O turns to W, and B is the sixth
    assert (row(rainbow), rainbow.scores()) == ("", [0, 6])
    last = game.view(rainbow, WATCHER)["last"]
    assert last is not None
    assert last["round_end"] is not None
    assert (last["end"], last["round_end"]["taker"], len(last["round_end"]["row"])) == ("rainbow", 1, 6)


def test_rb16_turning_over_makes_no_rainbow() -> None:
    position = table("RW OW YW GR", "WI WV WB", "S1 F1 S2 F1 S3 S1 F1 S2 F2")
    assert (len(row(position)), position.scores(), position.to_act()) == (5, [0, 0], [1])


def test_rb16_losing_sixth_card_makes_no_rainbow() -> None:
    position = table("RW OW YW GR", "WI WV IB", "S1 F1 S2 F1 S3 S1 F1 S2 F2 B3")  # I upon I
    assert (position.scores(), position.to_act()) == ([6, 0], [1])


def test_rb17_opponent_takes_the_whole_row_and_the_loser_begins() -> None:
    position = table("RO GY IB", "YB GR", "S1 E S1 E S2 E S2")  # R B G, and seat 1 lays R
    assert (position.scores(), position.to_act(), position.round) == ([4, 0], [1], 2)


def test_rb18_maker_of_a_rainbow_takes_six_cards_and_the_opponent_begins() -> None:
    position = table("RW OW YW GR", "WI WV WB", "S1 F1 S2 F1 S3 S1 F1 S2 F2 S3")
    assert (position.scores(), position.to_act()) == ([0, 6], [0])


def test_rb19_opponent_continues_with_the_same_row() -> None:
    position = table(FRONT, BACK, "S1 E")
    assert (row(position), position.to_act(), position.round) == ("R", [1], 1)


# ── Refill and end ─────────────────────────────────────────────────────────────────────────────────────


def test_rb20_hand_is_refilled_when_the_turn_ends_and_not_before() -> None:
    position = table("RW GY IB VR WO", BACK, "S1")
    assert (hand(position, 0, 0), position.deck_count()) == ("-GI", 51)
    play(position, "E")
    assert (hand(position, 0, 0), position.deck_count()) == ("VGI", 50)


def test_rb20_lowest_empty_slot_is_filled_first_and_cards_keep_their_slots() -> None:
    position = table("RW GY IW VR BO", BACK, "S3 F1 S1 E")
    assert hand(position, 0, 0) == "VGB"


def test_rb20_hand_is_refilled_when_a_round_ends() -> None:
    position = table("KR GY IB VR", BACK, "S1")
    assert (hand(position, 0, 0), position.deck_count()) == ("VGI", 50)


def test_rb20_seat_1_draws_from_its_own_end() -> None:
    position = table(FRONT, BACK, "S1 E", first=1)
    assert hand(position, 1, 1) == "VBI"


def one_card(position: RainbowPosition) -> None:
    """Play one card, and end the turn unless the card did."""
    play(position, "S1")
    if position.played:
        play(position, "E")


def run_down(left: int) -> RainbowPosition:
    """Play single cards until the deck has `left` cards."""
    position = table("")
    while position.deck_count() > left:
        one_card(position)
    return position


def test_rb21_game_goes_on_when_the_deck_just_suffices() -> None:
    position = run_down(1)
    mover = position.turn
    one_card(position)
    assert (position.deck_count(), position.outcome()) == (0, None)
    assert "-" not in hand(position, mover, WATCHER)


def test_rb21_game_ends_without_drawing_when_the_deck_is_too_small() -> None:
    position = run_down(1)
    play(position, "S1")
    assert position.played == 1, "this deck is meant to let seat 0 go on"
    play(position, "F1 S2" if position.row_length == 1 else "F2 S2")
    if position.played:
        play(position, "E")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.reason, position.to_act(), position.deck_count()) == ("deck", [], 1)
    assert hand(position, position.last_seat, WATCHER) == "--?"


def test_rb21_row_decided_by_the_last_turn_counts_and_an_open_row_does_not() -> None:
    won, open_rows = 0, 0
    for seed in range(60):
        deck = game.deal(2, resolve_options(game, {}), Dealer(bytes([seed])), None)
        position = game.start(deck, 2, resolve_options(game, {}))
        while position.to_act():
            before, length = sum(position.scores()), position.row_length
            position.play(position.turn, position.legal(position.turn)[-1 if position.played else 0])
        after = sum(position.scores())
        if position.row_length:
            open_rows += 1
            assert after == before
        elif position.last_end > 1:
            won += 1
            assert after == before + length + (position.last_move >= 5)
        assert after + position.row_length + 6 - missing_cards(position) == 57 - position.deck_count()
    assert won > 5
    assert open_rows > 5


def missing_cards(position: RainbowPosition) -> int:
    return sum(hand(position, seat, WATCHER).count("-") for seat in range(2))


def test_rb22_bigger_pile_wins_and_equal_piles_draw() -> None:
    position = table("")
    position.over = True
    for piles, winners, places in (
        ((0b111, 0b1000), [0], [1, 2]),
        ((0b1, 0b110), [1], [2, 1]),
        ((0b11, 0b1100), [], [1, 1]),
    ):
        position.pile_0, position.pile_1 = piles
        outcome = position.outcome()
        assert outcome is not None
        assert (outcome.winners, outcome.places) == (winners, places)


def test_rb23_every_viewer_sees_slot_kind_and_face_of_a_play() -> None:
    position = table(FRONT, BACK, "B2")
    for viewer in (0, 1, WATCHER):
        last = game.view(position, viewer)["last"]
        assert last is not None
        assert (last["seat"], last["move"], last["place"], last["face"]) == (0, "B2", 0, "Y")


def test_rb23_face_covered_unseen_stays_hidden() -> None:
    # Seat 0 plays G/Y blind: seat 1 has seen Y only as a back, and G never; seat 0 has seen both.
    seen = table("GY RO IB", "", "B1", memory_aid=True)
    under = [game.view(seen, viewer)["row"][0]["under"] for viewer in (0, 1, WATCHER)]
    assert under == ["G", "?", "?"]


def test_only_memory_aid_shows_a_covered_face_again() -> None:
    aided, plain = (table("RW GY IB", BACK, "S1 F1 E", memory_aid=aid) for aid in (True, False))
    assert game.view(aided, 1)["row"] == [{"card": 0, "face": "W", "under": "R"}]
    assert game.view(plain, 1)["row"] == [{"card": 0, "face": "W"}]
    assert legal_moves(aided) == legal_moves(plain)
