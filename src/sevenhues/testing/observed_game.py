"""A game under check: how it was dealt, what was played, and what each viewer saw after every move."""

from typing import Any

import msgspec

from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import Game
from sevenhues.core.moves import parse
from sevenhues.core.options import OptionValue
from sevenhues.core.play import RANDOM_INTERVAL_MS, TimedMove, play_text
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Dealer


class LawBroken(AssertionError):
    """A game does not keep a law of the contract."""


class Story:
    """One game, from its deal to where it is now."""

    def __init__(self, game: Game[Any], seats: int, options: dict[str, OptionValue], seed: str) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.setup = self.deal()
        self.position: Position = game.start(self.setup, seats, options)
        self.pieces = sorted(self.position.all_pieces())
        self.viewers = [*range(seats), WATCHER]
        self.moves: list[TimedMove] = []
        self.ply = 0
        self.seen: dict[int, list[bytes]] = {viewer: [] for viewer in self.viewers}

    def deal(self) -> dict[str, Any]:
        return self.game.deal(self.seats, self.options, Dealer(self.seed.encode()), None)

    def see(self) -> None:
        """Note what every viewer sees now."""
        for viewer in self.viewers:
            self.seen[viewer].append(shown(self.game, self.position, viewer))

    def now(self) -> list[bytes]:
        """Return what every viewer sees now."""
        return [self.seen[viewer][self.ply] for viewer in self.viewers]

    def play(self, seat: int, move: int) -> None:
        """Make a move and write it down."""
        at = RANDOM_INTERVAL_MS * len(self.moves) if self.game.simultaneous else None
        self.moves.append(TimedMove(seat, self.game.text(self.position, seat, move), at))
        self.ply = len(self.moves)
        self.position.play(seat, move)

    def go_to(self, ply: int) -> None:
        """Go back to the position after so many moves."""
        self.ply = ply
        self.position = self.game.start(self.setup, self.seats, self.options)
        for move in self.moves[:ply]:
            play_text(self.game, self.position, move.seat, move.text)


def shown(game: Game[Any], position: Position, viewer: int) -> bytes:
    """Write down all that may reach a viewer: view, features, recall, legal moves, whose turn, scores, outcome."""
    return msgspec.json.encode(
        [
            game.view(position, viewer),
            game.observation_encoder().encode(position, viewer),
            game.information_state_encoder().encode(position, viewer),
            position.legal(viewer) if viewer >= 0 else [],
            position.to_act(),
            position.scores(),
            repr(position.outcome()),
        ]
    )


def require(kept: bool, law: str) -> None:
    if not kept:
        raise LawBroken(law)


def answer(game: Game[Any], position: Position, seat: int, text: str) -> str:
    """Write down what a seat is told when it sends a move: that it is legal, or why not."""
    try:
        return str(parse(game, position, seat, text))
    except SevenHuesError as error:
        return f"{error!r} {error} {getattr(error, 'parameters', '')} {getattr(error, 'legal', '')}"
