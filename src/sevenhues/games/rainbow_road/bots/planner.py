"""Evaluates moves in Rainbow Road by looking ahead, under all hypotheses about the opponent's hand."""

from typing import Final

from sevenhues.core.copying import Copyable
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road.bots.endgame import solve
from sevenhues.games.rainbow_road.bots.hypotheses import Hypothesis, Line, candidate_lines, mean
from sevenhues.games.rainbow_road.bots.lookahead import Lookahead
from sevenhues.games.rainbow_road.pieces import ROUNDS
from sevenhues.games.rainbow_road.rules import RoadPosition

LAST_ROUND: Final = ROUNDS - 1


class Planner(Copyable):
    """Iterative deepening over rounds, with fewer and fewer candidate lines."""

    def __init__(self, rounds: int, max_hypotheses: int = 0, width: int = 8, min_hypotheses: int = 2) -> None:
        self.rounds = rounds  # the maximum depth
        self.max_hypotheses = max_hypotheses  # 0 for all
        self.width = width  # candidate lines that are searched deeper; two fewer for each further round
        self.min_hypotheses = min_hypotheses  # a deeper search counts only if it covers as many

    def evaluate(
        self,
        position: RoadPosition,
        seat: int,
        moves: list[int],
        hypotheses: list[Hypothesis],
        lookahead: Lookahead,
        rng: Rng,
    ) -> list[float]:
        """Value moves: all moves under every hypothesis to the end of a round, and the best moves further."""
        rng.shuffle(hypotheses)
        if self.max_hypotheses and len(hypotheses) > self.max_hypotheses:
            hypotheses = hypotheses[: self.max_hypotheses]
        candidates = candidate_lines(position, moves)
        if self.rounds > 1 and position.round == LAST_ROUND:
            for line in candidates:
                line.value = mean(solve(line.position, seat, hypotheses, lookahead), hypotheses, len(hypotheses))
            return best_by_move(moves, candidates)
        next_round = min([line.position.round for line in candidates]) + 1
        lookahead.horizon = min(next_round, ROUNDS)
        hypotheses = hypotheses[: self._search_first_round(candidates, hypotheses, seat, lookahead)]
        values = best_by_move(moves, candidates)
        for depth in range(1, self.rounds):
            # The last two rounds are searched to the end of the game, first with the best pranks, then with all.
            if next_round + depth > ROUNDS:
                if lookahead.thorough or position.round < LAST_ROUND - 1:
                    break
                lookahead.thorough = True
            if position.round < LAST_ROUND - 1:
                candidates = sorted(candidates, key=_by_value)[: max(self.width - 2 * depth, 2)]
            lookahead.horizon = min(next_round + depth, ROUNDS)
            if len(candidates) == 1 or not self._search_deeper(candidates, hypotheses, seat, lookahead):
                break
            values = refined(values, moves, candidates)
        return values

    def _search_first_round(
        self, candidates: list[Line], hypotheses: list[Hypothesis], seat: int, lookahead: Lookahead
    ) -> int:
        """Value lines under one hypothesis after the other; return the number of hypotheses covered.

        The limits on time and nodes do not apply to the first hypothesis, so that there is always a result.
        """
        done = 0
        lookahead.limited = False
        for hypothesis in hypotheses:
            for line in candidates:
                line.values.append(lookahead.value(line.position, hypothesis.hand, hypothesis.held, seat))
            if lookahead.stopped:
                break
            done += 1
            lookahead.limited = True
        for line in candidates:
            line.value = mean(line.values, hypotheses, done)
        return done

    def _search_deeper(
        self, candidates: list[Line], hypotheses: list[Hypothesis], seat: int, lookahead: Lookahead
    ) -> bool:
        """Value lines again by a deeper search, under as many hypotheses as the limits allow; return if they suffice.

        The values under the other hypotheses are changed by the mean change under those that were searched.
        """
        done = 0
        weight = 0.0
        changes = [0.0] * len(candidates)
        for i in range(len(hypotheses)):
            hypothesis = hypotheses[i]
            values = [lookahead.value(line.position, hypothesis.hand, hypothesis.held, seat) for line in candidates]
            if lookahead.stopped:
                break
            done += 1
            weight += hypothesis.weight
            for j in range(len(candidates)):
                changes[j] += hypothesis.weight * (values[j] - candidates[j].values[i])
                candidates[j].values[i] = values[j]
        if done < min(self.min_hypotheses, len(hypotheses)):
            return False
        for j in range(len(candidates)):
            for i in range(done, len(hypotheses)):
                candidates[j].values[i] += changes[j] / weight
            candidates[j].value = mean(candidates[j].values, hypotheses, len(hypotheses))
        return True


def _by_value(line: Line) -> float:
    return -line.value


def best_by_move(moves: list[int], candidates: list[Line]) -> list[float]:
    """Return for every move the value of the best line that begins with it."""
    values = [-1.0] * len(moves)
    for line in candidates:
        i = moves.index(line.move)
        values[i] = max(values[i], line.value)
    # A move without a line of its own leads only to positions of earlier moves.
    low = min([line.value for line in candidates])
    return [value if value >= 0.0 else low for value in values]


def refined(values: list[float], moves: list[int], candidates: list[Line]) -> list[float]:
    """Return the values of the deeper search; moves that were not searched deeper stay below those that were."""
    low = min([line.value for line in candidates])
    searched = [line.move for line in candidates]
    deeper = best_by_move(moves, candidates)
    return [deeper[i] if moves[i] in searched else min(values[i], low) for i in range(len(moves))]
