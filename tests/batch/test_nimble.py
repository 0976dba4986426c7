"""Nimble's twin beside its rules."""

import jax
import numpy as np
import pytest

from sevenhues import COMPILED, batch, load
from tests.batch.twins import compare

GAMES = 100 if COMPILED else 6


@pytest.mark.parametrize(("seats", "checking"), [(2, "referee"), (3, "audit"), (4, "referee")])
def test_the_twin_plays_as_the_rules_do(seats: int, checking: str) -> None:
    game = load("nimble")
    options = game.settle({"checking": checking})
    moves = compare(game, batch.twin(game, seats, options), GAMES, 4000, 7, options)
    assert moves > 100 * GAMES
