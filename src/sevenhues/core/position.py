"""A position: the complete state of a game at one moment, and how a game ends."""

from abc import ABC, abstractmethod
from typing import Final, TypeVar

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from sevenhues.core.arrays import as_array
from sevenhues.core.copying import Copyable
from sevenhues.core.rng import Rng

WATCHER: Final = -1  # the seat number of a spectator: valid in view, encode and resample
NOBODY: Final = -1  # what pick_seat returns when the game is over


class Outcome(Copyable):
    """The end of a game: the reason, the winners, and the place of every seat (1 is best, ties share a place)."""

    def __init__(self, reason: str, winners: list[int], places: list[int]) -> None:
        self.reason = reason
        self.winners = winners
        self.places = places

    def __repr__(self) -> str:
        return f"Outcome({self.reason!r}, winners={self.winners}, places={self.places})"


def rank(strengths: list[int]) -> list[int]:
    """Return the place of each seat: 1 plus the number of stronger seats."""
    places: list[int] = []
    for strength in strengths:
        place: i64 = 1
        for other in strengths:
            if other > strength:
                place += 1
        places.append(place)
    return places


def outcome_values(outcome: Outcome) -> list[float]:
    """Return the value of a finished game for every seat: the winners share 1, or all seats do if nobody won.

    A solo game that is not won is worth 0.
    """
    seats = len(outcome.places)
    if outcome.winners:
        return [1.0 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(seats)]
    return [1.0 / seats if seats > 1 else 0.0] * seats


def win_payoffs(outcome: Outcome) -> list[float]:
    """Return the payoff of a finished game for every seat: winners share 1, the others share -1.

    All get 0 if everybody or nobody has won. In a game for one the payoff is 1 or -1.
    """
    seats = len(outcome.places)
    winners = outcome.winners
    if seats == 1:
        return [1.0 if winners else -1.0]
    if not 0 < len(winners) < seats:
        return [0.0] * seats
    loss = -1.0 / (seats - len(winners))
    return [1.0 / len(winners) if seat in winners else loss for seat in range(seats)]


def score_payoffs(scores: list[int]) -> list[float]:
    """Return by how much each score is above the mean of the others. The sum is 0."""
    total = sum(scores)
    others = len(scores) - 1
    return [score - (total - score) / others for score in scores]


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class Position(Copyable, ABC):
    """The complete state of a game at one moment. Mutable; no randomness, no clock, no input or output.

    A position also keeps what each seat has seen so far, because `resample` must respect it.
    """

    seats: int

    @abstractmethod
    def to_act(self) -> list[int]:
        """Return every seat that may move now, ascending; empty when the game is over."""

    @abstractmethod
    def legal(self, seat: int) -> list[int]:
        """Return the legal moves of a seat, ascending; empty if it may not act."""

    @abstractmethod
    def play(self, seat: int, move: int) -> None:
        """Play a move that is known to be legal, in place."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Return the score of every seat, as the rules of the game define it."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it is being played."""

    @abstractmethod
    def copy(self) -> "Position":
        """Return an equal position that shares no mutable state."""

    def __copy__(self) -> "Position":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> "Position":
        return self.copy()

    @abstractmethod
    def resample(self, seat: int, rng: Rng) -> "Position":
        """Return a random position that `seat` cannot tell from this one.

        It depends on what the seat has seen and on `rng` alone, never on hidden information.
        """

    @abstractmethod
    def key(self) -> tuple[int, ...]:
        """Identify the position: equal keys, equal futures. The last move is not part of it."""

    @abstractmethod
    def all_pieces(self) -> list[int]:
        """Return every piece of the game as a number, wherever it is; the same multiset at all times."""

    def legal_array(self, seat: int) -> vec[i64]:
        """Return the legal moves as an array. Override it where the list need not be built."""
        return as_array(self.legal(seat))

    def mark_legal(self, seat: int, flags: vec[u8], start: i64) -> int:
        """Set the flag of each legal move, from `start` on; return their number. A game may override it, too."""
        moves = self.legal_array(seat)
        i: i64 = 0
        while i < len(moves):
            flags[start + moves[i]] = 1
            i += 1
        return i

    def legal_flags(self, seat: int, size: i64) -> bytearray:
        """Return `size` bytes: 1 for each legal move and 0 for all others."""
        flags: vec[u8] = vec[u8]([0] * size)
        self.mark_legal(seat, flags, 0)
        return bytearray(flags)

    def pick(self, seat: int, rng: Rng) -> int:
        """Return a uniformly random legal move. Override it where the list need not be built."""
        moves = self.legal(seat)
        return moves[rng.below(len(moves))]

    def pick_seat(self, rng: Rng) -> int:
        """Return a random seat of `to_act`, or NOBODY when the game is over. Override it likewise."""
        seats = self.to_act()
        if not seats:
            return NOBODY
        return seats[rng.below(len(seats))]


P = TypeVar("P", bound=Position)
