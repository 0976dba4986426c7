"""Information-set Monte-Carlo tree search, for any game of the contract.

One tree for what the searching seat can tell apart: an edge is a seat's move, and below it there is a node for each
thing that the move may show. Every simulation imagines a new position that fits what the seat remembers, walks down
by moves that are legal there, adds a node, plays out, and tells every edge on the way what that came to for the seat
that moved. An edge counts how often it was legal, so that rare moves are not taken for neglected ones (Cowling, Powley
and Whitehouse, 2012). Where several seats may act, they do so in a random order.
"""

from math import log, sqrt
from time import perf_counter

from sevenhues.bots.search import UNKNOWN, Clock, Judged, Searcher
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

EXPLORATION = 0.6
BELIEF = 4.0  # visits that a move's weight is worth


class Node:
    """A moment as the searching seat knows it."""

    def __init__(self) -> None:
        self.edges: dict[int, Edge] = {}  # by move and seat


class Edge:
    """A move that a seat may make there."""

    def __init__(self, weight: float) -> None:
        self.weight = weight
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.nodes: dict[int, Node] = {}  # by what the move showed


class IsmctsBot(Searcher):
    """Searches the tree of its own information."""

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[Judged]:
        root = Node()
        clock = Clock(self.limit, self.deadline(perf_counter()))
        while clock.goes_on():
            self._simulate(root, self.imagine(position, seat, rng), seat, rng)
            clock.done += 1
        self.simulations += clock.done
        judged: list[Judged] = []
        for move in moves:
            edge = root.edges.get(move * position.seats + seat)
            if edge is None or edge.visits == 0:
                judged.append(Judged(move, UNKNOWN, 0))
            else:
                judged.append(Judged(move, edge.total / edge.visits, edge.visits))
        return judged

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
            shown = self.guide.observation_key(position, seat)
            below = edge.nodes.get(shown)
            if below is None:
                edge.nodes[shown] = Node()
                break
            node = below
            actor = position.pick_seat(rng)
        values = self.guide.playout(position, rng)
        for i in range(len(path)):
            path[i].visits += 1
            path[i].total += values[movers[i]]

    def _select(self, node: Node, position: Position, actor: int, rng: Rng) -> int:
        """Return the move to walk down: one never tried, the heaviest first, or the best upper bound."""
        moves = position.legal(actor)
        seats = position.seats
        edges: list[Edge] = []
        missing = False
        for move in moves:
            found = node.edges.get(move * seats + actor)
            if found is None:
                missing = True
            else:
                edges.append(found)
        if missing:
            edges = self._grow(node, position, actor, moves)
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

    def _grow(self, node: Node, position: Position, actor: int, moves: list[int]) -> list[Edge]:
        weights = self.guide.weights(position, actor, moves)
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
        if edge.visits == 0:
            return 1000.0 + edge.weight
        mean = edge.total / edge.visits
        doubt = EXPLORATION * sqrt(log(edge.available) / edge.visits)
        return mean + doubt + edge.weight * BELIEF / (BELIEF + edge.visits) * 0.1
