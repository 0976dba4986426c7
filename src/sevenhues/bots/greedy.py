"""Bots that look one move ahead at most: by a game's policy, or by its evaluation."""

from time import perf_counter
from typing import Any, Final

from sevenhues.bots.search import ScoredMove, Searcher, SearchTimer
from sevenhues.core.bot_support import Bot, Heuristics
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

MAX_SAMPLES: Final = 32  # positions that a greedy bot samples for a move


class PolicyBot(Bot):
    """Plays the move of the game's policy in a position that fits what its seat remembers."""

    def __init__(self, heuristics: Heuristics[Any]) -> None:
        self.heuristics = heuristics

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        return self.heuristics.policy(self.heuristics.resample(position, seat, rng), seat, rng)


class GreedyBot(Searcher):
    """Makes the move after which the game's evaluation is best, averaged over sampled positions."""

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[ScoredMove]:
        totals = [0.0] * len(moves)
        timer = SearchTimer(min(self.simulation_limit, MAX_SAMPLES * len(moves)), self.deadline(perf_counter()))
        samples = 0
        while timer.has_budget():
            sampled = self.sample(position, seat, rng)
            for i in range(len(moves)):
                tried = sampled.copy()
                tried.play(seat, moves[i])
                totals[i] += self.heuristics.values(tried)[seat]
            timer.simulations += len(moves)
            samples += 1
        self.simulations += timer.simulations
        return [ScoredMove(moves[i], totals[i] / samples, samples) for i in range(len(moves))]
