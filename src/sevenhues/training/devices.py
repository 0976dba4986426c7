"""Divides the games of a training among the devices of this machine. Every device has the whole network."""

from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from sevenhues.core.errors import BadOption

AXIS = "games"

# These have no types.
constrain_sharding: Any = jax.lax.with_sharding_constraint
partition_spec: Any = PartitionSpec


class Devices:
    """The devices of a training: `count` of those that JAX sees, by default all."""

    def __init__(self, count: int | None = None) -> None:
        available = jax.devices()
        self.count = len(available) if count is None else count
        if not 1 <= self.count <= len(available):
            raise BadOption(f"JAX sees {len(available)} device(s) ({jax.default_backend()}), not {self.count}")
        mesh = Mesh(np.array(available[: self.count]), (AXIS,))
        self.whole = NamedSharding(mesh, partition_spec())  # of arrays that every device has
        self.by_game = NamedSharding(mesh, partition_spec(AXIS))  # of arrays with a row for each game
        self.minibatches = NamedSharding(mesh, partition_spec(None, AXIS))  # of arrays with a row for each minibatch

    def check_division(self, games: int, minibatches: int) -> None:
        """Raise BadOption unless every device has equally many games of each minibatch."""
        unit = minibatches * self.count
        if games < 1 or games % unit:
            raise BadOption(
                f"{games} games in {minibatches} minibatches cannot be divided equally among "
                f"{self.count} device(s): the number of games must be a multiple of {unit}"
            )

    def round_up(self, games: int) -> int:
        """Return the next number of games that can be divided equally."""
        return -(-games // self.count) * self.count

    def copy_to_all(self, arrays: Any) -> Any:
        """Put a tree of arrays on every device."""
        return jax.device_put(arrays, self.whole)
