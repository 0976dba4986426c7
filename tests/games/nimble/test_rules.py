"""The rules up to NB-11, each by itself: a position, a move, what follows.

Moves are written with their seat: "0f 1p2" is a flip of seat 0 and then a placement of seat 1 on stack 2.
"""

from collections import Counter

import pytest

from sevenhues.core.errors import BadNotation, BadRecord
from sevenhues.core.game import resolve_options
from sevenhues.core.moves import parse
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Dealer, Rng
from sevenhues.games.nimble import game
from sevenhues.games.nimble.pieces import BOOKS, COLOURS
from tests.games.nimble.positions import (
    ALL_CARDS,
    full_set,
    heights,
    may,
    name,
    play,
    refusal,
    setup,
    shown,
    table,
    tops,
)

# Seat 0 starts stacks 1 and 2 with AM and QW, seat 1 stack 3 with WE: frames M, W and E fit.
MINE = "AM QW MQ QE AP"
THEIRS = "WE MA EA PQ"


# ── Cards ──────────────────────────────────────────────────────────────────────────────────────────────


def test_nb1_six_colours_have_six_letters() -> None:
    assert dict(zip(COLOURS, BOOKS, strict=True)) == {
        "A": "Alice",
        "M": "Moby-Dick",
        "E": "Around the World in Eighty Days",
        "W": "The War of the Worlds",
        "P": "Pinocchio",
        "Q": "Don Quixote",
    }


@pytest.mark.parametrize("wrong", ["AA", "AX", "A", "AME", "", "am", None, 7])
def test_nb1_frame_and_circle_of_a_card_differ(wrong: object) -> None:
    dealt = setup("", "", targets="001")
    dealt["sets"][1][4] = wrong
    with pytest.raises(BadRecord, match=r"setup\.sets\[1\]\[4\]"):
        game.start(dealt, 2, resolve_options(game, {}))


def test_nb2_a_set_has_every_pair_once() -> None:
    assert len(ALL_CARDS) == len(set(ALL_CARDS)) == 30
    assert (
        Counter(card[0] for card in ALL_CARDS) == Counter(card[1] for card in ALL_CARDS) == dict.fromkeys("AMEWPQ", 5)
    )


def test_nb2_extra_card_is_refused() -> None:
    dealt = setup("AM", "AM", targets="001")
    dealt["sets"][0][29] = "AM"
    with pytest.raises(BadRecord, match=r"setup\.sets\[0\]\[29\]: AM is a card too many.*NB-2"):
        game.start(dealt, 2, resolve_options(game, {}))


# ── Setup ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nb3_each_seat_shuffles_a_whole_set(seats: int) -> None:
    dealt = game.deal(seats, resolve_options(game, {}), Dealer(b"nb3"), None)["sets"]
    assert [sorted(cards) for cards in dealt] == [sorted(ALL_CARDS)] * seats
    assert len({tuple(cards) for cards in dealt}) == seats


def test_nb3_two_players_give_two_cards_and_one_card() -> None:
    position = table(MINE, THEIRS, targets="001")
    assert (tops(position), position.scores()) == ("AM QW WE", [28, 29])
    position = table(MINE, THEIRS, targets="101")
    assert (tops(position), position.scores()) == ("WE AM MA", [29, 28])


def test_nb3_three_players_give_one_card_each() -> None:
    position = table("AM", "WE", "PQ", targets="201")
    assert (tops(position), position.scores()) == ("PQ AM WE", [29, 29, 29])


def test_nb3_three_of_four_players_give_one_card_each() -> None:
    position = table("AM", "WE", "PQ", "QP", targets="013")
    assert (tops(position), position.scores()) == ("AM WE QP", [29, 29, 30, 29])


@pytest.mark.parametrize(
    ("seats", "targets", "message"),
    [
        (2, [0, 0, 0], r"expected one seat twice, the other once, found \[0, 0, 0\] \(NB-3\)"),
        (3, [0, 0, 1], r"expected each seat once, found \[0, 0, 1\] \(NB-3\)"),
        (4, [0, 3, 3], r"expected three different seats, found \[0, 3, 3\] \(NB-3\)"),
        (2, [0, 1], "expected a list of 3, found a list of 2"),
        (2, [0, 1, 2], r"targets\[2\]: expected a whole number from 0 to 1, found 2"),
        (2, [0, True, 1], r"targets\[1\]: .*found true"),
    ],
)
def test_nb3_setup_with_other_shares_is_refused(seats: int, targets: list[int], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        game.start({"sets": [full_set("")] * seats, "targets": targets}, seats, resolve_options(game, {}))


@pytest.mark.parametrize(
    ("seats", "winner", "targets"),
    [
        (2, 0, [0, 1, 1]),
        (2, 1, [0, 0, 1]),
        (3, 1, [0, 1, 2]),
        (4, 0, [1, 2, 3]),
        (4, 2, [0, 1, 3]),
    ],
)
def test_nb4_winner_gives_fewer_cards_in_a_rematch(seats: int, winner: int, targets: list[int]) -> None:
    for n in range(20):
        assert game.deal(seats, resolve_options(game, {}), Dealer(bytes([n])), [winner])["targets"] == targets


@pytest.mark.parametrize("previous", [None, [], [0, 1]])
def test_nb4_seat_that_gives_fewer_cards_is_random_in_a_first_game(previous: list[int] | None) -> None:
    for seats in (2, 4):
        dealt = [
            game.deal(seats, resolve_options(game, {}), Dealer(bytes([n])), previous)["targets"] for n in range(200)
        ]
        shares = Counter(min(range(seats), key=targets.count) for targets in dealt)
        assert len(shares) == seats
        assert min(shares.values()) > 120 / seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nb5_every_seat_may_act_from_the_start(seats: int) -> None:
    position = game.start(
        game.deal(seats, resolve_options(game, {}), Dealer(b""), None), seats, resolve_options(game, {})
    )
    assert position.to_act() == list(range(seats))
    assert [may(position, seat) for seat in range(seats)] == ["f"] * seats


def test_nb5_no_seat_waits_for_another() -> None:
    position = table(MINE, THEIRS, targets="001", moves="1f 1f 1f 0f")
    assert position.to_act() == [0, 1]
    assert (shown(position, 0), shown(position, 1)) == ("27 MQ 1", "26 PQ 3")
    assert {int(position.pick_seat(Rng(n))) for n in range(50)} == {0, 1}


# ── Play ───────────────────────────────────────────────────────────────────────────────────────────────


def test_nb6_flip_turns_the_top_card_of_the_set_onto_the_pile() -> None:
    position = table(MINE, THEIRS, targets="001")
    assert shown(position, 0) == "28 - 0"
    assert shown(play(position, "0f"), 0) == "27 MQ 1"
    assert shown(play(position, "0f"), 0) == "26 QE 2"


def test_nb6_empty_set_cannot_be_flipped() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f " * 28)
    error = refusal(position, 0, "f")
    assert (error.key, error.rule, error.legal) == ("set-empty", "NB-6", ["b", "t"])


def test_nb7_card_is_placed_on_a_circle_of_its_frame_colour() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f")
    assert may(position, 0) == "b f p1"  # MQ on AM, not on QW or WE
    play(position, "0p1")
    assert (tops(position), heights(position), position.scores()) == ("MQ QW WE", [2, 1, 1], [27, 29])


def test_nb7_a_card_may_fit_several_stacks() -> None:
    position = table("AM QM MP", "EM", targets="001", moves="0f")
    assert may(position, 0) == "b f p1 p2 p3"
    assert tops(play(position, "0p2")) == "AM MP EM"


def test_nb7_several_cards_may_be_placed_in_succession() -> None:
    position = table("AM QW QE MQ", THEIRS, targets="001", moves="0f 0f 0p1")  # QE lies below MQ and fits it
    assert (may(position, 0), shown(position, 0)) == ("b f p1", "26 QE 1")
    assert tops(play(position, "0p1")) == "QE QW WE"


def test_nb7_card_of_the_set_cannot_be_placed() -> None:
    error = refusal(table(MINE, THEIRS, targets="001"), 0, "p1")
    assert (error.key, error.rule, error.legal) == ("pile-empty", "NB-7", ["f"])


def test_nb7_card_that_does_not_fit_is_refused() -> None:
    error = refusal(table(MINE, THEIRS, targets="001", moves="0f"), 0, "p2")
    assert (error.key, error.rule) == ("does-not-fit", "NB-7")
    assert error.text == "MQ does not fit stack 2: the frame must be W, the circle on top."


def test_nb8_take_back_returns_the_top_card_of_the_pile_to_the_set() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0f")
    assert shown(position, 0) == "26 QE 2"
    assert shown(play(position, "0b"), 0) == "27 MQ 1"  # the card beneath can be placed now
    assert tops(play(position, "0p1")) == "MQ QW WE"
    assert shown(play(position, "0f"), 0) == "26 QE 1"  # and the one taken back comes next


def test_nb8_cards_are_taken_back_one_by_one_any_number_of_times() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0f 0f 0b 0b 0b")
    assert shown(position, 0) == "28 - 0"
    assert shown(play(position, "0f"), 0) == "27 MQ 1"


def test_nb8_empty_pile_cannot_be_taken_back_from() -> None:
    error = refusal(table(MINE, THEIRS, targets="001"), 0, "b")
    assert (error.key, error.rule, error.legal) == ("nothing-to-take-back", "NB-8", ["f"])


def test_nb9_pile_is_turned_over_unshuffled_with_the_first_discard_on_top() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f " * 28 + "0t")
    assert shown(position, 0) == "28 - 0"
    order = [shown(play(position, "0f"), 0).split()[1] for _ in range(28)]
    assert order == full_set(MINE)[2:]


def test_nb9_turned_over_set_lacks_placed_cards() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0p1 " + "0f " * 27 + "0t 0f")
    assert shown(position, 0) == "26 QE 1"


def test_nb9_pile_is_turned_over_only_when_the_set_is_empty() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f " * 27)
    error = refusal(position, 0, "t")
    assert (error.key, error.rule, error.parameters) == ("set-not-empty", "NB-9", {"count": 1})
    assert may(play(position, "0f"), 0) == "b t"


def test_nb10_every_viewer_sees_stacks_piles_and_counts() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0p1 0f 1f 1f")
    for viewer in (0, 1, WATCHER):
        view = game.view(position, viewer)
        assert [(name(stack["top"]), stack["height"]) for stack in view["stacks"]] == [("MQ", 2), ("QW", 1), ("WE", 1)]
        players = [(player["set"], player["top"] and name(player["top"]), player["pile"]) for player in view["players"]]
        assert players == [(26, "QE", 1), (27, "EA", 2)]


def test_nb10_no_viewer_sees_into_a_set() -> None:
    moves = "0f 1f 1f 1b"
    seen = table("AM QW MQ QE AP", "WE MA EA PQ", targets="001", moves=moves)
    other = table("AM QW MQ PE EQ AW", "WE MA EA QP AM", targets="001", moves=moves)  # undrawn cards lie otherwise
    for viewer in (0, 1, WATCHER):
        assert game.view(seen, viewer) == game.view(other, viewer)
        assert game.observation_encoder().encode(seen, viewer) == game.observation_encoder().encode(other, viewer)


# ── Races ──────────────────────────────────────────────────────────────────────────────────────────────


def test_nb11_placement_counts_at_the_seen_height() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 1f")
    move = parse(game, position, 0, "p1/1")
    assert game.text(position, 0, move) == "p1"  # the record leaves the height out


@pytest.mark.parametrize("checking", ["referee", "audit"])
def test_nb11_placement_on_a_grown_stack_is_refused_without_penalty(checking: str) -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 1f 1p1", checking=checking)  # MA was quicker than MQ
    error = refusal(position, 0, "p1/1")
    assert (error.key, error.rule, error.move) == ("too-late", "NB-11", "p1/1")
    assert error.parameters == {"stack": 1, "seen": 1, "height": 2}
    assert shown(position, 0) == "27 MQ 1"
    assert position.mistaken == 0


def test_nb11_placement_on_a_grown_stack_is_refused_even_if_it_fits_the_new_top() -> None:
    position = table("AM QW AQ", "WE MA", targets="001", moves="0f 1f 1p1")
    assert "p1" in may(position, 0)
    assert refusal(position, 0, "p1/1").key == "too-late"
    assert tops(play(position, "0p1/2")) == "AQ QW WE"


def test_nb11_own_last_card_must_be_counted_in_the_height() -> None:
    position = table("AM QW QE MQ", THEIRS, targets="001", moves="0f 0f 0p1/1")
    assert refusal(position, 0, "p1/1").key == "too-late"
    assert tops(play(position, "0p1/2")) == "QE QW WE"


def test_nb11_growth_of_other_stacks_does_not_matter() -> None:
    position = table("AM QW EP MQ", THEIRS, targets="001", moves="0f 1f 1p1")
    assert tops(play(position, "0p3/1")) == "MA QW EP"


def test_nb11_height_above_the_stack_is_refused() -> None:
    error = refusal(table(MINE, THEIRS, targets="001", moves="0f"), 0, "p1/7")
    assert (error.key, error.rule) == ("never-so-high", "NB-11")


def test_nb11_sent_placement_names_the_height_of_the_stack() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f")
    sent = [game.conditional_text(position, 0, parse(game, position, 0, text)) for text in ("p1", "f", "b")]
    assert sent == ["p1/1", "f", "b"]


def test_nb11_placement_with_height_keeps_all_other_rules() -> None:
    position = table(MINE, THEIRS, targets="001")
    assert refusal(position, 0, "p1/1").key == "pile-empty"
    assert refusal(play(position, "0f"), 0, "p2/1").key == "does-not-fit"


@pytest.mark.parametrize("text", ["p1/", "p1/0", "p1/01", "p1/-1", "p1/1000", "p4/1", "f/1", "p1/1 ", "p1/١", "p1/1/1"])
def test_nb11_malformed_heights_are_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="G-3"):
        parse(game, table(MINE, THEIRS, targets="001", moves="0f"), 0, text)
