"""CFR+ solves small games of the contract exactly: for two seats that take turns.

python -m examples.cfr --game rainbow --iterations 100

A game is solved from a list of equally likely starting positions; endgames.py has those of two small variants. The
exploitability of a strategy is what a best response wins on average over both seats, in the unit of the payoffs; it is
0 in an equilibrium.
"""

import argparse
from collections.abc import Sequence
from typing import Any

import sevenhues
from examples.endgames import ENDGAMES, starts
from sevenhues import Position

Key = tuple[int, ...]


class TreeTooLarge(Exception):
    """The game has more histories than allowed."""


class InformationSet:
    """All histories that the seat to act cannot tell apart."""

    def __init__(self, seat: int, moves: list[int]) -> None:
        self.seat = seat
        self.moves = moves
        self.histories: list[Node] = []
        self.strategy = [1 / len(moves)] * len(moves)
        self.regrets = [0.0] * len(moves)
        self.changes = [0.0] * len(moves)  # of the regrets, in this iteration
        self.weights = [0.0] * len(moves)  # of the average strategy
        self.best = -1  # the index of the best response, or -1 if it is not known

    def update(self) -> None:
        """Add the changes to the regrets, which are never negative, and match the strategy to them."""
        self.regrets = [max(0.0, regret + change) for regret, change in zip(self.regrets, self.changes, strict=True)]
        self.changes = [0.0] * len(self.moves)
        self.strategy = normalized(self.regrets)

    def average(self) -> list[float]:
        """Return the average strategy, which approaches an equilibrium."""
        return normalized(self.weights)


class Node:
    """A history: a decision, or an end with the payoff of seat 0."""

    def __init__(self, information_set: InformationSet | None, payoff: float) -> None:
        self.information_set = information_set
        self.payoff = payoff
        self.children: list[Node] = []
        self.reach = 0.0  # the probability that chance and the opponent of a best response lead here


def normalized(weights: list[float]) -> list[float]:
    """Return probabilities in proportion to weights; equal ones if all weights are 0."""
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


class Solver:
    """The tree of a game, and the strategies of both seats."""

    def __init__(self, game: Any, starts: Sequence[Position], max_nodes: int = 500_000) -> None:
        self.game = game
        self.max_nodes = max_nodes
        self.nodes = 0
        self.information_sets: dict[Key, InformationSet] = {}
        self.iterations = 0
        self._encoders = (game.observation_encoder(), game.information_state_encoder())
        self.roots = [self._grow(start, ()) for start in starts]

    def _grow(self, position: Position, moves: tuple[int, ...]) -> Node:
        """Return the tree below a position that these moves have led to."""
        self.nodes += 1
        if self.nodes > self.max_nodes:
            raise TreeTooLarge(f"the game has more than {self.max_nodes} histories")
        turn = position.to_act()
        if not turn:
            return Node(None, self.game.payoffs(position, position.outcome())[0])
        seat = turn[0]
        key = self.key(position, seat, moves)
        if key not in self.information_sets:
            self.information_sets[key] = InformationSet(seat, position.legal(seat))
        information_set = self.information_sets[key]
        node = Node(information_set, 0.0)
        information_set.histories.append(node)
        for move in information_set.moves:
            after: Any = position.copy()
            after.play(seat, move)
            node.children.append(self._grow(after, (*moves, move)))
        return node

    def key(self, position: Position, seat: int, moves: tuple[int, ...]) -> Key:
        """Return what identifies the information set of a seat after these moves."""
        seen = [number for encoder in self._encoders for number in encoder.encode(position, seat)]
        return (seat, len(moves), *moves, *seen)

    def iterate(self, iterations: int) -> None:
        """Improve the strategies of both seats in turn. Later iterations count more in the average."""
        for _ in range(iterations):
            self.iterations += 1
            for seat in (0, 1):
                for root in self.roots:
                    self._train(root, seat, 1.0, 1 / len(self.roots))
                for information_set in self.information_sets.values():
                    if information_set.seat == seat:
                        information_set.update()

    def _train(self, node: Node, seat: int, own_reach: float, other_reach: float) -> float:
        """Collect regrets of a seat; return the value of a history for it."""
        information_set = node.information_set
        if information_set is None:
            return node.payoff if seat == 0 else -node.payoff
        strategy = information_set.strategy
        if information_set.seat != seat:
            value = 0.0
            for chance, child in zip(strategy, node.children, strict=True):
                if chance > 0 or own_reach > 0:  # neither regrets nor the average change otherwise
                    value += chance * self._train(child, seat, own_reach, other_reach * chance)
            return value
        values = [
            self._train(child, seat, own_reach * chance, other_reach)
            for chance, child in zip(strategy, node.children, strict=True)
        ]
        value = sum([chance * each for chance, each in zip(strategy, values, strict=True)])
        # All histories of an information set have the same own reach, so the average is weighted at its first one.
        first = information_set.histories[0] is node
        for i in range(len(values)):
            information_set.changes[i] += other_reach * (values[i] - value)
            if first:
                information_set.weights[i] += self.iterations * own_reach * strategy[i]
        return value

    def value(self) -> float:
        """Return the expected payoff of seat 0 if both play their average strategies."""
        return sum([self._value(root) for root in self.roots]) / len(self.roots)

    def _value(self, node: Node) -> float:
        if node.information_set is None:
            return node.payoff
        pairs = zip(node.information_set.average(), node.children, strict=True)
        return sum([chance * self._value(child) for chance, child in pairs if chance > 0])

    def exploitability(self) -> float:
        """Return what best responses to the average strategies win, the mean of both seats."""
        return (self._best_response(0) + self._best_response(1)) / 2

    def _best_response(self, seat: int) -> float:
        averages = {id(each): each.average() for each in self.information_sets.values() if each.seat != seat}

        def reach(node: Node, probability: float) -> None:
            node.reach = probability
            information_set = node.information_set
            if information_set is None:
                return
            information_set.best = -1
            strategy = averages.get(id(information_set), [1.0] * len(node.children))
            for chance, child in zip(strategy, node.children, strict=True):
                reach(child, probability * chance)

        def value(node: Node) -> float:
            information_set = node.information_set
            if information_set is None:
                return node.payoff if seat == 0 else -node.payoff
            if information_set.seat != seat:
                pairs = zip(averages[id(information_set)], node.children, strict=True)
                return sum([chance * value(child) for chance, child in pairs if chance > 0])
            if information_set.best < 0:
                gains = [0.0] * len(information_set.moves)
                for history in information_set.histories:
                    if history.reach > 0:
                        for i, child in enumerate(history.children):
                            gains[i] += history.reach * value(child)
                information_set.best = gains.index(max(gains))
            return value(node.children[information_set.best])

        for root in self.roots:
            reach(root, 1 / len(self.roots))
        return sum([value(root) for root in self.roots]) / len(self.roots)


def main() -> None:
    parser = argparse.ArgumentParser(description="Solve the endgame of a game with CFR+.")
    parser.add_argument("--game", choices=ENDGAMES, default="rainbow")
    parser.add_argument("--iterations", type=int, default=100)
    args = parser.parse_args()
    solver = Solver(sevenhues.load(args.game), starts(ENDGAMES[args.game]))
    print(f"{solver.nodes} histories, {len(solver.information_sets)} information sets")
    while solver.iterations < args.iterations:
        solver.iterate(min(20, args.iterations - solver.iterations))
        print(f"{solver.iterations:6} iterations: exploitability {solver.exploitability():.5f}")
    print(f"Seat 0 wins {solver.value():.3f} on average.")


if __name__ == "__main__":
    main()
