"""What all searching bots share: a guide, a budget, and a count of what they tried."""

from abc import abstractmethod
from time import perf_counter
from typing import Any, Final

from mypy_extensions import mypyc_attr

from sevenhues.bots.budget import UNLIMITED, Think
from sevenhues.core.bot_support import Bot, Heuristics
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

UNKNOWN: Final = -1.0  # the value of a move that nobody looked at


class Judged:
    """What a search makes of a move: its value for the seat, and how many tries that rests on."""

    def __init__(self, move: int, value: float, tries: int) -> None:
        self.move = move
        self.value = value
        self.tries = tries


def ranked(judged: list[Judged]) -> list[Judged]:
    """Put the best first: the most tried, and of equally tried ones the one of most value."""
    return sorted(judged, key=lambda one: (-one.tries, -one.value, one.move))


@mypyc_attr(allow_interpreted_subclasses=True)
class Searcher(Bot):
    """A bot that tries moves out in positions that fit what its seat remembers."""

    def __init__(self, guide: Heuristics[Any], think: Think, most: int = 0, peeks: bool = False) -> None:
        self.guide = guide
        self.think = think
        self.limit = min(think.simulations or UNLIMITED, most or UNLIMITED)
        self.peeks = peeks  # takes the position it is shown for the truth
        self.simulations = 0  # in all its life
        self.judged: list[Judged] = []  # the moves of the last decision, the best first

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        moves = position.legal(seat)
        if len(moves) == 1:
            self.judged = [Judged(moves[0], UNKNOWN, 0)]
            return moves[0]
        return self.judge(position, seat, moves, rng)[0].move

    def judge(self, position: Position, seat: int, moves: list[int], rng: Rng) -> "list[Judged]":
        """Value moves, the best first: by the game's own plan where it has one, else by searching."""
        until = self.deadline(perf_counter())
        planned = self.guide.evaluate_moves(position, seat, moves, self.peeks, self.limit, until, rng)
        if planned:
            self.judged = ranked([Judged(moves[i], planned[i], 1) for i in range(len(moves))])
        else:
            self.judged = ranked(self.search(position, seat, moves, rng))
        return self.judged

    @abstractmethod
    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> "list[Judged]":
        """Value each of several moves."""

    def imagine(self, position: Position, seat: int, rng: Rng) -> Position:
        """Return a position to try moves in."""
        return position.copy() if self.peeks else self.guide.resample(position, seat, rng)

    def values(self, positions: list[Position], rng: Rng) -> list[list[float]]:
        """Estimate what positions come to for every seat; they may be played on."""
        return [self.guide.playout(position, rng) for position in positions]

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
