"""What can be wrong with what we are given: not a record, not a move, a move no rule allows."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

LISTED = 60  # legal moves a message lists before it only counts them


class SevenHuesError(Exception):
    """Any mistake in what came from outside; its text tells a person what to do."""


class BadOption(SevenHuesError):
    """An unknown option, a value it does not take, or a number of seats the game does not have."""


class BadRecord(SevenHuesError):
    """Not a record: `where` in it, and `what` is wrong."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.where = where
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return BadRecord, (self.where, self.what)


class BadNotation(SevenHuesError):
    """G-3: text that is no move of the game."""

    def __init__(self, game: str, text: str, moves: str) -> None:
        super().__init__(f"{shorten(text)} is no move of {game}; its moves are {moves} (G-3)")
        self.rule = "G-3"
        self.game = game
        self.text = text
        self.moves = moves

    def __reduce__(self) -> tuple[Any, ...]:
        return BadNotation, (self.game, self.text, self.moves)


class Refusal(NamedTuple):
    """Why a move is refused: the rule, and English text with {parameters}."""

    rule: str
    text: str


class IllegalMove(SevenHuesError):
    """A move of the game that a rule does not allow here.

    `key` names the message for translation, `parameters` fill it in, `legal` is what was allowed.
    """

    def __init__(
        self,
        key: str,
        refusal: Refusal,
        parameters: Mapping[str, str | int],
        seat: int,
        move: str,
        legal: Sequence[str],
    ) -> None:
        self.key = key
        self.refusal = refusal
        self.rule = refusal.rule
        self.parameters = dict(parameters)
        self.seat = seat
        self.move = move
        self.legal = list(legal)
        self.text = refusal.text.format(**parameters)
        super().__init__(f"{self.text} ({self.rule})")

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalMove, (self.key, self.refusal, self.parameters, self.seat, self.move, self.legal)


class InvalidRecord(SevenHuesError):
    """A record whose moves break a rule, or whose result contradicts them; `ply` moves were sound."""

    def __init__(self, ply: int, what: str) -> None:
        super().__init__(f"ply {ply}: {what}")
        self.ply = ply
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return InvalidRecord, (self.ply, self.what)


def listed(texts: Sequence[str], most: int = LISTED) -> str:
    """List moves in a message, however many there are."""
    more = len(texts) - most
    return (" ".join(texts[:most]) or "nothing") + (f" … and {more} more" if more > 0 else "")


def shorten(text: str, most: int = 40) -> str:
    """Quote text for a message, however long or strange it is."""
    cut = text if len(text) <= most else text[:most] + "…"
    return repr(cut)
