"""Bots that play by a network: one by its policy alone, and one that searches one ply deep."""

from time import perf_counter
from typing import Any

from sevenhues.bots.budget import Budget
from sevenhues.bots.search import ScoredMove, Searcher, SearchTimer, rank_moves
from sevenhues.core.bot_support import Bot, Heuristics
from sevenhues.core.game import Game
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.nets.evaluator import NetworkEvaluator, PolicyNetwork
from sevenhues.nets.loading import load_network

BATCH_SAMPLES = 16  # positions that the one-ply search samples at once
MAX_SAMPLES = 64  # positions that it samples for one move
MIN_PROBABILITY = 0.01  # a move to which the policy gives less is not evaluated,
MIN_EVALUATED_MOVES = 4  # except that this many moves always are
MIN_SHARE_OF_BEST = 0.2  # of the highest probability: a move with less is not chosen


def make(
    kind: str,
    file: str,
    game: Game[Any],
    heuristics: Heuristics[Any],
    budget: Budget,
    max_simulations: int = 0,
    sees_hidden: bool = False,
) -> Bot:
    """Make a bot that plays by the network in a file: "look" searches one ply deep, "net" does not search."""
    if kind == "look":
        return OnePlyBot(game, load_network(file), heuristics, budget, max_simulations, sees_hidden)
    return NetworkBot(game, load_network(file))


class NetworkBot(Bot):
    """Makes the move of the highest probability."""

    def __init__(self, game: Game[Any], network: PolicyNetwork) -> None:
        self.evaluator = NetworkEvaluator(game, network)

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        moves = position.legal(seat)
        if len(moves) == 1:
            return moves[0]
        probabilities = self.evaluator.move_probabilities(position, seat, moves)
        return moves[probabilities.index(max(probabilities))]


class OnePlyBot(Searcher):
    """Tries the moves of a network's policy in sampled positions, and evaluates the results by the network.

    It chooses among the moves whose probability is close to the highest one. It scores some of the others as well.
    """

    def __init__(
        self,
        game: Game[Any],
        network: PolicyNetwork,
        heuristics: Heuristics[Any],
        budget: Budget,
        max_simulations: int = 0,
        sees_hidden: bool = False,
    ) -> None:
        super().__init__(heuristics, budget, max_simulations, sees_hidden)
        self.evaluator = NetworkEvaluator(game, network)

    def evaluate(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[ScoredMove]:
        self.scored_moves = self.search(position, seat, moves, rng)
        return self.scored_moves

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[ScoredMove]:
        timer = SearchTimer(self.simulation_limit, self.deadline(perf_counter()))
        probabilities = self.evaluator.move_probabilities(position, seat, moves)
        order = sorted(range(len(moves)), key=lambda i: -probabilities[i])
        tried = [i for i in order if probabilities[i] >= MIN_PROBABILITY or i in order[:MIN_EVALUATED_MOVES]]
        totals = [0.0] * len(tried)
        samples = 0
        while timer.has_budget() and samples < MAX_SAMPLES:
            sampled = [self.sample(position, seat, rng) for _ in range(1 if self.sees_hidden else BATCH_SAMPLES)]
            for at, total in enumerate(self._total_values(sampled, seat, [moves[i] for i in tried])):
                totals[at] += total
            samples += len(sampled)
            timer.simulations += len(sampled) * len(tried)
            if self.sees_hidden:
                break
        self.simulations += timer.simulations
        scored = [ScoredMove(moves[i], totals[at] / samples, samples) for at, i in enumerate(tried)]
        likely = sum(probabilities[i] >= MIN_SHARE_OF_BEST * probabilities[order[0]] for i in tried)
        rest = [ScoredMove(moves[i], min(one.value for one in scored), 0) for i in order[len(tried) :]]
        return rank_moves(scored[:likely]) + rank_moves(scored[likely:]) + rest

    def _total_values(self, sampled: list[Position], seat: int, moves: list[int]) -> list[float]:
        """Make each move in each sampled position; return each move's sum of values."""
        results: list[Position] = []
        for move in moves:
            for position in sampled:
                results.append(position.copy())
                results[-1].play(seat, move)
        values = [value[seat] for value in self.evaluator.values(results)]
        tries = len(sampled)
        return [sum(values[at : at + tries]) for at in range(0, len(values), tries)]

    def values(self, positions: list[Position], rng: Rng) -> list[list[float]]:
        return self.evaluator.values(positions)
