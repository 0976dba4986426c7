"""Tells the story of a record: chances ply by ply, split into choice and luck so that everything adds up.

For every seat: the chance at the start, plus its own choices (0 or less), plus what the choices of the others gave
it, plus luck, plus what came from outside the rules (somebody resigned), is how the game ended. See docs/analysis.md.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from sevenhues.analysis import turn_bias
from sevenhues.analysis.evaluator import Judge, Verdict
from sevenhues.analysis.turn_bias import Handover
from sevenhues.core import record
from sevenhues.core.moves import parse
from sevenhues.core.position import Position, outcome_values
from sevenhues.core.record import Record
from sevenhues.core.rng import Rng

VERSION: Final = 1  # of what a story holds and how it is worked out
NOTABLE: Final = 0.08  # a move that changed a chance by less did not turn the game
MOST_TURNS: Final = 8
WORTH_SAYING: Final = 0.02  # by how much a better move must be better
DIGITS: Final = 6

Progress = Callable[[int, int], None]


def analyse(found: Record, seed: str = "", simulations: int = 0, progress: Progress | None = None) -> dict[str, Any]:
    """Return the story of a record as JSON; raises Unsound like `replay`.

    The same record, seed and number of simulations give the same story. `progress` is told how many plies of how
    many are done.
    """
    positions = [position.copy() for position in record.replay(found)]
    story: dict[str, Any] = {
        "version": VERSION,
        "game": found.game.id,
        "seats": len(found.seats),
        "names": found.seats,
        "seed": seed,
        "scores": [position.scores() for position in positions],
        "times": [move.at_ms for move in found.moves] if found.game.simultaneous else None,
        "result": found.result or record.result_of(positions[-1]),
        "chances": None,
        "chronicle": None,
    }
    if found.game.simultaneous:
        story["chronicle"] = _chronicle(found)
    else:
        story |= _Chances(found, positions, Judge(found.game, simulations), seed, progress).told()
    return story


def _chronicle(found: Record) -> dict[str, Any] | None:
    position = found.start()
    moves = []
    for move in found.moves:
        number = parse(found.game, position, move.seat, move.text)
        moves.append((move.seat, number, move.at_ms or 0))
        position.play(move.seat, number)
    told = found.game.bot_support().race_report(found.start(), moves)
    return told.plain() if told is not None else None


class _Chances:
    """Works out everybody's chance before every move, and what each move made of it."""

    def __init__(
        self, found: Record, positions: list[Position], judge: Judge, seed: str, progress: Progress | None
    ) -> None:
        self.found = found
        self.positions = positions
        self.judge = judge
        self.seed = seed
        self.count = len(positions[0].scores())
        self.hidden = False  # somebody did not know everything
        self.before: list[list[float]] = []  # by ply, and once more at the end
        self.after: list[list[float]] = []  # by ply, once the move was chosen and before it was known what it brought
        self.best: list[int] = []
        steps = len(found.moves) + 1
        verdicts: list[Verdict | None] = []
        for ply in range(steps):
            if progress is not None:
                progress(ply, steps)
            verdicts.append(self._verdict(ply))
        self.tilt = self._tilt(verdicts)
        self._fill(verdicts)
        if progress is not None:
            progress(steps, steps)

    def _verdict(self, ply: int) -> Verdict | None:
        """Judge what was decided at a ply; None if there was nothing to decide, or the game was over."""
        position, rng = self.positions[ply], Rng.seeded(f"{self.seed}/{ply}")
        made: int | None = None
        if ply < len(self.found.moves):
            seat = self.found.moves[ply].seat
            made = parse(self.found.game, position, seat, self.found.moves[ply].text)
        elif position.to_act():
            seat = position.to_act()[0]
        else:
            return None
        if not self.hidden:
            self.hidden = position.resample(seat, Rng.seeded(f"{self.seed}/{ply}/hidden")).key() != position.key()
        if len(position.legal(seat)) == 1:
            return None
        return self.judge.weigh(position, seat, made, rng)

    def _tilt(self, verdicts: list[Verdict | None]) -> float:
        handovers = []
        for verdict, following in pairwise(verdicts):
            if verdict is not None and following is not None and following.seat != verdict.seat:
                handovers.append(Handover(verdict.seat, verdict, following))
        return turn_bias.find(handovers)

    def _fill(self, verdicts: list[Verdict | None]) -> None:
        """Give every ply its chances; where nothing was to be decided they are those of the ply before."""
        known = [turn_bias.spread(verdict, verdict.most, self.tilt) for verdict in verdicts if verdict is not None]
        now = known[0] if known else [1.0 / max(self.count, 2)] * self.count
        for verdict in verdicts[:-1]:
            if verdict is not None:
                now = turn_bias.spread(verdict, verdict.most, self.tilt)
            self.before.append(now)
            self.best.append(-1 if verdict is None else verdict.best)
            if verdict is not None:
                now = turn_bias.spread(verdict, verdict.mine, self.tilt)
            self.after.append(now)
        outcome, last = self.positions[-1].outcome(), verdicts[-1]
        if outcome is not None:
            now = outcome_values(outcome)
        elif last is not None:
            now = turn_bias.spread(last, last.most, self.tilt)
        self.before.append(now)

    def told(self) -> dict[str, Any]:
        moves = [self._move(ply) for ply in range(len(self.after))]
        return {
            "level": self.judge.level,
            "simulations": self.judge.simulations,
            "hidden": self.hidden,
            "tilt": _round(self.tilt),
            "chances": [[_round(chance) for chance in row] for row in self.before],
            "moves": moves,
            "turning": _turning(moves),
            "sums": [self._sum(seat) for seat in range(self.count)],
        }

    def _move(self, ply: int) -> dict[str, Any]:
        played, position, best = self.found.moves[ply], self.positions[ply], self.best[ply]
        seat = played.seat
        choice = self.after[ply][seat] - self.before[ply][seat]
        better = choice <= -WORTH_SAYING
        return {
            "seat": seat,
            "move": played.text,
            "best": self.found.game.text(position, seat, best) if better else None,
            "forced": best < 0,
            "choice": _round(choice),
            "luck": _round(self.before[ply + 1][seat] - self.after[ply][seat]),
        }

    def _sum(self, seat: int) -> dict[str, Any]:
        """Add up what a seat's chance was made of."""
        own = given = luck = 0.0
        for ply, move in enumerate(self.found.moves):
            chosen = self.after[ply][seat] - self.before[ply][seat]
            if move.seat == seat:
                own += chosen
            else:
                given += chosen
            luck += self.before[ply + 1][seat] - self.after[ply][seat]
        start, last = self.before[0][seat], self.before[-1][seat]
        end = self._end(seat)
        return {
            "start": _round(start),
            "choice": _round(own),
            "given": _round(given),
            "luck": _round(luck),
            "outside": _round(0.0 if end is None else end - last),
            "end": _round(last if end is None else end),
        }

    def _end(self, seat: int) -> float | None:
        """Value how the game ended for a seat; None if it has not."""
        result = self.found.result or record.result_of(self.positions[-1])
        if result is None:
            return None
        winners = result["winners"]
        if winners:
            return 1.0 / len(winners) if seat in winners else 0.0
        return 1.0 / self.count if self.count > 1 else 0.0


def _turning(moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pick the moves that changed a chance most, by choice or by luck, in their order."""
    weighed = [(max(-move["choice"], abs(move["luck"])), ply) for ply, move in enumerate(moves)]
    heaviest = sorted([one for one in weighed if one[0] >= NOTABLE], reverse=True)[:MOST_TURNS]
    turns = []
    for _, ply in sorted(heaviest, key=lambda one: one[1]):
        move = moves[ply]
        kind = "choice" if -move["choice"] >= abs(move["luck"]) else "luck"
        turns.append({"ply": ply, "kind": kind})
    return turns


def _round(value: float) -> float:
    return round(value, DIGITS) + 0.0
