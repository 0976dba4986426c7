"""The batched game of Rainbow Road agrees with its rules."""

import jax
import numpy as np
import pytest

from sevenhues import COMPILED, batch, load
from sevenhues.core.game import resolve_options
from tests.batch.batch_equality import chi_square_deviation, compare

MANY = 1000 if COMPILED else 40
VARIANT = {"direction": "clockwise", "leap": "free"}
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("options", "games"),
    [({}, 30), pytest.param({}, MANY, marks=pytest.mark.long), pytest.param(VARIANT, MANY, marks=pytest.mark.long)],
)
def test_batch_game_agrees_with_the_rules_in_random_games(options: dict[str, str], games: int) -> None:
    game = load("rainbow-road")
    moves = compare(game, batch.make(game, options=options), games, 80, 7, resolve_options(game, options))
    assert moves > 30 * games


def test_batch_game_deals_uniformly() -> None:
    batch_game = batch.make("rainbow-road")
    many = 4000
    states = jax.tree.map(np.asarray, jax.jit(batch_game.init)(jax.random.split(jax.random.key(3), many)))
    setups = [batch_game.setup(jax.tree.map(lambda part, i=i: part[i : i + 1], states)) for i in range(many)]
    # RR-1 A card of each number is as often in either hand, in each place of the field and in the box.
    for number in range(1, 8):
        for seat in range(2):
            held = np.mean([setup["hands"][seat].count(number) for setup in setups])
            assert abs(held - 8 / 7) < 0.06
            for place in range(2):
                assert abs(np.mean([setup["field"][seat][place] == number for setup in setups]) - 1 / 7) < 0.03
    # RR-5 And a prank with either player.
    for prank in setups[0]["pranks"][0]:
        for seat in range(2):
            assert abs(np.mean([prank in setup["pranks"][seat] for setup in setups]) - 1 / 3) < 0.04
    assert abs(np.mean([setup["first"] for setup in setups]) - 1 / 2) < 0.04
    # Hands and field are independent but for being of one pack.
    alike = np.mean([setup["field"][0][0] == setup["field"][1][1] for setup in setups])
    assert abs(alike - 2 / 20) < 0.025
    for setup in setups[:50]:
        load("rainbow-road").start(setup, 2, {"direction": "free", "leap": "ordered"})


@pytest.mark.parametrize("plies", [pytest.param(5, marks=pytest.mark.long), 30])
def test_batch_game_picks_random_moves_uniformly(plies: int) -> None:
    assert abs(chi_square_deviation(batch.make("rainbow-road"), plies, 2)) < 4
