"""Flip & Slide's twin beside its rules."""

import pytest

from sevenhues import COMPILED, batch, load
from tests.batch.twins import compare

GAMES = 40 if COMPILED else 2


@pytest.mark.parametrize("given", [{}, {"red_start": True, "short_slides": True}], ids=str)
def test_the_twin_plays_as_the_rules_do(given: dict[str, bool]) -> None:
    game = load("flip-and-slide")
    options = game.settle(given)
    moves = compare(game, batch.twin(game, 2, options), GAMES, 403, 7, options)
    assert moves > 50 * GAMES
