"""The base of all searching bots: heuristics, a budget, and the moves scored in the last decision."""

from abc import abstractmethod
from time import perf_counter
from typing import Any, Final

from mypy_extensions import mypyc_attr

from sevenhues.bots.budget import UNLIMITED, Budget
from sevenhues.core.bot_support import Bot, Heuristics
from sevenhues.core.copying import Copyable
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

UNEVALUATED: Final = -1.0  # the value of a move that was not evaluated


class ScoredMove(Copyable):
    """A move with its value for the seat, and the number of tries that the value rests on."""

    def __init__(self, move: int, value: float, tries: int) -> None:
        self.move = move
        self.value = value
        self.tries = tries


def rank_moves(scored: list[ScoredMove]) -> list[ScoredMove]:
    """Sort moves, the best first: by tries, then by value."""
    return sorted(scored, key=lambda one: (-one.tries, -one.value, one.move))


@mypyc_attr(allow_interpreted_subclasses=True)
class Searcher(Bot):
    """A bot that tries moves in sampled positions, which fit what its seat remembers.

    With `sees_hidden` it searches the position that it is given, as if it were the true one.
    """

    def __init__(
        self, heuristics: Heuristics[Any], budget: Budget, max_simulations: int = 0, sees_hidden: bool = False
    ) -> None:
        self.heuristics = heuristics
        self.budget = budget
        self.simulation_limit = min(budget.simulations or UNLIMITED, max_simulations or UNLIMITED)
        self.sees_hidden = sees_hidden
        self.simulations = 0  # since the bot was made
        self.scored_moves: list[ScoredMove] = []  # of the last decision, the best first

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        moves = position.legal(seat)
        if len(moves) == 1:
            self.scored_moves = [ScoredMove(moves[0], UNEVALUATED, 0)]
            return moves[0]
        return self.evaluate(position, seat, moves, rng)[0].move

    def evaluate(self, position: Position, seat: int, moves: list[int], rng: Rng) -> "list[ScoredMove]":
        """Score moves, the best first: by the game's own evaluation if it has one, otherwise by searching."""
        until = self.deadline(perf_counter())
        values = self.heuristics.evaluate_moves(
            position, seat, moves, self.sees_hidden, self.simulation_limit, until, rng
        )
        if values:
            self.scored_moves = rank_moves([ScoredMove(moves[i], values[i], 1) for i in range(len(moves))])
        else:
            self.scored_moves = rank_moves(self.search(position, seat, moves, rng))
        return self.scored_moves

    @abstractmethod
    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> "list[ScoredMove]":
        """Score two or more moves."""

    def sample(self, position: Position, seat: int, rng: Rng) -> Position:
        """Return a position to try moves in."""
        return position.copy() if self.sees_hidden else self.heuristics.resample(position, seat, rng)

    def values(self, positions: list[Position], rng: Rng) -> list[list[float]]:
        """Estimate every seat's value of each position. The positions may be played on in place."""
        return [self.heuristics.playout(position, rng) for position in positions]

    def deadline(self, start: float, part: float = 1.0) -> float:
        """Return the time at which a part of the budget is used up; infinity if the budget is not a time."""
        return start + self.budget.seconds * part if self.budget.seconds > 0 else float("inf")


class SearchTimer:
    """Ends a search at a number of simulations or at a time, whichever comes first."""

    def __init__(self, simulation_limit: int, deadline: float) -> None:
        self.simulation_limit = simulation_limit
        self.deadline = deadline
        self.simulations = 0

    def has_budget(self) -> bool:
        """Return whether another simulation fits. The first one always does."""
        return self.simulations == 0 or (self.simulations < self.simulation_limit and perf_counter() < self.deadline)
