"""Networks of random weights."""

from pathlib import Path
from typing import Any

import numpy as np

from sevenhues.core.game import Game, resolve_options
from sevenhues.nets import encoding
from sevenhues.nets.network import WEIGHTS_PREFIX, write_arrays


def untrained(game: Game[Any], file: Path, width: int = 16, seed: int = 3) -> Path:
    """Write a network of random weights that plays a game for two."""
    rng = np.random.default_rng(seed)
    options = resolve_options(game, {})
    input_size, moves = encoding.input_size(encoding.layout(game, 2, options)), game.move_count(2, options)
    sizes = {"w0": (input_size, width), "b0": (width,), "w1": (width, width), "b1": (width,)}
    sizes |= {"out": (width, moves + 1), "bias": (moves + 1,)}
    weights = {WEIGHTS_PREFIX + name: rng.normal(0, 0.2, size).astype(np.float32) for name, size in sizes.items()}
    write_arrays(file, weights, {"game": game.id, "seats": 2, "rules_version": game.rules_version})
    return file
