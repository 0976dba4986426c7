"""Evaluates positions by a network: probabilities of moves, and values for every seat."""

from math import exp
from typing import Any, Protocol

from sevenhues.core.encoder import Feature
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.position import Position, outcome_values
from sevenhues.nets import encoding


class PolicyNetwork(Protocol):
    """A trained network, run by NumPy or by JavaScript."""

    metadata: dict[str, Any]  # among others its `game` and its number of `seats`

    def evaluate(
        self, features: tuple[Feature, ...], observations: list[list[int]]
    ) -> tuple[list[list[float]], list[float]]:
        """Return the logits of all moves and the value, from -1 to 1, for each of some observations."""


class NetworkEvaluator:
    """Evaluates positions of one game by a network."""

    def __init__(self, game: Game[Any], network: PolicyNetwork) -> None:
        check(network.metadata, game, network.metadata["seats"])
        self.network = network
        self.features = encoding.layout(game, network.metadata["seats"], resolve_options(game, {}))
        self._game = game

    def move_probabilities(self, position: Position, seat: int, moves: list[int]) -> list[float]:
        """Return the policy's probability of each of these moves."""
        logits = self._evaluate([(position, seat)])[0][0]
        highest = max(logits[move] for move in moves)
        powers = [exp(logits[move] - highest) for move in moves]
        total = sum(powers)
        return [power / total for power in powers]

    def values(self, positions: list[Position]) -> list[list[float]]:
        """Return every seat's value of each position, from 0 to 1: exact if the game is over."""
        seats = positions[0].seats
        outcomes = [position.outcome() for position in positions]
        viewed = [
            (position, position.to_act()[0])
            for position, outcome in zip(positions, outcomes, strict=True)
            if outcome is None
        ]
        estimates = iter(self._evaluate(viewed)[1]) if viewed else iter(())
        observers = iter(viewed)
        values = []
        for outcome in outcomes:
            if outcome is not None:
                values.append(outcome_values(outcome))
                continue
            own = (1.0 + next(estimates) * (seats - 1)) / seats
            row = [(1.0 - own) / (seats - 1)] * seats
            row[next(observers)[1]] = own
            values.append(row)
        return values

    def _evaluate(self, viewed: list[tuple[Position, int]]) -> tuple[list[list[float]], list[float]]:
        observations = [encoding.observe(self._game, position, seat) for position, seat in viewed]
        return self.network.evaluate(self.features, observations)


def check(metadata: dict[str, Any], game: Game[Any], seats: int) -> None:
    """Refuse a network of another game, or of another number of seats."""
    network_game, network_seats = metadata["game"], metadata["seats"]
    if (network_game, network_seats) != (game.id, seats):
        raise BadOption(
            f"the network is for {network_game} with {network_seats} seats, not {game.id} with {seats} seats"
        )
