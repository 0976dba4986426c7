"""A game with its seats and options settled, as all adapters see it: numbers, masks, rewards, lengths."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenhues.core import registry
from sevenhues.core.encoder import Feature
from sevenhues.core.game import Game, check_seats, resolve_options
from sevenhues.core.play import deal
from sevenhues.core.position import Position

LONGEST = 1000  # ticks, or moves, after which a game that its rules do not bound is cut off
FEW = 30  # actions that are marked faster one by one than by NumPy
WAIT = "wait"  # the text of the action that makes no move

Numbers = NDArray[Any]
Mask = NDArray[np.int8]


class Variant:
    """A game, for so many seats, with such options."""

    def __init__(self, game: str | Game[Any], seats: int | None = None, options: Mapping[str, object] | None = None):
        self.game: Game[Any] = registry.load(game) if isinstance(game, str) else game
        self.options = resolve_options(self.game, options or {})
        default = min(max(self.game.min_seats, 2), self.game.max_seats)
        self.seats = check_seats(self.game, default if seats is None else seats)
        self.move_count = self.game.move_count(self.seats, self.options)
        self.wait = self.move_count if self.game.simultaneous else -1  # a number no move has
        self.action_count = self.move_count + self.game.simultaneous
        self.layout = self.game.observation_encoder().layout(self.seats, self.options)
        self.highs = np.maximum(spread(self.layout), 1)  # a space wants room above 0
        self.dtype = np.dtype(np.uint8 if self.highs.max() < 256 else np.int32)
        self.max_plies = self.game.max_plies(self.seats, self.options)

    def __deepcopy__(self, memo: object) -> "Variant":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Variant, (self.game.id, self.seats, self.options)

    def longest(self, given: int | None = None) -> int:
        """Return after how many moves, or ticks, a game is cut off."""
        bound = None if self.game.simultaneous else self.max_plies
        return given or bound or LONGEST

    def deal(self, seed: str) -> Position:
        """Deal from the bytes of a text, as the command line does."""
        position: Position = deal(self.game, seed.encode(), self.seats, self.options)
        return position

    def numbers(self, position: Position, seat: int) -> Numbers:
        """Return the features of a seat as an array of its own."""
        features = self.game.observation_encoder().encode(position, seat)
        if self.dtype == np.uint8:
            return np.frombuffer(bytearray(features), np.uint8)
        return np.array(features, self.dtype)

    def actions(self, position: Position, seat: int) -> list[int]:
        """List what a seat may do, ascending; waiting is last."""
        moves = position.legal(seat)
        if self.wait >= 0 and moves:
            moves.append(self.wait)
        return moves

    def mask(self, actions: list[int]) -> Mask:
        """Return 1 for each of these actions and 0 for all others."""
        if len(actions) > FEW:
            mask = np.zeros(self.action_count, np.int8)
            mask[np.array(actions)] = 1
            return mask
        flags = bytearray(self.action_count)
        for action in actions:
            flags[action] = 1
        return np.frombuffer(flags, np.int8)

    def action_text(self, position: Position, seat: int, action: int) -> str:
        return WAIT if action == self.wait else self.game.text(position, seat, action)

    def rewards(self, position: Position) -> list[float]:
        """Return what each seat has gained: winners share 1, the others share -1, and nothing without either.

        Who plays alone wins 1 or loses 1. A game that goes on, or was cut off, has gained nobody anything.
        """
        outcome = position.outcome()
        if outcome is None:
            return [0.0] * self.seats
        winners = set(outcome.winners)
        if self.seats == 1:
            return [1.0 if winners else -1.0]
        if not 0 < len(winners) < self.seats:
            return [0.0] * self.seats
        loss = -1.0 / (self.seats - len(winners))
        return [1.0 / len(winners) if seat in winners else loss for seat in range(self.seats)]

    def ending(self, position: Position) -> list[dict[str, Any]]:
        """Tell each seat how the game ended."""
        outcome = position.outcome()
        if outcome is None:
            return [{"reason": "truncated"} for _ in range(self.seats)]
        scores = position.scores()
        return [
            {"reason": outcome.reason, "place": outcome.places[seat], "score": scores[seat]}
            for seat in range(self.seats)
        ]


def spread(layout: tuple[Feature, ...]) -> list[int]:
    """List the highest value of each number of a layout."""
    return [feature.high for feature in layout for _ in range(feature.size)]
