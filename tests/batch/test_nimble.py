"""The batched game of Nimble agrees with its rules."""

import jax
import numpy as np
import pytest

from sevenhues import COMPILED, batch, load
from sevenhues.core.game import resolve_options
from tests.batch.batch_equality import compare

MANY = 24 if COMPILED else 6
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("seats", "checking", "games"),
    [
        (2, "audit", 4),
        pytest.param(2, "referee", MANY, marks=pytest.mark.long),
        pytest.param(3, "audit", MANY, marks=pytest.mark.long),
        pytest.param(4, "referee", MANY, marks=pytest.mark.long),
    ],
)
def test_batch_game_agrees_with_the_rules_in_random_games(seats: int, checking: str, games: int) -> None:
    game = load("nimble")
    options = resolve_options(game, {"checking": checking})
    moves = compare(game, batch.make(game, seats, options), games, 2500, 7, options)
    assert moves > 100 * games


@pytest.mark.parametrize("seats", [2])
def test_batch_game_deals_cards_uniformly(seats: int) -> None:
    batch_game = batch.make("nimble", seats)
    many = 3000

    @jax.jit
    def flipped(key: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        states = batch_game.init(jax.random.split(key, many))
        tops = batch_game.observe(states, 0)[:, 2:8]
        turns = batch_game.turn(states)
        after = batch_game.step(states, jax.numpy.zeros(many, jax.numpy.int32))
        first = jax.vmap(lambda row, turn: jax.numpy.roll(row, -63 * turn)[:33])(
            batch_game.observe(after, 0)[:, 11:], turns
        )
        return tops, turns, first[:, 3:]

    tops, turns, cards = [np.asarray(part) for part in flipped(jax.random.key(5))]
    frames, circles = tops[:, :3], tops[:, 3:]
    for colour in range(6):
        assert np.abs((frames == colour).mean(0) - 1 / 6).max() < 0.04
        assert np.abs((circles == colour).mean(0) - 1 / 6).max() < 0.04
    # NB-2 Two cards of one set differ, cards of different sets are independent.
    assert (frames != circles).all()
    shares = [((frames[:, a] == frames[:, b]) & (circles[:, a] == circles[:, b])).mean() for a, b in [(0, 1), (1, 2)]]
    assert max(shares) < 0.06
    # NB-5 Every hand is as likely to be next, and every card to come up first.
    assert np.abs(np.bincount(turns, minlength=seats) / many - 1 / seats).max() < 0.04
    assert (cards == 1).sum(1).min() == 1
    assert np.abs((cards == 1).mean(0) - 1 / 30).max() < 0.02
