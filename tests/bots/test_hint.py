"""Hints are the best bot's moves with their chances, and depend only on what a seat has seen."""

import pytest

from sevenhues import Rng, bots, deal, load, names
from sevenhues.core.moves import legal_texts
from sevenhues.core.position import Position


def played(name: str, plies: int) -> Position:
    """Return a position after some random moves with more than one legal move."""
    position: Position = deal(load(name), b"hints")
    rng = Rng(5)
    while plies > 0 or len(position.legal(position.to_act()[0])) == 1:
        plies -= 1
        seat = position.pick_seat(rng)
        position.play(seat, position.pick(seat, rng))
    return position


@pytest.mark.parametrize("name", names())
def test_hints_are_legal_moves_with_chances_best_first(name: str) -> None:
    game, position = load(name), played(name, 7)
    seat = position.to_act()[0]
    hints = bots.hints(game, position, seat, Rng(1), "60", max_hints=4)
    assert 1 < len(hints) <= 4
    assert {one.text for one in hints} <= set(legal_texts(game, position, seat))
    assert len({one.text for one in hints}) == len(hints)
    chances = [-1.0 if one.chance is None else one.chance for one in hints]
    assert chances == sorted(chances, reverse=True)
    assert 0 <= chances[-1] <= chances[0] <= 1


@pytest.mark.parametrize("name", names())
def test_hint_does_not_depend_on_hidden_information(name: str) -> None:
    game, position = load(name), played(name, 7)
    seat = position.to_act()[0]
    hints = bots.hints(game, position, seat, Rng(1), "60")
    for seed in range(2):
        other = position.resample(seat, Rng(100 + seed))
        assert bots.hints(game, other, seat, Rng(1), "60") == hints


def test_hint_for_a_forced_move_has_no_chance() -> None:
    game = load("nimble")
    assert bots.hints(game, deal(game, b"hints"), 1, Rng(1)) == [bots.Hint("f", None)]


def test_seat_that_may_not_act_gets_no_hint() -> None:
    game = load("rainbow")
    position = deal(game, b"hints")
    assert bots.hints(game, position, 1 - position.to_act()[0], Rng(1)) == []
