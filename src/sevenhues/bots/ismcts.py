"""Information-set Monte Carlo tree search, for any game of the contract.

The tree holds what the searching seat can distinguish: an edge is a move of a seat, and below it there is a node for
each observation that the move may lead to. Every simulation samples a position that fits what the seat remembers,
descends by moves that are legal there, adds a node, plays out, and adds the result to every edge of its path, as the
value for the seat that moved. An edge counts how often it was available, so that moves which are rarely legal are not
explored too much (Cowling, Powley and Whitehouse, 2012). Seats that may act at the same time act in random order.
"""

from math import log, sqrt
from time import perf_counter
from typing import Final

from sevenhues.bots.search import UNEVALUATED, ScoredMove, Searcher, SearchTimer
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

EXPLORATION: Final = 0.6
PRIOR_VISITS: Final = 4.0  # the visits at which the influence of a move's weight has halved
PRIOR_SCALE: Final = 0.1  # the influence of a move's weight before the first visit
UNVISITED_BOUND: Final = 1000.0  # above every bound of a visited edge


class Node:
    """A point of the game, as the searching seat can distinguish it."""

    def __init__(self) -> None:
        self.edges: dict[int, Edge] = {}  # by move and seat


class Edge:
    """A move of a seat."""

    def __init__(self, weight: float) -> None:
        self.weight = weight
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.nodes: dict[int, Node] = {}  # by observation after the move


class IsmctsBot(Searcher):
    """Searches a tree over the information of its seat."""

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[ScoredMove]:
        root = Node()
        timer = SearchTimer(self.simulation_limit, self.deadline(perf_counter()))
        while timer.has_budget():
            self._simulate(root, self.sample(position, seat, rng), seat, rng)
            timer.simulations += 1
        self.simulations += timer.simulations
        scored: list[ScoredMove] = []
        for move in moves:
            edge = root.edges.get(move * position.seats + seat)
            if edge is None or edge.visits == 0:
                scored.append(ScoredMove(move, UNEVALUATED, 0))
            else:
                scored.append(ScoredMove(move, edge.total / edge.visits, edge.visits))
        return scored

    def _simulate(self, root: Node, position: Position, seat: int, rng: Rng) -> None:
        node = root
        path: list[Edge] = []
        movers: list[int] = []
        actor = seat
        while actor >= 0:
            move = self._select(node, position, actor, rng)
            edge = node.edges[move * position.seats + actor]
            position.play(actor, move)
            path.append(edge)
            movers.append(actor)
            observation = self.heuristics.observation_key(position, seat)
            child = edge.nodes.get(observation)
            if child is None:
                edge.nodes[observation] = Node()
                break
            node = child
            actor = position.pick_seat(rng)
        values = self.heuristics.playout(position, rng)
        for i in range(len(path)):
            path[i].visits += 1
            path[i].total += values[movers[i]]

    def _select(self, node: Node, position: Position, actor: int, rng: Rng) -> int:
        """Return the move to descend by: an unvisited one, the heaviest first, or the one of the highest bound."""
        moves = position.legal(actor)
        seats = position.seats
        edges: list[Edge] = []
        incomplete = False
        for move in moves:
            known = node.edges.get(move * seats + actor)
            if known is None:
                incomplete = True
            else:
                edges.append(known)
        if incomplete:
            edges = self._add_edges(node, position, actor, moves)
        best = 0
        highest = -1.0
        start = rng.below(len(moves))
        for i in range(len(moves)):
            at = (start + i) % len(moves)
            edge = edges[at]
            edge.available += 1
            bound = self._bound(edge)
            if bound > highest:
                highest = bound
                best = at
        return moves[best]

    def _add_edges(self, node: Node, position: Position, actor: int, moves: list[int]) -> list[Edge]:
        """Add the edges that a node lacks; return those of `moves`, in order."""
        weights = self.heuristics.weights(position, actor, moves)
        heaviest = max(weights) if weights else 1.0
        edges: list[Edge] = []
        for i in range(len(moves)):
            key = moves[i] * position.seats + actor
            edge = node.edges.get(key)
            if edge is None:
                edge = Edge(weights[i] / heaviest if weights else 1.0)
                node.edges[key] = edge
            edges.append(edge)
        return edges

    def _bound(self, edge: Edge) -> float:
        """Return the upper confidence bound of an edge, with a bonus for its weight that fades with its visits."""
        if edge.visits == 0:
            return UNVISITED_BOUND + edge.weight
        mean = edge.total / edge.visits
        uncertainty = EXPLORATION * sqrt(log(edge.available) / edge.visits)
        return mean + uncertainty + edge.weight * PRIOR_VISITS / (PRIOR_VISITS + edge.visits) * PRIOR_SCALE
