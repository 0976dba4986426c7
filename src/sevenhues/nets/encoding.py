"""Input encoding of networks: a game's observation and network input, as numbers from 0 to 1.

A number with a highest value from 3 to 12 is one-hot encoded, which suits codes of faces; any other number is divided
by its highest value. The same functions serve NumPy and JAX: the array module is passed as `xp`.
"""

from typing import Any

from sevenhues.core.encoder import Feature
from sevenhues.core.game import Game
from sevenhues.core.options import Options
from sevenhues.core.position import Position

MIN_ONE_HOT_HIGH = 3
MAX_ONE_HOT_HIGH = 12


def layout(game: Game[Any], seats: int, options: Options) -> tuple[Feature, ...]:
    """Return the features that a network reads, in order."""
    return (
        *game.observation_encoder().layout(seats, options),
        *game.network_input_encoder().layout(seats, options),
    )


def observe(game: Game[Any], position: Position, seat: int) -> list[int]:
    """Return the numbers of these features in a position, as a seat observes it."""
    return game.observation_encoder().encode(position, seat) + game.network_input_encoder().encode(position, seat)


def is_one_hot(feature: Feature) -> bool:
    """Return whether a feature's numbers are one-hot encoded."""
    return MIN_ONE_HOT_HIGH <= feature.high <= MAX_ONE_HOT_HIGH


def input_size(features: tuple[Feature, ...]) -> int:
    """Return the number of inputs of a network."""
    return sum(feature.size * (feature.high + 1 if is_one_hot(feature) else 1) for feature in features)


def encode_inputs(xp: Any, features: tuple[Feature, ...], observations: Any) -> Any:
    """Encode observations, (N, numbers), as network inputs, (N, input_size)."""
    parts = []
    at = 0
    for feature in features:
        part = observations[:, at : at + feature.size]
        at += feature.size
        if is_one_hot(feature):
            one_hot = part[:, :, None] == xp.arange(feature.high + 1, dtype=part.dtype)
            parts.append(one_hot.reshape(len(observations), -1).astype(xp.float32))
        else:
            parts.append(part.astype(xp.float32) * (1.0 / max(feature.high, 1)))
    return xp.concatenate(parts, 1)
