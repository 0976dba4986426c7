"""Analyses a record: chances ply by ply, divided into choice and luck so that all parts add up.

For every seat, the chance at the start, its own choices (0 or less), the choices of the others, luck, and the effect
of events outside the rules (such as a resignation) add up to the result. See docs/analysis.md.
"""

from collections.abc import Callable, Generator
from itertools import pairwise
from typing import Any, Final

from sevenhues.analysis import turn_bias
from sevenhues.analysis.evaluator import Evaluation, Evaluator
from sevenhues.analysis.turn_bias import TurnChange
from sevenhues.core.moves import parse
from sevenhues.core.position import Position, outcome_values
from sevenhues.core.record import Record, replay, result_of
from sevenhues.core.rng import Rng

VERSION: Final = 2  # of the contents of a report and the way it is computed
MIN_TURNING_CHANGE: Final = 0.08  # of a chance, for a turning point
MAX_TURNING_POINTS: Final = 8
MIN_IMPROVEMENT: Final = 0.02  # a better move is named if it is better by this much
DIGITS: Final = 6
FORCED: Final = -1  # the best move of a ply without a choice

Progress = Callable[[int, int], None]


def analyse(record: Record, seed: str = "", simulations: int = 0, progress: Progress | None = None) -> dict[str, Any]:
    """Return the report on a record, as a JSON object; raise InvalidRecord as `replay` does.

    The same record, seed and number of simulations give the same report. `progress` is called with the number of
    plies that are done and the number of all plies.
    """
    steps = analyse_in_steps(record, seed, simulations)
    while True:
        try:
            done, of = next(steps)
        except StopIteration as end:
            report: dict[str, Any] = end.value
            return report
        if progress is not None:
            progress(done, of)


def analyse_in_steps(
    record: Record, seed: str = "", simulations: int = 0
) -> Generator[tuple[int, int], None, dict[str, Any]]:
    """Do what `analyse` does, and yield the number of plies that are done, and of all, before each ply and at the end.

    So a caller with one thread can do other things between the plies.
    """
    positions = [position.copy() for position in replay(record)]
    report: dict[str, Any] = {
        "version": VERSION,
        "game": record.game.id,
        "seats": len(record.seats),
        "names": record.seats,
        "seed": seed,
        "scores": [position.scores() for position in positions],
        "times": [move.at_ms for move in record.moves] if record.game.simultaneous else None,
        "result": record.result or result_of(positions[-1]),
        "chances": None,
        "race_report": None,
    }
    if record.game.simultaneous:
        report["race_report"] = _race_report(record)
    else:
        chances = _ChanceAnalysis(record, positions, Evaluator(record.game, simulations), seed)
        yield from chances.evaluate()
        report |= chances.report()
    return report


def _race_report(record: Record) -> dict[str, Any] | None:
    position = record.start()
    moves = []
    for move in record.moves:
        number = parse(record.game, position, move.seat, move.text)
        moves.append((move.seat, number, move.at_ms or 0))
        position.play(move.seat, number)
    report = record.game.bot_support().race_report(record.start(), moves)
    return report.to_json() if report is not None else None


class _ChanceAnalysis:
    """Computes every seat's chance before each move, and the effect of each move."""

    def __init__(self, record: Record, positions: list[Position], evaluator: Evaluator, seed: str) -> None:
        self.record = record
        self.positions = positions
        self.evaluator = evaluator
        self.seed = seed
        self.seats = len(positions[0].scores())
        self.hidden = False  # a seat did not know the whole position
        self.before: list[list[float]] = []  # chances before each ply, and at the end
        self.after: list[list[float]] = []  # chances after each choice, before its consequences are known
        self.best_moves: list[int] = []
        self.bias = 0.0

    def evaluate(self) -> Generator[tuple[int, int], None, None]:
        """Evaluate every ply; yield the number of plies that are done, and of all."""
        steps = len(self.record.moves) + 1
        evaluations: list[Evaluation | None] = []
        for ply in range(steps):
            yield ply, steps
            evaluations.append(self._evaluate(ply))
        self.bias = _estimate_bias(evaluations)
        self._fill(evaluations)
        yield steps, steps

    def _evaluate(self, ply: int) -> Evaluation | None:
        """Evaluate the decision of a ply; None if there was only one legal move, or the game was over."""
        position, rng = self.positions[ply], Rng.seeded(f"{self.seed}/{ply}")
        made: int | None = None
        if ply < len(self.record.moves):
            seat = self.record.moves[ply].seat
            made = parse(self.record.game, position, seat, self.record.moves[ply].text)
        elif position.to_act():
            seat = position.to_act()[0]
        else:
            return None
        if not self.hidden:
            resampled = position.resample(seat, Rng.seeded(f"{self.seed}/{ply}/hidden"))
            self.hidden = resampled.key() != position.key()
        if len(position.legal(seat)) == 1:
            return None
        return self.evaluator.evaluate(position, seat, made, rng)

    def _fill(self, evaluations: list[Evaluation | None]) -> None:
        """Set the chances of every ply. A ply without a decision has those of the ply before."""
        known = [self._chances(one, one.best_value) for one in evaluations if one is not None]
        chances = known[0] if known else [1.0 / max(self.seats, 2)] * self.seats
        for evaluation in evaluations[:-1]:
            if evaluation is not None:
                chances = self._chances(evaluation, evaluation.best_value)
            self.before.append(chances)
            self.best_moves.append(FORCED if evaluation is None else evaluation.best_move)
            if evaluation is not None:
                chances = self._chances(evaluation, evaluation.made_value)
            self.after.append(chances)
        outcome, last = self.positions[-1].outcome(), evaluations[-1]
        if outcome is not None:
            chances = outcome_values(outcome)
        elif last is not None:
            chances = self._chances(last, last.best_value)
        self.before.append(chances)

    def _chances(self, evaluation: Evaluation, value: float) -> list[float]:
        return turn_bias.seat_chances(evaluation, value, self.bias)

    def report(self) -> dict[str, Any]:
        moves = [self._move_report(ply) for ply in range(len(self.after))]
        return {
            "level": self.evaluator.level,
            "simulations": self.evaluator.simulations,
            "hidden": self.hidden,
            "turn_bias": _round(self.bias),
            "chances": [[_round(chance) for chance in row] for row in self.before],
            "moves": moves,
            "turning": _turning_points(moves),
            "sums": [self._seat_summary(seat) for seat in range(self.seats)],
        }

    def _move_report(self, ply: int) -> dict[str, Any]:
        move, position, best = self.record.moves[ply], self.positions[ply], self.best_moves[ply]
        seat = move.seat
        choice = self.after[ply][seat] - self.before[ply][seat]
        improvable = choice <= -MIN_IMPROVEMENT
        return {
            "seat": seat,
            "move": move.text,
            "best": self.record.game.text(position, seat, best) if improvable else None,
            "forced": best == FORCED,
            "choice": _round(choice),
            "luck": _round(self.before[ply + 1][seat] - self.after[ply][seat]),
        }

    def _seat_summary(self, seat: int) -> dict[str, Any]:
        """Sum the parts of a seat's result."""
        own = others = luck = 0.0
        for ply, move in enumerate(self.record.moves):
            choice = self.after[ply][seat] - self.before[ply][seat]
            if move.seat == seat:
                own += choice
            else:
                others += choice
            luck += self.before[ply + 1][seat] - self.after[ply][seat]
        start, last = self.before[0][seat], self.before[-1][seat]
        result = self._result_value(seat)
        return {
            "start": _round(start),
            "choice": _round(own),
            "others": _round(others),
            "luck": _round(luck),
            "outside": _round(0.0 if result is None else result - last),
            "end": _round(last if result is None else result),
        }

    def _result_value(self, seat: int) -> float | None:
        """Return the value of the result for a seat; None if the game is not over."""
        result = self.record.result or result_of(self.positions[-1])
        if result is None:
            return None
        winners = result["winners"]
        if winners:
            return 1.0 / len(winners) if seat in winners else 0.0
        return 1.0 / self.seats if self.seats > 1 else 0.0


def _estimate_bias(evaluations: list[Evaluation | None]) -> float:
    changes = []
    for evaluation, following in pairwise(evaluations):
        if evaluation is not None and following is not None and following.seat != evaluation.seat:
            changes.append(TurnChange(evaluation.seat, evaluation, following))
    return turn_bias.estimate(changes)


def _turning_points(moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the moves that changed a chance most, by choice or by luck, in the order of play."""
    changes = [(max(-move["choice"], abs(move["luck"])), ply) for ply, move in enumerate(moves)]
    largest = sorted([one for one in changes if one[0] >= MIN_TURNING_CHANGE], reverse=True)[:MAX_TURNING_POINTS]
    turning_points = []
    for _, ply in sorted(largest, key=lambda one: one[1]):
        move = moves[ply]
        kind = "choice" if -move["choice"] >= abs(move["luck"]) else "luck"
        turning_points.append({"ply": ply, "kind": kind})
    return turning_points


def _round(value: float) -> float:
    return round(value, DIGITS) + 0.0
