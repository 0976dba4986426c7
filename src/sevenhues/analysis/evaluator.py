"""Weighs decisions as a game's best level sees them, from no more than the deciding seat knows."""

from typing import Any, Final, NamedTuple

from sevenhues.bots.budget import Think
from sevenhues.bots.levels import find, weighing
from sevenhues.bots.search import Searcher
from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.game import Game
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

SIMULATIONS: Final = 1000  # a decision, for a level that knows no limit
MORE: Final = 2  # times as many as in play: nobody waits
ENDLESS: Final = float("inf")  # no time limit
AT_ONCE: Final = 64  # imagined positions whose values are asked for together
GLANCES: Final = 16  # imagined positions that tell how several others share what one does not win


class Verdict(NamedTuple):
    """What a decision comes to for the seat: its chance with the best move and with the one that was made."""

    seat: int
    best: int
    most: float
    mine: float
    shares: list[float]  # how the others share the rest, by seat


class Judge:
    """Searches a budget of simulations a decision, so that a seed gives the same verdicts on every machine."""

    def __init__(self, game: Game[Any], simulations: int = 0) -> None:
        own = game.bot_support().levels()
        self.game = game
        self.level = own[-1].name if own else "ismcts"
        self.simulations = simulations or MORE * (self._fresh().max_simulations or SIMULATIONS)

    def weigh(self, truth: Position, seat: int, made: int | None, rng: Rng) -> Verdict:
        """Judge the moves of a seat; with no move made, only what the best is worth."""
        position = truth.resample(seat, rng)
        moves = position.legal(seat)
        level = self._fresh()
        planned = level.heuristics.evaluate_moves(position, seat, moves, False, self.simulations, ENDLESS, rng)
        if planned:
            values = dict(zip(moves, planned, strict=True))
            best = max(moves, key=lambda move: values[move])
            return self._planned(position, seat, best, best if made is None else made, values, rng)
        bot = weighing(self.game, level, Think(simulations=self.simulations), 0)
        best = bot.judge(position, seat, moves, rng)[0].move
        return self._tried(bot, position, seat, best, best if made is None else made, rng)

    def _fresh(self) -> Level:
        """Return the level anew: what a guide remembers of a turn must not depend on what was asked before."""
        return find(self.game, self.level)

    def _planned(
        self, position: Position, seat: int, best: int, made: int, values: dict[int, float], rng: Rng
    ) -> Verdict:
        """Take a plan's values; one that does not value every move is asked for both moves, each alone."""
        most, mine = values[best], values[made]
        if len(values) > 1 and min(values.values()) <= 0.0:
            seed = int(rng.next())
            most = self._alone(position, seat, best, most, seed)
            mine = most if made == best else self._alone(position, seat, made, mine, seed)
        shares = _shares(self._fresh().heuristics, position, seat, rng)
        return _verdict(seat, best, made, most, mine, shares)

    def _alone(self, position: Position, seat: int, move: int, otherwise: float, seed: int) -> float:
        """Value a move as if it were the only one: the best of many is judged too kindly."""
        plan = self._fresh().heuristics.evaluate_moves(
            position, seat, [move], False, self.simulations, ENDLESS, Rng(seed)
        )
        return plan[0] if plan else otherwise

    def _tried(self, bot: Searcher, position: Position, seat: int, best: int, made: int, rng: Rng) -> Verdict:
        """Try the best move and the one made out anew, in equal luck: the best of many is judged too kindly."""
        tries = max(1, self.simulations // 2)
        moves = [best] if best == made else [best, made]
        totals = [[0.0] * position.seats for _ in moves]
        for start in range(0, tries, AT_ONCE):
            tried: list[Position] = []
            for _ in range(min(AT_ONCE, tries - start)):
                imagined = bot.imagine(position, seat, rng)
                for move in moves:
                    tried.append(imagined.copy())
                    tried[-1].play(seat, move)
            for at, values in enumerate(bot.values(tried, rng)):
                for one, value in enumerate(values):
                    totals[at % len(moves)][one] += value / tries
        rest = [0.0 if one == seat else value for one, value in enumerate(totals[0])]
        return _verdict(seat, best, made, totals[0][seat], totals[-1][seat], _normal(rest, seat))


def _verdict(seat: int, best: int, made: int, most: float, mine: float, shares: list[float]) -> Verdict:
    most, mine = min(1.0, max(0.0, most)), min(1.0, max(0.0, mine))
    if mine >= most:
        best, most = made, mine
    return Verdict(seat, best, most, mine, shares)


def _shares(guide: Heuristics[Any], position: Position, seat: int, rng: Rng) -> list[float]:
    """Tell how the others share what a seat does not win, by the game's evaluation."""
    totals = [0.0] * position.seats
    if position.seats > 2:
        for _ in range(GLANCES):
            for one, value in enumerate(guide.values(guide.resample(position, seat, rng))):
                totals[one] += 0.0 if one == seat else value
    return _normal(totals, seat)


def _normal(values: list[float], seat: int) -> list[float]:
    whole = sum(values)
    if whole <= 0.0:
        return [0.0 if one == seat else 1.0 / (len(values) - 1) for one in range(len(values))]
    return [value / whole for value in values]
