"""Rainbow Road's twin beside its rules."""

import jax
import numpy as np
import pytest

from sevenhues import COMPILED, batch, load
from tests.batch.twins import compare

GAMES = 1000 if COMPILED else 60
OPTIONS = [{}, {"direction": "clockwise"}, {"leap": "free"}, {"direction": "clockwise", "leap": "free"}]


@pytest.mark.parametrize("given", OPTIONS, ids=str)
def test_the_twin_plays_as_the_rules_do(given: dict[str, str]) -> None:
    game = load("rainbow-road")
    moves = compare(game, batch.twin(game, options=given), GAMES, 110, 7, game.settle(given))
    assert moves > 30 * GAMES
