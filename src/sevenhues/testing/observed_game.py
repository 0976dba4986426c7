"""A game under check: its deal, its moves, and what each viewer saw after every move."""

from typing import Any

import msgspec

from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import Game
from sevenhues.core.moves import parse
from sevenhues.core.options import OptionValue
from sevenhues.core.play import RANDOM_INTERVAL_MS, TimedMove, play_text
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Dealer

ERROR_FIELDS = ("key", "rule", "parameters", "legal")  # of a refusal, besides its text


class LawBroken(AssertionError):
    """A game breaks a law of the contract."""


class ObservedGame:
    """One game, with everything that its viewers (the seats and WATCHER) have seen."""

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
        self.ply = 0  # the number of moves that led to the position
        self.observations: dict[int, list[bytes]] = {viewer: [] for viewer in self.viewers}  # by ply

    def deal(self) -> dict[str, Any]:
        """Deal the setup of this game."""
        return self.game.deal(self.seats, self.options, Dealer(self.seed.encode()), None)

    def observe(self) -> None:
        """Store what every viewer sees now."""
        for viewer in self.viewers:
            self.observations[viewer].append(observation(self.game, self.position, viewer))

    def current_observations(self) -> list[bytes]:
        """Return the stored observations of all viewers at this ply."""
        return [self.observations[viewer][self.ply] for viewer in self.viewers]

    def play(self, seat: int, move: int) -> None:
        """Play a move and add it to the moves."""
        at_ms = RANDOM_INTERVAL_MS * len(self.moves) if self.game.simultaneous else None
        self.moves.append(TimedMove(seat, self.game.text(self.position, seat, move), at_ms))
        self.ply = len(self.moves)
        self.position.play(seat, move)

    def go_to(self, ply: int) -> None:
        """Set the position to the one after `ply` moves."""
        self.ply = ply
        self.position = self.game.start(self.setup, self.seats, self.options)
        for move in self.moves[:ply]:
            play_text(self.game, self.position, move.seat, move.text)


def observation(game: Game[Any], position: Position, viewer: int) -> bytes:
    """Encode everything a viewer gets: view, encodings, legal moves, seats to act, scores, outcome and potential."""
    return msgspec.json.encode(
        [
            game.view(position, viewer),
            game.observation_encoder().encode(position, viewer),
            game.information_state_encoder().encode(position, viewer),
            game.network_input_encoder().encode(position, viewer) if viewer >= 0 else [],
            position.legal(viewer) if viewer >= 0 else [],
            position.to_act(),
            position.scores(),
            repr(position.outcome()),
            game.bot_support().potential(position, viewer) if viewer >= 0 else 0.0,
        ]
    )


def parse_result(game: Game[Any], position: Position, seat: int, text: str) -> str:
    """Return everything a seat learns by sending a move: the parsed move, or the error in full."""
    try:
        return str(parse(game, position, seat, text))
    except SevenHuesError as error:
        return " ".join([f"{error!r} {error}", *(str(getattr(error, name, "")) for name in ERROR_FIELDS)])


def require(holds: bool, law: str) -> None:
    """Raise LawBroken with the law unless it holds."""
    if not holds:
        raise LawBroken(law)
