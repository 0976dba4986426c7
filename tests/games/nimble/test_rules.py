"""The rules up to NB-11, each by itself: a position, a move, what follows.

Moves are written with their seat: "0f 1p2" is a flip of seat 0 and then a placement of seat 1 on stack 2.
"""

from collections import Counter

import pytest

from sevenhues.core.errors import BadNotation, BadRecord
from sevenhues.core.game import WATCHER
from sevenhues.core.rng import Dealer, Rng
from sevenhues.games.nimble import game
from sevenhues.games.nimble.pieces import BOOKS, COLOURS
from tests.games.nimble.tables import (
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


def test_nb1_six_colours_are_six_books() -> None:
    assert dict(zip(COLOURS, BOOKS, strict=True)) == {
        "A": "Alice",
        "M": "Moby-Dick",
        "E": "Around the World in Eighty Days",
        "W": "The War of the Worlds",
        "P": "Pinocchio",
        "Q": "Don Quixote",
    }


@pytest.mark.parametrize("wrong", ["AA", "AX", "A", "AME", "", "am", None, 7])
def test_nb1_a_card_has_a_frame_and_another_circle(wrong: object) -> None:
    dealt = setup("", "", targets="001")
    dealt["sets"][1][4] = wrong
    with pytest.raises(BadRecord, match=r"setup\.sets\[1\]\[4\]"):
        game.start(dealt, 2, game.settle({}))


def test_nb2_a_set_has_every_pair_once() -> None:
    assert len(ALL_CARDS) == len(set(ALL_CARDS)) == 30
    assert (
        Counter(card[0] for card in ALL_CARDS) == Counter(card[1] for card in ALL_CARDS) == dict.fromkeys("AMEWPQ", 5)
    )


def test_nb2_a_card_too_many_is_refused() -> None:
    dealt = setup("AM", "AM", targets="001")
    dealt["sets"][0][29] = "AM"
    with pytest.raises(BadRecord, match=r"setup\.sets\[0\]\[29\]: AM is a card too many.*NB-2"):
        game.start(dealt, 2, game.settle({}))


# ── Setup ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nb3_each_shuffles_a_whole_set(seats: int) -> None:
    dealt = game.deal(seats, game.settle({}), Dealer(b"nb3"), None)["sets"]
    assert [sorted(cards) for cards in dealt] == [sorted(ALL_CARDS)] * seats
    assert len({tuple(cards) for cards in dealt}) == seats


def test_nb3_of_two_players_one_gives_two_cards_and_the_other_one() -> None:
    position = table(MINE, THEIRS, targets="001")
    assert (tops(position), position.scores()) == ("AM QW WE", [28, 29])
    position = table(MINE, THEIRS, targets="101")
    assert (tops(position), position.scores()) == ("WE AM MA", [29, 28])


def test_nb3_of_three_players_each_gives_one() -> None:
    position = table("AM", "WE", "PQ", targets="201")
    assert (tops(position), position.scores()) == ("PQ AM WE", [29, 29, 29])


def test_nb3_of_four_players_all_but_one_give_one() -> None:
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
def test_nb3_other_shares_are_refused(seats: int, targets: list[int], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        game.start({"sets": [full_set("")] * seats, "targets": targets}, seats, game.settle({}))


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
def test_nb4_in_a_rematch_the_winner_gives_fewer(seats: int, winner: int, targets: list[int]) -> None:
    for n in range(20):
        assert game.deal(seats, game.settle({}), Dealer(bytes([n])), [winner])["targets"] == targets


@pytest.mark.parametrize("previous", [None, [], [0, 1]])
def test_nb4_otherwise_it_is_random_who_does(previous: list[int] | None) -> None:
    for seats in (2, 4):
        dealt = [game.deal(seats, game.settle({}), Dealer(bytes([n])), previous)["targets"] for n in range(200)]
        shares = Counter(min(range(seats), key=targets.count) for targets in dealt)
        assert len(shares) == seats
        assert min(shares.values()) > 120 / seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nb5_everybody_may_act_from_the_start(seats: int) -> None:
    position = game.start(game.deal(seats, game.settle({}), Dealer(b""), None), seats, game.settle({}))
    assert position.to_act() == list(range(seats))
    assert [may(position, seat) for seat in range(seats)] == ["f"] * seats


def test_nb5_nobody_waits_for_anybody() -> None:
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


def test_nb6_an_empty_set_has_nothing_to_flip() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f " * 28)
    error = refusal(position, 0, "f")
    assert (error.key, error.rule, error.legal) == ("set-empty", "NB-6", ["b", "t"])


def test_nb7_a_card_is_placed_where_the_circle_has_the_colour_of_its_frame() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f")
    assert may(position, 0) == "b f p1"  # MQ on AM, not on QW or WE
    play(position, "0p1")
    assert (tops(position), heights(position), position.scores()) == ("MQ QW WE", [2, 1, 1], [27, 29])


def test_nb7_a_card_may_fit_several_stacks() -> None:
    position = table("AM QM MP", "EM", targets="001", moves="0f")
    assert may(position, 0) == "b f p1 p2 p3"
    assert tops(play(position, "0p2")) == "AM MP EM"


def test_nb7_several_cards_may_be_placed_one_after_another() -> None:
    position = table("AM QW QE MQ", THEIRS, targets="001", moves="0f 0f 0p1")  # QE lies below MQ and fits it
    assert (may(position, 0), shown(position, 0)) == ("b f p1", "26 QE 1")
    assert tops(play(position, "0p1")) == "QE QW WE"


def test_nb7_no_card_goes_from_the_set_to_a_stack() -> None:
    error = refusal(table(MINE, THEIRS, targets="001"), 0, "p1")
    assert (error.key, error.rule, error.legal) == ("pile-empty", "NB-7", ["f"])


def test_nb7_a_card_that_does_not_fit_is_refused() -> None:
    error = refusal(table(MINE, THEIRS, targets="001", moves="0f"), 0, "p2")
    assert (error.key, error.rule) == ("does-not-fit", "NB-7")
    assert error.text == "MQ does not fit stack 2: the frame must be W, the circle on top."


def test_nb8_take_back_returns_the_top_card_of_the_pile_to_the_set() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0f")
    assert shown(position, 0) == "26 QE 2"
    assert shown(play(position, "0b"), 0) == "27 MQ 1"  # the card beneath can be placed now
    assert tops(play(position, "0p1")) == "MQ QW WE"
    assert shown(play(position, "0f"), 0) == "26 QE 1"  # and the one taken back comes next


def test_nb8_one_card_at_a_time_as_often_as_one_likes() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0f 0f 0b 0b 0b")
    assert shown(position, 0) == "28 - 0"
    assert shown(play(position, "0f"), 0) == "27 MQ 1"


def test_nb8_without_a_card_on_the_pile_there_is_nothing_to_take_back() -> None:
    error = refusal(table(MINE, THEIRS, targets="001"), 0, "b")
    assert (error.key, error.rule, error.legal) == ("nothing-to-take-back", "NB-8", ["f"])


def test_nb9_the_pile_is_turned_over_unshuffled_the_first_discard_on_top() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f " * 28 + "0t")
    assert shown(position, 0) == "28 - 0"
    order = [shown(play(position, "0f"), 0).split()[1] for _ in range(28)]
    assert order == full_set(MINE)[2:]


def test_nb9_placed_cards_are_gone_from_the_set_that_is_turned_over() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0p1 " + "0f " * 27 + "0t 0f")
    assert shown(position, 0) == "26 QE 1"


def test_nb9_only_when_the_set_is_empty() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f " * 27)
    error = refusal(position, 0, "t")
    assert (error.key, error.rule, error.parameters) == ("set-not-empty", "NB-9", {"count": 1})
    assert may(play(position, "0f"), 0) == "b t"


def test_nb10_everybody_sees_stacks_piles_and_counts() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0p1 0f 1f 1f")
    for viewer in (0, 1, WATCHER):
        view = game.view(position, viewer)
        assert [(name(stack["top"]), stack["height"]) for stack in view["stacks"]] == [("MQ", 2), ("QW", 1), ("WE", 1)]
        players = [(player["set"], player["top"] and name(player["top"]), player["pile"]) for player in view["players"]]
        assert players == [(26, "QE", 1), (27, "EA", 2)]


def test_nb10_nobody_sees_into_a_set_their_own_included() -> None:
    moves = "0f 1f 1f 1b"
    seen = table("AM QW MQ QE AP", "WE MA EA PQ", targets="001", moves=moves)
    other = table("AM QW MQ PE EQ AW", "WE MA EA QP AM", targets="001", moves=moves)  # undrawn cards lie otherwise
    for viewer in (0, 1, WATCHER):
        assert game.view(seen, viewer) == game.view(other, viewer)
        assert game.features(seen, viewer) == game.features(other, viewer)


# ── Races ──────────────────────────────────────────────────────────────────────────────────────────────


def test_nb11_a_placement_counts_if_the_stack_is_as_high_as_seen() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 1f")
    move = game.parse(position, 0, "p1/1")
    assert game.text(position, 0, move) == "p1"  # the record leaves the height out


@pytest.mark.parametrize("checking", ["referee", "audit"])
def test_nb11_if_a_card_came_on_top_meanwhile_it_is_refused_without_penalty(checking: str) -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 1f 1p1", checking=checking)  # MA was quicker than MQ
    error = refusal(position, 0, "p1/1")
    assert (error.key, error.rule, error.move) == ("too-late", "NB-11", "p1/1")
    assert error.parameters == {"stack": 1, "seen": 1, "height": 2}
    assert shown(position, 0) == "27 MQ 1"
    assert position.mistaken == 0


def test_nb11_also_where_the_card_would_fit_the_new_top() -> None:
    position = table("AM QW AQ", "WE MA", targets="001", moves="0f 1f 1p1")
    assert "p1" in may(position, 0)
    assert refusal(position, 0, "p1/1").key == "too-late"
    assert tops(play(position, "0p1/2")) == "AQ QW WE"


def test_nb11_the_own_last_card_counts_as_seen_only_with_its_height() -> None:
    position = table("AM QW QE MQ", THEIRS, targets="001", moves="0f 0f 0p1/1")
    assert refusal(position, 0, "p1/1").key == "too-late"
    assert tops(play(position, "0p1/2")) == "QE QW WE"


def test_nb11_the_other_stacks_may_grow() -> None:
    position = table("AM QW EP MQ", THEIRS, targets="001", moves="0f 1f 1p1")
    assert tops(play(position, "0p3/1")) == "MA QW EP"


def test_nb11_a_height_that_never_was_is_refused() -> None:
    error = refusal(table(MINE, THEIRS, targets="001", moves="0f"), 0, "p1/7")
    assert (error.key, error.rule) == ("never-so-high", "NB-11")


def test_nb11_what_a_player_sends_names_the_height_of_the_stack() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f")
    sent = [game.guarded(position, 0, game.parse(position, 0, text)) for text in ("p1", "f", "b")]
    assert sent == ["p1/1", "f", "b"]


def test_nb11_a_guarded_placement_keeps_all_other_rules() -> None:
    position = table(MINE, THEIRS, targets="001")
    assert refusal(position, 0, "p1/1").key == "pile-empty"
    assert refusal(play(position, "0f"), 0, "p2/1").key == "does-not-fit"


@pytest.mark.parametrize("text", ["p1/", "p1/0", "p1/01", "p1/-1", "p1/1000", "p4/1", "f/1", "p1/1 ", "p1/١", "p1/1/1"])
def test_nb11_other_guards_are_no_moves(text: str) -> None:
    with pytest.raises(BadNotation, match="G-3"):
        game.parse(table(MINE, THEIRS, targets="001", moves="0f"), 0, text)
