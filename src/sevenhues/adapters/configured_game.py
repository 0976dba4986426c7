"""A game with fixed seats and options, as all adapters use it: observations, masks, rewards and lengths."""

from collections.abc import Mapping
from operator import index
from typing import Any, Final, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from sevenhues.adapters.rewards import SHAPED, WIN, check_kind, final_rewards, potential
from sevenhues.core import registry
from sevenhues.core.encoder import Feature
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, check_seats, default_seats, resolve_options
from sevenhues.core.position import Position
from sevenhues.core.record import Record, from_moves
from sevenhues.core.rng import Rng

DEFAULT_MAX_LENGTH: Final = 1000  # moves, or joint steps, after which a game without a bound is truncated
BYTE: Final = np.dtype(np.uint8)
FLAG: Final = np.dtype(np.int8)  # of masks
WAIT: Final = "wait"  # the text of the action that makes no move

Numbers = NDArray[Any]
Mask = NDArray[np.int8]


class ConfiguredGame:
    """A game with a number of seats and values for its options."""

    def __init__(
        self,
        game: str | Game[Any],
        seats: SupportsIndex | None = None,
        options: Mapping[str, object] | None = None,
        reward: str = WIN,
    ) -> None:
        self.game: Game[Any] = registry.load(game) if isinstance(game, str) else game
        self.options = resolve_options(self.game, options or {})
        self.seats = check_seats(self.game, default_seats(self.game) if seats is None else whole_number("seats", seats))
        self.reward = check_kind(reward)
        self.move_count = self.game.move_count(self.seats, self.options)
        self.wait = self.move_count if self.game.simultaneous else -1  # not the number of any move
        self.action_count = self.move_count + self.game.simultaneous
        encoder = self.game.observation_encoder()
        self.layout = encoder.layout(self.seats, self.options)
        self.encode = encoder.encode
        self.encode_bytes = encoder.encode_bytes
        self.highs = np.maximum(highest_values(self.layout), 1)  # a space needs a maximum above 0
        self.size = len(self.highs)  # of an observation
        self.in_bytes = bool(self.highs.max() < 256)
        self.dtype: np.dtype[Any] = BYTE if self.in_bytes else np.dtype(np.int32)
        self.max_plies = self.game.max_plies(self.seats, self.options)

    def __deepcopy__(self, memo: object) -> "ConfiguredGame":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        registered = self.game.id in registry.names() and registry.load(self.game.id) is self.game
        return ConfiguredGame, (self.game.id if registered else self.game, self.seats, self.options, self.reward)

    def max_length(self, requested: SupportsIndex | None = None) -> int:
        """Return the number of moves, or joint steps, after which a game is truncated."""
        if requested is None:
            bound = None if self.game.simultaneous else self.max_plies
            return bound or DEFAULT_MAX_LENGTH
        length = whole_number("max_length", requested)
        if length < 1:
            raise BadOption(f"max_length must be at least 1, not {length}")
        return length

    def deal(self, rng: Rng) -> Position:
        """Deal a game."""
        position: Position = self.game.quick_start(self.seats, self.options, rng)
        return position

    def observation(self, position: Position, seat: int) -> Numbers:
        """Return the observation of a seat as a new array."""
        if self.in_bytes:
            return np.frombuffer(self.encode_bytes(position, seat, self.size), BYTE)
        return np.array(self.encode(position, seat), self.dtype)

    def actions(self, position: Position, seat: int) -> list[int]:
        """Return the legal actions of a seat, ascending; waiting is the last."""
        moves = position.legal(seat)
        if self.wait >= 0 and moves:
            moves.append(self.wait)
        return moves

    def legal_mask(self, position: Position, seat: int) -> Mask:
        """Return the mask of the legal actions of a seat."""
        mask = np.frombuffer(position.legal_flags(seat, self.action_count), FLAG)
        if self.wait >= 0:
            mask[self.wait] = mask.any()
        return mask

    def action_text(self, position: Position, seat: int, action: int) -> str:
        """Return an action in notation."""
        return WAIT if action == self.wait else self.game.text(position, seat, action)

    def rewards(self, position: Position) -> list[float]:
        """Return every seat's reward for the end of a game; 0 while it goes on."""
        return final_rewards(self.game, position, self.reward)

    def potentials(self, position: Position) -> list[float]:
        """Return every seat's potential, of which shaped rewards are the differences; an empty list for others."""
        if self.reward != SHAPED:
            return []
        return [potential(self.game, position, seat) for seat in range(self.seats)]

    def infos(self, position: Position, ended: bool) -> list[dict[str, Any]]:
        """Return the reason of the end, and each seat's place and score; empty or 0 until the end.

        The keys are the same at all times, as learners expect. A truncated game has no places.
        """
        if not ended:
            return [{"reason": "", "place": 0, "score": 0} for _ in range(self.seats)]
        outcome = position.outcome()
        scores = position.scores()
        reason = "truncated" if outcome is None else outcome.reason
        places = [0] * self.seats if outcome is None else outcome.places
        return [{"reason": reason, "place": places[seat], "score": scores[seat]} for seat in range(self.seats)]

    def record(self, position: Position, moves: list[tuple[int, int]], ended: bool) -> Record:
        """Return the record of a game. A truncated game is recorded as abandoned, so that servers accept it."""
        return from_moves(self.game, position, self.options, moves, ended)


def whole_number(name: str, value: SupportsIndex) -> int:
    """Return an argument as an integer, which may be NumPy's; raise BadOption if it is none."""
    try:
        return index(value)
    except TypeError:
        raise BadOption(f"{name} must be a whole number, not {value!r}") from None


def highest_values(layout: tuple[Feature, ...]) -> list[int]:
    """Return the highest value of each number of a layout."""
    return [feature.high for feature in layout for _ in range(feature.size)]
