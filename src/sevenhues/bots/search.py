"""What all searching bots share: a guide, a budget, and a count of what they tried."""

from abc import abstractmethod
from time import perf_counter

from mypy_extensions import mypyc_attr

from sevenhues.bots.think import UNLIMITED, Think
from sevenhues.core.game import Bot, Guide, Position
from sevenhues.core.rng import Rng


@mypyc_attr(allow_interpreted_subclasses=True)
class Searcher(Bot):
    """A bot that tries moves out in positions that fit what its seat remembers."""

    def __init__(self, guide: Guide, think: Think, most: int = 0, peeks: bool = False) -> None:
        self.guide = guide
        self.think = think
        self.limit = min(think.simulations or UNLIMITED, most or UNLIMITED)
        self.peeks = peeks  # takes the position it is shown for the truth
        self.simulations = 0  # in all its life
        self.estimate = 0.0  # the value of the last move chosen, for its seat

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        moves = position.legal(seat)
        if len(moves) == 1:
            return moves[0]
        return self.search(position, seat, moves, rng)

    @abstractmethod
    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> int:
        """Choose among several moves."""

    def imagine(self, position: Position, seat: int, rng: Rng) -> Position:
        """Return a position to try moves in."""
        return position.copy() if self.peeks else self.guide.resample(position, seat, rng)

    def deadline(self, start: float, part: float = 1.0) -> float:
        """Tell when a part of the time is over."""
        return start + self.think.seconds * part if self.think.seconds > 0 else float("inf")


class Clock:
    """Tells a search when to stop: at a number of simulations or at a time, whichever comes first."""

    def __init__(self, limit: int, until: float) -> None:
        self.limit = limit
        self.until = until
        self.done = 0

    def goes_on(self) -> bool:
        """Tell whether another simulation fits; the first always does."""
        return self.done == 0 or (self.done < self.limit and perf_counter() < self.until)
