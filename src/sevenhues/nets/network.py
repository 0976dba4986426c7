"""A network as NumPy runs it: layers with shortcuts, a policy over moves and a value from -1, lost, to 1, won."""

import json
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.position import Position
from sevenhues.nets import encoding

Numbers = NDArray[Any]
CARD = "card"
NET = "net/"


class Net:
    """A trained network, with the card that says whose it is and how it came about."""

    def __init__(self, weights: dict[str, Numbers], card: dict[str, Any]) -> None:
        self.weights = {name: array.astype(np.float32) for name, array in weights.items()}
        self.card = card
        self.layers = sum(name.startswith("w") for name in weights)

    @classmethod
    def read(cls, file: Path | str) -> "Net":
        """Read a file that `sevenhues train` has written."""
        kept = arrays(file)
        weights = {name.removeprefix(NET): array for name, array in kept.items() if name.startswith(NET)}
        if CARD not in kept or not weights:
            raise BadOption(f"{file} holds no network of ours")
        return cls(weights, json.loads(bytes(kept[CARD]).decode()))

    def write(self, file: Path | str) -> None:
        """Write the network alone, in half the precision: what ships."""
        half = {NET + name: array.astype(np.float16) for name, array in self.weights.items()}
        write(file, half, self.card)

    def check(self, game: Game[Any], seats: int) -> None:
        """Refuse a network of another game, or of another number of seats."""
        made_for = self.card["game"], self.card["seats"]
        if made_for != (game.id, seats):
            raise BadOption(f"this network plays {made_for[0]} for {made_for[1]}, not {game.id} for {seats}")

    def __call__(self, told: Numbers) -> tuple[Numbers, Numbers]:
        """Return logits, (N, moves), and values, (N,), for inputs, (N, breadth)."""
        w = self.weights
        h = np.maximum(told @ w["w0"] + w["b0"], 0)
        for i in range(1, self.layers):
            h = h + np.maximum(h @ w[f"w{i}"] + w[f"b{i}"], 0)
        both = h @ w["out"] + w["bias"]
        return both[:, :-1], np.tanh(both[:, -1])


class Reader:
    """Tells a network what a seat knows."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        self.game = game
        self.features = encoding.layout(game, seats, resolve_options(game, {}))

    def __call__(self, seen: list[tuple[Position, int]]) -> Numbers:
        """Return the inputs of some positions, each as a seat of it knows it."""
        game = self.game
        numbers = [
            game.observation_encoder().encode(position, seat) + game.network_input_encoder().encode(position, seat)
            for position, seat in seen
        ]
        return np.asarray(encoding.spread(np, self.features, np.array(numbers, np.uint8)))


def arrays(file: Path | str) -> dict[str, Numbers]:
    """Read every array of a file."""
    try:
        with np.load(file) as kept:
            return {name: kept[name] for name in kept.files}
    except (ValueError, EOFError, BadZipFile, TypeError) as error:
        raise BadOption(f"{file} holds no network of ours") from error


def write(file: Path | str, given: dict[str, Numbers], card: dict[str, Any]) -> None:
    """Write arrays and a card as one .npz, whole or not at all."""
    target = Path(file)
    draft = target.with_name(target.name + ".part")
    with draft.open("wb") as out:
        whole: dict[str, Any] = {**given, CARD: np.frombuffer(json.dumps(card).encode(), np.uint8)}
        np.savez_compressed(out, **whole)
    draft.replace(target)
