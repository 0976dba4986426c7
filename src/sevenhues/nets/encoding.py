"""What a network is told: a game's features and memory, spread out into numbers from 0 to 1.

A number that runs to a few (3 to 12) becomes one input for each of its values, as face codes ask for; any other is
divided by its highest value. The same function serves NumPy and JAX, which is passed as `xp`.
"""

from typing import Any

from sevenhues.core.encoder import Feature
from sevenhues.core.game import Game
from sevenhues.core.options import Options

FEWEST = 3
MOST = 12


def layout(game: Game[Any], seats: int, options: Options) -> tuple[Feature, ...]:
    """Name all numbers that a network is told, in order."""
    return (
        *game.observation_encoder().layout(seats, options),
        *game.network_input_encoder().layout(seats, options),
    )


def coded(feature: Feature) -> bool:
    """Tell whether a feature's numbers become an input for each value."""
    return FEWEST <= feature.high <= MOST


def breadth(features: tuple[Feature, ...]) -> int:
    """Count the inputs."""
    return sum(feature.size * (feature.high + 1 if coded(feature) else 1) for feature in features)


def spread(xp: Any, features: tuple[Feature, ...], seen: Any) -> Any:
    """Turn observations, (N, numbers), into inputs, (N, breadth)."""
    parts = []
    at = 0
    for feature in features:
        part = seen[:, at : at + feature.size]
        at += feature.size
        if coded(feature):
            one_hot = part[:, :, None] == xp.arange(feature.high + 1, dtype=part.dtype)
            parts.append(one_hot.reshape(len(seen), -1).astype(xp.float32))
        else:
            parts.append(part.astype(xp.float32) * (1.0 / max(feature.high, 1)))
    return xp.concatenate(parts, 1)
