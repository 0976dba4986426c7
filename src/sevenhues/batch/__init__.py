"""Batched games in JAX: many games at once, for training and for environments.

>>> from sevenhues import batch
>>> batch_game = batch.make("rainbow")  # doctest: +SKIP
>>> states = batch_game.init(jax.random.split(jax.random.key(1), 4096))  # doctest: +SKIP
>>> states = batch_game.step(states, batch_game.pick(states, bits))  # doctest: +SKIP
"""

from collections.abc import Mapping
from typing import Any

from sevenhues.batch.contract import BatchGame
from sevenhues.core import registry
from sevenhues.core.game import Game, check_seats, default_seats, resolve_options


def make(game: str | Game[Any], seats: int | None = None, options: Mapping[str, object] | None = None) -> BatchGame:
    """Return the batched version of a game, by default for its default number of seats."""
    loaded: Game[Any] = registry.load(game) if isinstance(game, str) else game
    if seats is None:
        seats = default_seats(loaded)
    check_seats(loaded, seats)
    try:
        batch_game: BatchGame = loaded.bot_support().batch(seats, resolve_options(loaded, options or {}))
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("jax", "jaxlib", "numpy"):
            raise
        raise ImportError('batched games need JAX: pip install "sevenhues[jax]"') from error
    return batch_game
