"""Players by a network, in NumPy: one that trusts its first look, and one that looks a move ahead."""

from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from sevenhues.bots.budget import Think
from sevenhues.bots.search import Clock, Judged, Searcher, ranked
from sevenhues.core.bot_support import Bot, Heuristics
from sevenhues.core.game import Game
from sevenhues.core.position import Position, outcome_values
from sevenhues.core.rng import Rng
from sevenhues.nets.network import Net, Numbers, Reader

WORLDS = 16  # positions that a look ahead imagines at once
MOST_WORLDS = 64  # and in all
SLIGHT = 0.01  # moves that a network gives less chance are not looked at,
TOLD = 4  # but for the likeliest so many
NEAR = 0.2  # of the likeliest move's chance: a move that has less is not chosen


@cache
def load(file: str) -> Net:
    """Read a network once."""
    return Net.read(Path(file))


def make(
    kind: str, file: str, game: Game[Any], guide: Heuristics[Any], think: Think, most: int = 0, peeks: bool = False
) -> Bot:
    """Make a player of one of the kinds there are."""
    if kind == "look":
        return LookBot(game, load(file), guide, think, most, peeks)
    return NetBot(game, load(file))


class Mind:
    """A network that is told of positions of one game."""

    def __init__(self, game: Game[Any], net: Net) -> None:
        net.check(game, net.card["seats"])
        self.net = net
        self.reader = Reader(game, net.card["seats"])

    def chances(self, position: Position, seat: int, moves: list[int]) -> Numbers:
        """Return how likely the network would make each of these moves."""
        logits = self.net(self.reader([(position, seat)]))[0][0, moves]
        powers = np.exp(logits - logits.max())
        return np.asarray(powers / powers.sum())

    def values(self, positions: list[Position]) -> Numbers:
        """Return what positions are worth to every seat, (N, seats), from 0 to 1: exact where the game is over."""
        seats = positions[0].seats
        worth = np.empty((len(positions), seats))
        asked: list[int] = []
        seen: list[tuple[Position, int]] = []
        for i, position in enumerate(positions):
            outcome = position.outcome()
            if outcome is None:
                asked.append(i)
                seen.append((position, position.to_act()[0]))
            else:
                worth[i] = outcome_values(outcome)
        if asked:
            mine = (1.0 + self.net(self.reader(seen))[1] * (seats - 1)) / seats
            worth[asked] = ((1.0 - mine) / (seats - 1))[:, None]
            worth[asked, [acts for _, acts in seen]] = mine
        return worth


class NetBot(Bot):
    """Makes the move that its network likes best."""

    def __init__(self, game: Game[Any], net: Net) -> None:
        self.mind = Mind(game, net)

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        moves = position.legal(seat)
        if len(moves) == 1:
            return moves[0]
        return moves[int(self.mind.chances(position, seat, moves).argmax())]


class LookBot(Searcher):
    """Tries the moves that its network likes in positions that may be true, and values what they lead to.

    It chooses among those that the network likes nearly as well as its favourite; of a few others it tells the value.
    """

    def __init__(
        self, game: Game[Any], net: Net, guide: Heuristics[Any], think: Think, most: int = 0, peeks: bool = False
    ) -> None:
        super().__init__(guide, think, most, peeks)
        self.mind = Mind(game, net)

    def judge(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[Judged]:
        self.judged = self.search(position, seat, moves, rng)
        return self.judged

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[Judged]:
        clock = Clock(self.limit, self.deadline(perf_counter()))
        chances = self.mind.chances(position, seat, moves)
        order = sorted(range(len(moves)), key=lambda i: -chances[i])
        told = [i for i in order if chances[i] >= SLIGHT or i in order[:TOLD]]
        totals = np.zeros(len(told))
        rounds = 0
        while clock.goes_on() and rounds < MOST_WORLDS:
            imagined = [self.imagine(position, seat, rng) for _ in range(1 if self.peeks else WORLDS)]
            totals += self.try_out(imagined, seat, [moves[i] for i in told])
            rounds += len(imagined)
            clock.done += len(imagined) * len(told)
            if self.peeks:
                break
        self.simulations += clock.done
        judged = [Judged(moves[i], float(totals[at] / rounds), rounds) for at, i in enumerate(told)]
        near = sum(bool(chances[i] >= NEAR * chances[order[0]]) for i in told)
        rest = [Judged(moves[i], min(one.value for one in judged), 0) for i in order[len(told) :]]
        return ranked(judged[:near]) + ranked(judged[near:]) + rest

    def try_out(self, imagined: list[Position], seat: int, moves: list[int]) -> Numbers:
        """Make each move in each imagined position; return what each came to in all of them together."""
        tried: list[Position] = []
        for move in moves:
            for world in imagined:
                tried.append(world.copy())
                tried[-1].play(seat, move)
        summed: Numbers = self.mind.values(tried)[:, seat].reshape(len(moves), -1).sum(1)
        return summed

    def values(self, positions: list[Position], rng: Rng) -> list[list[float]]:
        told: list[list[float]] = self.mind.values(positions).tolist()
        return told
