"""Views, features, resampled positions and the drawing in a terminal."""

from collections import Counter

import msgspec
import pytest

from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.nimble import game
from sevenhues.games.nimble.rules import NimblePosition
from sevenhues.games.nimble.view_types import NimbleView
from tests.games.nimble.positions import ALL_CARDS, CHAIN, full_set, lay, name, play, shown, table

MINE = "AM QW MQ QE AP"
THEIRS = "WE MA EA PQ"


def features(position: NimblePosition, viewer: int = 0) -> dict[str, list[int]]:
    numbers = game.observation_encoder().encode(position, viewer)
    named = {}
    for feature in game.observation_encoder().layout(position.seats, {}):
        named[feature.name], numbers = numbers[: feature.size], numbers[feature.size :]
    return named


def undrawn(position: NimblePosition, seat: int) -> list[str]:
    """Return the cards that come up when a seat flips its whole set."""
    ahead = position.copy()
    count = game.view(position, 0)["players"][seat]["set"]
    return [shown(play(ahead, f"{seat}f"), seat).split()[1] for _ in range(count)]


# ── Views ──────────────────────────────────────────────────────────────────────────────────────────────


def test_full_view_shows_the_next_cards_of_every_set() -> None:
    position = deal(game, b"views", 3)
    for seat, player in enumerate(game.full_view(position)["players"]):
        coming = [card["frame"] + card["circle"] for card in player["coming"]]
        mark = len(ALL_CARDS) - player["set"]
        assert coming == game.setup(position)["sets"][seat][mark : mark + 3]


def test_every_viewer_sees_the_same() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 1f 1p1")
    views = [game.view(position, viewer) for viewer in (0, 1, WATCHER)]
    assert [view["viewer"] for view in views] == [0, 1, -1]
    assert len({str({**view, "viewer": None}) for view in views}) == 1


def test_last_move_in_the_view_names_card_and_stack() -> None:
    position = table(MINE, THEIRS, targets="001")
    assert game.view(position, 0)["last"] is None
    moved = []
    for move in ["0f", "1f", "1p1", "0b"] + ["1f"] * 28 + ["1t"]:
        play(position, move)
        last = game.view(position, 0)["last"]
        assert last is not None
        assert (last["seat"], last["move"]) == (int(move[0]), move[1:])
        covered = last["covered"] and name(last["covered"])
        moved.append((last["card"] and name(last["card"]), last["stack"], covered))
    assert moved[:4] == [("MQ", None, None), ("MA", None, None), ("MA", 1, "AM"), ("MQ", None, None)]
    assert moved[-1] == (None, None, None)


def test_card_keeps_its_number_from_set_to_pile_to_stack_and_back() -> None:
    position = table(MINE, THEIRS, targets="001")
    players = game.view(position, 0)["players"]
    assert [player["next"] for player in players] == [2, 31]  # after the cards that were given
    view = game.view(play(position, "0f 1f"), 0)
    assert [player["top"] and player["top"]["card"] for player in view["players"]] == [2, 31]
    view = game.view(play(position, "0p1 1b"), 0)
    assert view["stacks"][0]["top"] == {"card": 2, "owner": 0, "frame": "M", "circle": "Q"}
    assert [player["next"] for player in view["players"]] == [3, 31]


def test_view_says_what_each_seat_may_do_but_not_what_fits() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f")
    may = [(p["may_flip"], p["may_take_back"], p["may_turn_over"]) for p in game.view(position, 1)["players"]]
    assert may == [(True, True, False), (True, False, False)]
    me = game.view(play(position, "0f " * 27), 0)["players"][0]
    assert (me["may_flip"], me["may_take_back"], me["may_turn_over"], me["next"]) == (False, True, True, None)


@pytest.mark.parametrize(("sets", "targets", "goal"), [(2, "001", 1), (3, "012", 0), (4, "123", 0)])
def test_view_says_how_few_cards_end_the_game(sets: int, targets: str, goal: int) -> None:
    assert game.view(table(*[""] * sets, targets=targets), 0)["goal"] == goal


def test_result_is_in_the_view_of_a_finished_game() -> None:
    position = table(CHAIN, "EM AW WA", targets="011", moves="1f 1p2 " + lay(0, 1, 28), checking="audit")
    view = msgspec.convert(game.view(position, WATCHER), NimbleView, strict=True)
    result = view["result"]
    assert result is not None
    assert (result["reason"], result["winners"], result["places"]) == ("out", [0], [1, 2])
    assert [(m["stack"], m["height"], m["owner"], name(m["card"])) for m in result["mistakes"]] == [(2, 2, 1, "WA")]
    assert [len(stack) for stack in result["stacks"]] == [29, 2, 1]
    assert not any(player["may_flip"] for player in view["players"])


# ── Features ───────────────────────────────────────────────────────────────────────────────────────────


def test_features_locate_each_card_that_was_seen() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0p1 0f 0f 0b")
    known = features(position)
    cards = dict(zip(ALL_CARDS, zip(known["my_cards"], known["my_depths"], strict=True), strict=True))
    assert [cards[card] for card in ("AM", "QW", "MQ")] == [(0, 0)] * 3  # on stacks
    assert cards["QE"] == (1, 0)  # on top of the pile
    assert cards["AP"] == (2, 0)  # taken back: on top of the set
    assert Counter(cards.values())[3, 0] == 25  # never seen
    assert (known["my_set_count"], known["my_pile_count"]) == ([26], [1])


def test_features_number_stacks_and_put_the_viewer_first() -> None:
    position = table("AM", "WE MA", "PQ", targets="012", moves="1f 1p1")
    known = features(position, 1)
    assert (known["stack_frames"], known["stack_circles"], known["stack_heights"]) == ([1, 3, 4], [0, 2, 5], [2, 1, 1])
    assert (known["my_set_count"], known["player_1_set_count"]) == ([28], [29])
    assert features(position, WATCHER) == features(position, 0)


def test_features_include_visible_mistakes() -> None:
    known = features(table(MINE, THEIRS, targets="001", moves="1f 1p3", checking="audit"))
    assert (known["my_mistaken"], known["player_1_mistaken"], known["audit"]) == ([0], [1], [1])


# ── Resampling ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_resampling_keeps_seen_cards_and_shuffles_the_rest(viewer: int) -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0f 0f 0b 0b 0p1 1f 1b")
    sampled = [position.resample(viewer, Rng(n)) for n in range(20)]
    assert {tuple(undrawn(other, 0)[:2]) for other in sampled} == {("QE", "AP")}  # taken back: known
    assert {undrawn(other, 1)[0] for other in sampled} == {"MA"}
    assert len({tuple(undrawn(other, 0)) for other in sampled}) == 20
    assert len({tuple(undrawn(other, 1)) for other in sampled}) == 20


def test_resampling_keeps_the_order_of_a_set_that_was_turned_over() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0p1 " + "0f " * 27 + "0t 1f")
    for n in range(10):
        other = position.resample(1, Rng(n))
        assert undrawn(other, 0) == full_set(MINE)[3:]
        assert undrawn(other, 1) != undrawn(position, 1)


def test_resampling_draws_every_order_of_unseen_cards_equally_often() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f " * 25 + "1f " * 27)  # three and two are left
    rng = Rng(1)
    orders = Counter(
        (*undrawn(other, 0), *undrawn(other, 1)) for other in [position.resample(0, rng) for _ in range(2400)]
    )
    assert len(orders) == 12
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 31.3  # chi-square, 11 degrees, 0.1 %


# ── In a terminal ──────────────────────────────────────────────────────────────────────────────────────


def test_table_is_drawn_in_letters() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f 0p1 0f 1f")
    lines = game.renderer().draw(game.view(position, 1), colour=False).split("\n")
    assert lines[0] == "All play at once: the first with one card left ends the game"
    assert lines[1] == "You may flip (f), place on a stack (p1 p2 p3), take back (b)"
    assert lines[4].split() == ["top", "[MQ]", "[QW]", "[WE]"]
    assert lines[5].split() == ["takes", "frame", "Q", "W", "E"]
    assert lines[6].split() == ["height", "2", "1", "1"]
    assert " ".join(lines[8].split()[:-1]) == "seat 0 pile [QE] of 1 set 26 left 27"
    assert " ".join(lines[9].split()[:-1]) == "seat 1 (you) pile [MA] of 1 set 28 left 29"


def test_colour_is_added_to_the_letters() -> None:
    drawn = game.renderer().draw(game.view(table(MINE, THEIRS, targets="001"), 0), colour=True)
    assert "\x1b[1;38;5;16;48;5;44m A \x1b[0m\x1b[1;38;5;231;48;5;18m M \x1b[0m" in drawn


def test_end_is_drawn_with_ranking_and_mistakes() -> None:
    position = table(CHAIN, "EM AW WA", targets="011", moves="1f 1p2 " + lay(0, 1, 28), checking="audit")
    drawn = game.renderer().draw(game.view(position, WATCHER), colour=False)
    assert "ranking       1. seat 0, seat 1 disqualified" in drawn
    assert "mistake       stack 2, height 2: seat 1's [WA] on [EM]" in drawn


@pytest.mark.parametrize(
    ("moves", "description"),
    [
        ("", ""),
        ("0f", "Seat 0 flipped MQ."),
        ("0f 0b", "Seat 0 took MQ back."),
        ("0f 0p1", "Seat 0 placed MQ on AM, stack 1."),
        ("1f " * 29 + "1t", "Seat 1 turned the discard pile over."),
    ],
)
def test_last_move_is_described(moves: str, description: str) -> None:
    assert (
        game.renderer().describe_last_move(game.view(table(MINE, THEIRS, targets="001", moves=moves), 0)) == description
    )
