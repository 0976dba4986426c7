"""A network run with NumPy: residual layers, a policy over moves and a value from -1, lost, to 1, won."""

import json
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from sevenhues.core.encoder import Feature
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.position import Position
from sevenhues.nets import encoding

Numbers = NDArray[Any]
METADATA_KEY = "card"  # the array of a file that holds its metadata, as JSON
WEIGHTS_PREFIX = "net/"


class Network:
    """A trained network with its metadata: the game, the seats and how it was trained."""

    def __init__(self, weights: dict[str, Numbers], metadata: dict[str, Any]) -> None:
        self.weights = {name: array.astype(np.float32) for name, array in weights.items()}
        self.metadata = metadata
        self.layers = sum(name.startswith("w") for name in weights)

    @classmethod
    def read(cls, file: Path | str) -> "Network":
        """Read a file that `sevenhues train` has written."""
        arrays = read_arrays(file)
        weights = {
            name.removeprefix(WEIGHTS_PREFIX): array
            for name, array in arrays.items()
            if name.startswith(WEIGHTS_PREFIX)
        }
        if METADATA_KEY not in arrays or not weights:
            raise BadOption(f"{file} is not a network file of Seven Hues")
        return cls(weights, json.loads(bytes(arrays[METADATA_KEY]).decode()))

    def write(self, file: Path | str) -> None:
        """Write the network without its training state, in half precision."""
        half = {WEIGHTS_PREFIX + name: array.astype(np.float16) for name, array in self.weights.items()}
        write_arrays(file, half, self.metadata)

    def evaluate(
        self, features: tuple[Feature, ...], observations: list[list[int]]
    ) -> tuple[list[list[float]], list[float]]:
        """Return the logits of all moves and the value, from -1 to 1, for each of some observations."""
        logits, values = self(encoding.encode_inputs(np, features, np.array(observations, np.uint8)))
        return logits.tolist(), values.tolist()

    def __call__(self, inputs: Numbers) -> tuple[Numbers, Numbers]:
        """Return logits, (N, moves), and values, (N,), for inputs, (N, input_size)."""
        w = self.weights
        h = np.maximum(inputs @ w["w0"] + w["b0"], 0)
        for i in range(1, self.layers):
            h = h + np.maximum(h @ w[f"w{i}"] + w[f"b{i}"], 0)
        both = h @ w["out"] + w["bias"]
        return both[:, :-1], np.tanh(both[:, -1])


class InputEncoder:
    """Encodes positions of one game as network inputs."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        self.game = game
        self.features = encoding.layout(game, seats, resolve_options(game, {}))

    def __call__(self, viewed: list[tuple[Position, int]]) -> Numbers:
        """Return the inputs for positions, each with the seat that observes it."""
        numbers = [encoding.observe(self.game, position, seat) for position, seat in viewed]
        return np.asarray(encoding.encode_inputs(np, self.features, np.array(numbers, np.uint8)))


def read_arrays(file: Path | str) -> dict[str, Numbers]:
    """Read all arrays of a file."""
    try:
        with np.load(file) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, EOFError, BadZipFile, TypeError) as error:
        raise BadOption(f"{file} is not a network file of Seven Hues") from error


def write_arrays(file: Path | str, arrays: dict[str, Numbers], metadata: dict[str, Any]) -> None:
    """Write arrays and metadata to one .npz file, atomically."""
    target = Path(file)
    draft = target.with_name(target.name + ".part")
    with draft.open("wb") as out:
        contents: dict[str, Any] = {**arrays, METADATA_KEY: np.frombuffer(json.dumps(metadata).encode(), np.uint8)}
        np.savez_compressed(out, **contents)
    draft.replace(target)
