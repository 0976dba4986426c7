"""Evaluates positions by a network: probabilities of moves, and values for every seat."""

from typing import Any

import numpy as np

from sevenhues.core.game import Game
from sevenhues.core.position import Position, outcome_values
from sevenhues.nets.network import InputEncoder, Network, Numbers


class NetworkEvaluator:
    """Evaluates positions of one game by a network."""

    def __init__(self, game: Game[Any], network: Network) -> None:
        network.check(game, network.metadata["seats"])
        self.network = network
        self.encoder = InputEncoder(game, network.metadata["seats"])

    def move_probabilities(self, position: Position, seat: int, moves: list[int]) -> Numbers:
        """Return the policy's probability of each of these moves."""
        logits = self.network(self.encoder([(position, seat)]))[0][0, moves]
        powers = np.exp(logits - logits.max())
        return np.asarray(powers / powers.sum())

    def values(self, positions: list[Position]) -> Numbers:
        """Return every seat's value of positions, (N, seats), from 0 to 1: exact if the game is over."""
        seats = positions[0].seats
        values = np.empty((len(positions), seats))
        unfinished: list[int] = []
        viewed: list[tuple[Position, int]] = []
        for i, position in enumerate(positions):
            outcome = position.outcome()
            if outcome is None:
                unfinished.append(i)
                viewed.append((position, position.to_act()[0]))
            else:
                values[i] = outcome_values(outcome)
        if unfinished:
            own = (1.0 + self.network(self.encoder(viewed))[1] * (seats - 1)) / seats
            values[unfinished] = ((1.0 - own) / (seats - 1))[:, None]
            values[unfinished, [seat for _, seat in viewed]] = own
        return values
