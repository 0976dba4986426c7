"""Many games at once, in JAX: batched twins of the games, environments for learners, and training.

>>> from sevenhues import batch
>>> twin = batch.twin("rainbow")  # doctest: +SKIP
>>> states = twin.init(jax.random.split(jax.random.key(1), 4096))  # doctest: +SKIP
>>> states = twin.step(states, twin.pick(states, bits))  # doctest: +SKIP
"""

from collections.abc import Mapping
from typing import Any

from sevenhues.batch.contract import BatchGame
from sevenhues.core import registry
from sevenhues.core.game import Game, check_seats, resolve_options


def twin(game: str | Game[Any], seats: int | None = None, options: Mapping[str, object] | None = None) -> BatchGame:
    """Return the batched twin of a game; with no number of seats, for two or as many as it takes."""
    found: Game[Any] = registry.load(game) if isinstance(game, str) else game
    if seats is None:
        seats = min(max(found.min_seats, 2), found.max_seats)
    check_seats(found, seats)
    try:
        made: BatchGame = found.bot_support().batch(seats, resolve_options(found, options or {}))
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("jax", "jaxlib", "numpy"):
            raise
        raise ImportError('batches of games need JAX: pip install "sevenhues[jax]"') from error
    return made
