"""Players by a network, in NumPy: one that trusts its first look, and one that looks a move ahead."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sevenhues.bots.search import Judged, Searcher, ranked
from sevenhues.bots.think import Think
from sevenhues.core.game import Bot, Game, Position
from sevenhues.core.rng import Rng
from sevenhues.nets.net import Net, Numbers, Reader

WORLDS = 16  # positions that a look ahead imagines at most
SLIGHT = 0.01  # moves that a network gives less chance are not looked at


@cache
def load(file: str) -> Net:
    """Read a network once."""
    return Net.read(Path(file))


def make(kind: str, file: str, game: Game[Any], think: Think) -> Bot:
    """Make a player of one of the kinds there are."""
    if kind == "look":
        return LookBot(game, load(file), think)
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

    def values(self, positions: list[Position], seat: int) -> Numbers:
        """Return what positions are worth to a seat, from 0 to 1: exact where the game is over."""
        worth = np.empty(len(positions))
        asked: list[int] = []
        seen: list[tuple[Position, int]] = []
        for i, position in enumerate(positions):
            outcome = position.outcome()
            if outcome is None:
                asked.append(i)
                seen.append((position, position.to_act()[0]))
            else:
                shared = 1.0 / len(outcome.winners) if outcome.winners else 1.0 / position.seats
                worth[i] = shared if seat in outcome.winners or not outcome.winners else 0.0
        if asked:
            told = self.net(self.reader(seen))[1]
            mine = np.array([acts == seat for _, acts in seen])
            seats = positions[0].seats
            worth[asked] = (1.0 + np.where(mine, told, -told / (seats - 1)) * (seats - 1)) / seats
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
    """Tries the moves that its network likes in positions that may be true, and values what they lead to."""

    def __init__(self, game: Game[Any], net: Net, think: Think, worlds: int = WORLDS) -> None:
        super().__init__(game.guide(), think)
        self.mind = Mind(game, net)
        self.worlds = worlds

    def search(self, position: Position, seat: int, moves: list[int], rng: Rng) -> list[Judged]:
        chances = self.mind.chances(position, seat, moves)
        likely = [i for i in range(len(moves)) if chances[i] >= SLIGHT] or [int(chances.argmax())]
        imagined = [self.imagine(position, seat, rng) for _ in range(self.worlds)]
        tried: list[Position] = []
        for i in likely:
            for world in imagined:
                tried.append(world.copy())
                tried[-1].play(seat, moves[i])
        self.simulations += len(tried)
        worth = self.mind.values(tried, seat).reshape(len(likely), -1).mean(1)
        judged = [Judged(moves[i], float(worth[at]), self.worlds) for at, i in enumerate(likely)]
        rest = [Judged(moves[i], float(worth.min()), 0) for i in range(len(moves)) if i not in likely]
        return ranked(judged + rest)
