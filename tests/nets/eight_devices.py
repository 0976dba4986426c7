"""Train on one and on eight devices of a CPU, and print as JSON what is equal. JAX must see eight devices.

python -m tests.nets.eight_devices [GAME]
"""

import json
import re
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sevenhues import load
from sevenhues.batch import make as make_batch_game
from sevenhues.core.game import resolve_options
from sevenhues.nets import encoding
from sevenhues.training import evaluation
from sevenhues.training.devices import Devices
from sevenhues.training.ppo import Settings, Trainer, TrainState
from tests.toy_games.take import Take

SETTINGS = Settings(games=64, rollout_length=8, minibatches=2, width=16, layers=2, learning_rate=3e-3)
ITERATIONS = 3
EVALUATION_GAMES = 100  # rounded up to 104 with eight devices
COLLECTIVE = re.compile(r"\b(all-\w+|collective-\w+|reduce-scatter)\(")


class Training:
    """A compiled training on some devices."""

    def __init__(self, game: Any, devices: Devices) -> None:
        self.batch_game = make_batch_game(game, None)
        features = encoding.layout(game, self.batch_game.seats, resolve_options(game, {}))
        self.trainer = Trainer(self.batch_game, features, SETTINGS, jnp.float32, devices)
        self.schedule = (jnp.float32(3e-3), jnp.float32(0.01), None, jnp.int32(ITERATIONS))
        self.compiled = self.trainer.run.lower(self.start(), *self.schedule).compile()
        self.collectives = sorted(set(COLLECTIVE.findall(self.compiled.as_text() or "")))

    def start(self) -> TrainState:
        return self.trainer.start(jax.random.key(3))

    def run(self) -> TrainState:
        """Train a few iterations and return the last state."""
        state: TrainState = self.compiled(self.start(), *self.schedule)[0]
        return state

    def share(self, weights: Any) -> float:
        """Return the share of wins against random play."""
        player = evaluation.greedy_player(self.trainer, weights)
        opponent = evaluation.random_player(self.batch_game)
        games, key, devices = EVALUATION_GAMES, jax.random.key(5), self.trainer.devices
        return float(evaluation.win_share(self.batch_game, player, opponent, games, key, devices))


def equal(one: Any, other: Any) -> bool:
    """Tell whether two trees of arrays are equal to the bit."""
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(np.array_equal(np.asarray(a), np.asarray(b)) for a, b in pairs)


def difference(one: Any, other: Any) -> float:
    """Return the largest difference of two trees of arrays."""
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return max(float(np.abs(np.asarray(a) - np.asarray(b)).max()) for a, b in pairs)


def main() -> None:
    game: Any = load(sys.argv[1]) if sys.argv[1:] else Take()
    one, eight = Training(game, Devices(1)), Training(game, Devices())
    state, state_of_eight, repeated = one.run(), eight.run(), eight.run()
    report = {
        "devices": [len(jax.tree.leaves(one.states)[0].sharding.device_set) for one in (state, state_of_eight)],
        "collectives": [one.collectives, eight.collectives],
        "equal_deals": equal(one.start().states, eight.start().states),
        "equal_states": equal(state.states, state_of_eight.states),
        "difference_of_weights": difference(state.weights, state_of_eight.weights),
        "largest_change_of_weights": difference(state.weights, one.start().weights),
        "repeats": equal(state_of_eight.states, repeated.states) and equal(state_of_eight.weights, repeated.weights),
        "share_of_eight": eight.share(state_of_eight.weights),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
