"""Flip & Slide's twin beside its rules."""

import pytest

from sevenhues import COMPILED, batch, load
from tests.batch.twins import compare, unevenness

GAMES = 40 if COMPILED else 2
compiled_only = pytest.mark.skipif(not COMPILED, reason="too slow for the plain package")
pytestmark = pytest.mark.slow
EASIER = {"red_start": True, "short_slides": True}


@pytest.mark.parametrize(("seats", "given"), [(2, {}), (1, EASIER)], ids=str)
def test_the_twin_plays_as_the_rules_do(seats: int, given: dict[str, bool]) -> None:
    game = load("flip-and-slide")
    options = game.settle(given)
    games, plies = (GAMES, 404) if seats > 1 else (100 if COMPILED else 30, 80)
    moves = compare(game, batch.twin(game, seats, options), games, plies, 7, options)
    assert moves > 5 * games


@pytest.mark.parametrize(("seats", "given"), [(1, {}), (2, EASIER), (3, EASIER), (4, {})], ids=str)
@compiled_only
def test_the_twin_plays_as_the_rules_do_in_other_tables_too(seats: int, given: dict[str, bool]) -> None:
    game = load("flip-and-slide")
    options = game.settle(given)
    assert compare(game, batch.twin(game, seats, options), 8, 402 + seats, 8, options) > 40


@compiled_only
def test_random_moves_are_equally_likely() -> None:
    assert abs(unevenness(batch.twin("flip-and-slide"), 60, 3)) < 4
