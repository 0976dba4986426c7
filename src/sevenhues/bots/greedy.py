"""Bots that look no further than one move: by a game's policy, or by its evaluation."""

from time import perf_counter
from typing import Any

from sevenhues.bots.search import Clock, Judged, Searcher
from sevenhues.core.bot_support import Bot, Heuristics
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

SAMPLES = 32  # positions that a greedy bot imagines at most


class PolicyBot(Bot):
    """Plays what the game's policy says, in a position that fits what it remembers."""

    def __init__(self, guide: Heuristics[Any]) -> None:
        self.guide = guide

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        return self.guide.policy(self.guide.resample(position, seat, rng), seat, rng)


class GreedyBot(Searcher):
    """Makes the move after which the game's evaluation is best, on average over what may be hidden."""

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[Judged]:
        totals = [0.0] * len(moves)
        clock = Clock(min(self.limit, SAMPLES * len(moves)), self.deadline(perf_counter()))
        rounds = 0
        while clock.goes_on():
            imagined = self.imagine(position, seat, rng)
            for i in range(len(moves)):
                tried = imagined.copy()
                tried.play(seat, moves[i])
                totals[i] += self.guide.values(tried)[seat]
            clock.done += len(moves)
            rounds += 1
        self.simulations += clock.done
        return [Judged(moves[i], totals[i] / rounds, rounds) for i in range(len(moves))]
