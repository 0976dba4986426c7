"""Evaluates decisions by a game's best level, from what the deciding seat knows."""

from typing import Any, Final, NamedTuple

from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import find, make_evaluator
from sevenhues.bots.search import Searcher
from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.game import Game
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

DEFAULT_SIMULATIONS: Final = 1000  # per decision, for a level without a limit of its own
LEVEL_LIMIT_FACTOR: Final = 2  # an analysis uses this many times the level's limit on simulations
NO_DEADLINE: Final = float("inf")
BATCH_SIZE: Final = 64  # sampled positions that are evaluated together
SHARE_SAMPLES: Final = 16  # sampled positions that decide how the other seats share the rest of the chances


class Evaluation(NamedTuple):
    """The values of a decision for its seat: with the best move, and with the move that was made."""

    seat: int
    best_move: int
    best_value: float
    made_value: float
    shares: list[float]  # of the other seats in the rest of the chances, by seat


class Evaluator:
    """Evaluates decisions with a fixed number of simulations, so that a seed gives the same result on every machine."""

    def __init__(self, game: Game[Any], simulations: int = 0) -> None:
        own = game.bot_support().levels()
        self.game = game
        self.level = own[-1].name if own else "ismcts"
        level_limit = self._new_level().max_simulations
        self.simulations = simulations or LEVEL_LIMIT_FACTOR * (level_limit or DEFAULT_SIMULATIONS)

    def evaluate(self, true_position: Position, seat: int, made: int | None, rng: Rng) -> Evaluation:
        """Evaluate a decision of a seat. If no move was made, both values are that of the best move."""
        position = true_position.resample(seat, rng)
        moves = position.legal(seat)
        level = self._new_level()
        scores = level.heuristics.evaluate_moves(position, seat, moves, False, self.simulations, NO_DEADLINE, rng)
        if scores:
            values = dict(zip(moves, scores, strict=True))
            best = max(moves, key=lambda move: values[move])
            return self._from_heuristics(position, seat, best, best if made is None else made, values, rng)
        bot = make_evaluator(self.game, level, Budget(simulations=self.simulations), 0)
        best = bot.evaluate(position, seat, moves, rng)[0].move
        return self._from_search(bot, position, seat, best, best if made is None else made, rng)

    def _new_level(self) -> Level:
        """Return a new instance of the level, because heuristics may keep state from earlier decisions."""
        return find(self.game, self.level)

    def _from_heuristics(
        self, position: Position, seat: int, best: int, made: int, values: dict[int, float], rng: Rng
    ) -> Evaluation:
        """Use the values of the game's own evaluation; if it skipped moves, evaluate both moves separately."""
        best_value, made_value = values[best], values[made]
        if len(values) > 1 and min(values.values()) <= 0.0:
            seed = int(rng.next())
            best_value = self._single_move_value(position, seat, best, best_value, seed)
            if made != best:
                made_value = self._single_move_value(position, seat, made, made_value, seed)
        if made == best:
            made_value = best_value
        shares = _evaluate_shares(self._new_level().heuristics, position, seat, rng)
        return _evaluation(seat, best, made, best_value, made_value, shares)

    def _single_move_value(self, position: Position, seat: int, move: int, default: float, seed: int) -> float:
        """Evaluate a move by itself, because the highest of many estimates is biased upwards."""
        scores = self._new_level().heuristics.evaluate_moves(
            position, seat, [move], False, self.simulations, NO_DEADLINE, Rng(seed)
        )
        return scores[0] if scores else default

    def _from_search(self, bot: Searcher, position: Position, seat: int, best: int, made: int, rng: Rng) -> Evaluation:
        """Evaluate the best move and the move made again, in the same sampled positions.

        The search's own value of the best move is not used: the highest of many estimates is biased upwards.
        """
        samples = max(1, self.simulations // 2)
        moves = [best] if best == made else [best, made]
        totals = [[0.0] * position.seats for _ in moves]
        for start in range(0, samples, BATCH_SIZE):
            results: list[Position] = []
            for _ in range(min(BATCH_SIZE, samples - start)):
                sampled = bot.sample(position, seat, rng)
                for move in moves:
                    results.append(sampled.copy())
                    results[-1].play(seat, move)
            for at, values in enumerate(bot.values(results, rng)):
                for other, value in enumerate(values):
                    totals[at % len(moves)][other] += value / samples
        rest = [0.0 if other == seat else value for other, value in enumerate(totals[0])]
        return _evaluation(seat, best, made, totals[0][seat], totals[-1][seat], _normalise(rest, seat))


def _evaluation(
    seat: int, best: int, made: int, best_value: float, made_value: float, shares: list[float]
) -> Evaluation:
    best_value, made_value = min(1.0, max(0.0, best_value)), min(1.0, max(0.0, made_value))
    if made_value >= best_value:
        best, best_value = made, made_value
    return Evaluation(seat, best, best_value, made_value, shares)


def _evaluate_shares(heuristics: Heuristics[Any], position: Position, seat: int, rng: Rng) -> list[float]:
    """Return how the other seats share the rest of a seat's chance, by the game's evaluation."""
    totals = [0.0] * position.seats
    if position.seats > 2:
        for _ in range(SHARE_SAMPLES):
            for other, value in enumerate(heuristics.values(heuristics.resample(position, seat, rng))):
                totals[other] += 0.0 if other == seat else value
    return _normalise(totals, seat)


def _normalise(values: list[float], seat: int) -> list[float]:
    """Scale values to a sum of 1; if all are 0, divide equally among the seats other than `seat`."""
    whole = sum(values)
    if whole <= 0.0:
        return [0.0 if other == seat else 1.0 / (len(values) - 1) for other in range(len(values))]
    return [value / whole for value in values]
