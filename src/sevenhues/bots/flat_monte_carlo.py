"""Flat Monte Carlo: every move tried in the same imagined positions, the worse half dropped again and again."""

from time import perf_counter

from sevenhues.bots.search import Clock, Judged, Searcher
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng


class FlatBot(Searcher):
    """Plays moves out to see which does best; successive halving gives the good ones most of the budget.

    All moves still in the running are tried in the same imagined position before the next one is drawn, so that
    they are compared in equal luck.
    """

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[Judged]:
        start = perf_counter()
        totals = [0.0] * len(moves)
        running = list(range(len(moves)))
        phases = (len(moves) - 1).bit_length()
        clock = Clock(0, 0.0)
        sweeps = 0
        dropped: list[Dropped] = []
        for phase in range(phases):
            part = (phase + 1) / phases
            clock.limit = int(self.limit * part)
            clock.until = self.deadline(start, part)
            while True:
                imagined = self.imagine(position, seat, rng)
                for i in running:
                    tried = imagined.copy()
                    tried.play(seat, moves[i])
                    totals[i] += self.guide.playout(tried, rng)[seat]
                clock.done += len(running)
                sweeps += 1
                if not clock.goes_on():
                    break
            # All that are still running have been tried equally often, so totals compare.
            ranked = sorted([(-totals[i], i) for i in running])
            running = [i for _, i in ranked[: (len(ranked) + 1) // 2]]
            dropped.append(Dropped([i for _, i in ranked[len(running) :]], totals.copy(), sweeps))
        self.simulations += clock.done
        best = running[0]
        value = totals[best] / sweeps
        judged = [Judged(moves[best], value, sweeps)]
        for drop in dropped:
            for i in drop.moves:
                behind = (drop.totals[best] - totals[i]) / drop.sweeps
                judged.append(Judged(moves[i], value - behind, drop.sweeps))
        return judged


class Dropped:
    """Moves that left the running, and how all stood then.

    They are worth as much less than the best as they were behind it in the positions in which both were tried.
    """

    def __init__(self, moves: list[int], totals: list[float], sweeps: int) -> None:
        self.moves = moves
        self.totals = totals
        self.sweeps = sweeps
