"""Flip & Slide's twin beside its rules."""

import pytest

from sevenhues import COMPILED, batch, load
from tests.batch.twins import compare, unevenness

GAMES = 40 if COMPILED else 2
EASIER = {"red_start": True, "short_slides": True}


@pytest.mark.parametrize(("seats", "given"), [(2, {}), (2, EASIER), (1, {})], ids=str)
def test_the_twin_plays_as_the_rules_do(seats: int, given: dict[str, bool]) -> None:
    game = load("flip-and-slide")
    options = game.settle(given)
    games = GAMES if seats > 1 else 20 * GAMES
    moves = compare(game, batch.twin(game, seats, options), games, 402 + seats, 7, options)
    assert moves > 5 * games


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.skipif(not COMPILED, reason="too slow for the plain package")
def test_the_twin_plays_as_the_rules_do_with_more_seats(seats: int) -> None:
    game = load("flip-and-slide")
    options = game.settle(EASIER if seats == 3 else {})
    assert compare(game, batch.twin(game, seats, options), 4, 402 + seats, 8, options) > 100


def test_random_moves_are_equally_likely() -> None:
    assert abs(unevenness(batch.twin("flip-and-slide"), 60, 3)) < 4
