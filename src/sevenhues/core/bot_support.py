"""Bots, and what a game offers them: levels, heuristics, reaction times, batches, beliefs and race reports."""

from abc import ABC, abstractmethod
from math import exp
from typing import Any, ClassVar, Final, Generic

from mypy_extensions import mypyc_attr

from sevenhues.core.copying import Copyable
from sevenhues.core.errors import BadOption
from sevenhues.core.native_classes import NativeBase
from sevenhues.core.options import Options
from sevenhues.core.position import P, Position, outcome_values
from sevenhues.core.report_types import Beliefs, RaceReport
from sevenhues.core.rng import Rng

NETWORK_FILE: Final = "net.npz"  # the network that plays a game, beside the game's code


@mypyc_attr(allow_interpreted_subclasses=True)
class Bot(Copyable, ABC):
    """A player that is a program."""

    plays_at_random: ClassVar[bool] = False  # all legal moves are equally likely: it need not be asked

    @abstractmethod
    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        """Return a legal move. `position` is resampled: it fits what the seat has seen, and is not the true one."""

    def begin_game(self, seat: int) -> None:
        """Prepare for a new game at `seat`. A bot that plays several games forgets the last one here."""
        return

    def observe_move(self, seat: int, move: int) -> None:
        """Observe a move that `seat` made. Every bot of a game observes every move."""
        return


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristics(Copyable, Generic[P]):
    """What a search knows about a game beyond its rules.

    The defaults suit any game, so that every game can be searched; a game overrides them with better ones. Values run
    from 0, lost, to 1, won.
    """

    max_playout: int = 400  # decisions after which a playout stops and is evaluated as it is

    def resample(self, position: P, seat: int, rng: Rng) -> Position:
        """Return a position that fits what a seat remembers, which may be less than it has seen."""
        return position.resample(seat, rng)

    def weights(self, position: P, seat: int, moves: list[int]) -> list[float]:
        """Return how promising each move looks, all above 0; an empty list if all look alike."""
        return []

    def policy(self, position: P, seat: int, rng: Rng) -> int:
        """Choose a move fast, from what the seat knows: how playouts are played."""
        return position.pick(seat, rng)

    def playout(self, position: P, rng: Rng) -> list[float]:
        """Play on, in place, as far as it is informative, and evaluate the result for every seat."""
        for _ in range(self.max_playout):
            seat = position.pick_seat(rng)
            if seat < 0:
                break
            position.play(seat, self.policy(position, seat, rng))
        return self.values(position)

    def values(self, position: P) -> list[float]:
        """Estimate every seat's chance to win; by default from the scores, where more is better."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome_values(outcome)
        scores = position.scores()
        low = min(scores)
        total = sum(scores) - low * len(scores) + len(scores) + 1
        return [(score - low + 1) / total for score in scores]

    def evaluate_moves(
        self, position: P, seat: int, moves: list[int], sees_hidden: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        """Evaluate every move by a method of this game's own, or return an empty list to have it searched.

        `position` fits what the seat has seen. With `sees_hidden` it is taken for the true position, otherwise it is
        resampled first. The method stops after `limit` simulations or when `perf_counter()` passes `until`.
        """
        return []

    def observation_key(self, position: P, seat: int) -> int:
        """Number what the last move showed a seat beyond the move itself, from 0; 0 if nothing."""
        return 0


def reaction(least: float, median: float, spread: float, rng: Rng) -> float:
    """Draw a reaction time in seconds from a shifted log-normal distribution, as people's are distributed."""
    return least + (median - least) * exp(spread * rng.normal())


@mypyc_attr(allow_interpreted_subclasses=True)
class ReactionModel(Copyable, Generic[P]):
    """How long a bot takes for a move in a race, and which mistakes it makes.

    The defaults suit any game: all moves take equally long, and there are no mistakes.
    """

    def delay(self, position: P, seat: int, move: int, rng: Rng) -> float:
        """Draw the seconds from seeing this position until the move is made; never fewer than a person needs."""
        return reaction(0.35, 0.7, 0.3, rng)

    def mistake(self, position: P, seat: int, move: int, rng: Rng) -> int:
        """Return the move that is made when `move` was meant: now and then another one, which may be illegal."""
        return move


class Level(Copyable):
    """A bot that a game offers by name: a search method, its heuristics and a limit on simulations per move.

    `search` is a method that sevenhues.bots knows; methods with a network use the game's own (NETWORK_FILE). With
    `max_simulations` 0 only the budget limits the search. The reaction model matters in simultaneous games. Where no
    time may be measured, as in offline play, the budget is `fixed_simulations`, or a default if that is 0.
    """

    def __init__(
        self,
        name: str,
        about: str,
        search: str,
        heuristics: Heuristics[Any],
        max_simulations: int = 0,
        reactions: ReactionModel[Any] | None = None,
        fixed_simulations: int = 0,
    ) -> None:
        self.name = name
        self.about = about  # a line for a person choosing an opponent
        self.search = search
        self.heuristics = heuristics
        self.max_simulations = max_simulations
        self.reactions = reactions or ReactionModel()
        self.fixed_simulations = fixed_simulations


@mypyc_attr(allow_interpreted_subclasses=True)
class BotSupport(NativeBase, Generic[P]):
    """What a game offers bots, learners and analysis. Everything is optional."""

    def heuristics(self) -> Heuristics[P]:
        """Return what this game knows about searching it."""
        return Heuristics()

    def levels(self) -> list[Level]:
        """Return the bots that this game offers by name, the weakest first; people choose them by these names."""
        return []

    def benchmark_levels(self) -> list[Level]:
        """Return bots that others are measured against and that are not offered to people."""
        return []

    def potential(self, position: P, seat: int) -> float:
        """Estimate from what a seat may see how near it is to winning, from -1 to 1; by default always 0.

        The shaped rewards of learners are its differences, so it need not be exact.
        """
        return 0.0

    def batch(self, seats: int, options: Options) -> Any:
        """Return the game as a `batch.contract.BatchGame`. It needs JAX, which must be imported here, not before."""
        raise BadOption("this game has no batched version")

    def beliefs(self, position: P, seat: int) -> Beliefs | None:
        """Return the exact odds of what is hidden from a seat (or WATCHER) with perfect memory; None if unknown."""
        return None

    def race_report(self, position: P, moves: list[tuple[int, int, int]]) -> RaceReport | None:
        """Report on a race from its moves, each a seat, a move and a time in ms; None if the game has no report.

        `position` is the starting position; it is played on in place.
        """
        return None
