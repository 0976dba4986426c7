"""Flat Monte Carlo search with successive halving."""

from time import perf_counter

from sevenhues.bots.search import ScoredMove, Searcher, SearchTimer
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng


class FlatMonteCarloBot(Searcher):
    """Evaluates moves by playouts. After each phase the worse half of the moves is eliminated.

    All remaining moves are tried in one sampled position before the next one is drawn, so that they are compared
    under the same luck.
    """

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[ScoredMove]:
        start = perf_counter()
        totals = [0.0] * len(moves)
        remaining = list(range(len(moves)))
        phases = (len(moves) - 1).bit_length()
        timer = SearchTimer(0, 0.0)
        samples = 0
        eliminations: list[Elimination] = []
        for phase in range(phases):
            part = (phase + 1) / phases
            timer.simulation_limit = int(self.simulation_limit * part)
            timer.deadline = self.deadline(start, part)
            while True:
                self._try_moves(position, seat, moves, remaining, totals, rng)
                timer.simulations += len(remaining)
                samples += 1
                if not timer.has_budget():
                    break
            # All remaining moves have been tried equally often, so their totals can be compared.
            ranked = sorted([(-totals[i], i) for i in remaining])
            remaining = [i for _, i in ranked[: (len(ranked) + 1) // 2]]
            eliminations.append(Elimination([i for _, i in ranked[len(remaining) :]], totals.copy(), samples))
        self.simulations += timer.simulations
        return _scored(moves, remaining[0], totals, samples, eliminations)

    def _try_moves(
        self, position: Position, seat: int, moves: list[int], remaining: list[int], totals: list[float], rng: Rng
    ) -> None:
        """Play every remaining move out in one sampled position and add the results to `totals`."""
        sampled = self.sample(position, seat, rng)
        for i in remaining:
            tried = sampled.copy()
            tried.play(seat, moves[i])
            totals[i] += self.heuristics.playout(tried, rng)[seat]


class Elimination:
    """Moves that were eliminated together, with the totals of all moves at that time."""

    def __init__(self, moves: list[int], totals: list[float], samples: int) -> None:
        self.moves = moves
        self.totals = totals
        self.samples = samples


def _scored(
    moves: list[int], best: int, totals: list[float], samples: int, eliminations: list[Elimination]
) -> list[ScoredMove]:
    """Score all moves.

    An eliminated move is worth less than the best one by its deficit in the positions in which both were tried.
    """
    value = totals[best] / samples
    scored = [ScoredMove(moves[best], value, samples)]
    for elimination in eliminations:
        for i in elimination.moves:
            deficit = (elimination.totals[best] - totals[i]) / elimination.samples
            scored.append(ScoredMove(moves[i], value - deficit, elimination.samples))
    return scored
