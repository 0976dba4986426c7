"""Errors about input from outside: options, records, the notation of moves, and moves that a rule forbids."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

MAX_LISTED_MOVES = 60  # a message lists so many moves and counts the others
MAX_QUOTED_LENGTH = 40  # a message quotes so many characters of a text


class SevenHuesError(Exception):
    """Base class of all errors about input from outside. The message tells a person what to correct."""


class BadOption(SevenHuesError):
    """An unknown option, an invalid value of one, or a number of seats that the game does not support."""


class BadRecord(SevenHuesError):
    """A record that cannot be read: `problem` describes the error, `location` is its place in the record."""

    def __init__(self, location: str, problem: str) -> None:
        super().__init__(f"{location}: {problem}" if location else problem)
        self.location = location
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return BadRecord, (self.location, self.problem)


class BadNotation(SevenHuesError):
    """G-3: a text that is not a move of the game in any position."""

    def __init__(self, game: str, text: str, moves: str) -> None:
        super().__init__(f"{shorten(text)} is not a move of {game}; its moves are {moves} (G-3)")
        self.rule = "G-3"
        self.game = game
        self.text = text
        self.moves = moves

    def __reduce__(self) -> tuple[Any, ...]:
        return BadNotation, (self.game, self.text, self.moves)


class Refusal(NamedTuple):
    """A reason to refuse a move: the rule, and an English text with {parameters}."""

    rule: str
    text: str


class IllegalMove(SevenHuesError):
    """A move of the game that a rule forbids in this position.

    `key` names the message for translation, `parameters` fill it in, and `legal` lists the legal moves.
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
    """A record whose moves break a rule, or whose result contradicts its moves; the first `ply` moves are legal."""

    def __init__(self, ply: int, problem: str) -> None:
        super().__init__(f"ply {ply}: {problem}")
        self.ply = ply
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return InvalidRecord, (self.ply, self.problem)


def list_moves(texts: Sequence[str], max_count: int = MAX_LISTED_MOVES) -> str:
    """Join moves for a message, and count those beyond `max_count`."""
    more = len(texts) - max_count
    return (" ".join(texts[:max_count]) or "nothing") + (f" … and {more} more" if more > 0 else "")


def any_of(choices: Sequence[str]) -> str:
    """Join choices for a message: `a1, a3 or a5`."""
    return " or ".join([part for part in (", ".join(choices[:-1]), choices[-1]) if part])


def shorten(text: str, max_length: int = MAX_QUOTED_LENGTH) -> str:
    """Quote a text for a message: cut to `max_length` characters, with special characters escaped."""
    return repr(text if len(text) <= max_length else text[:max_length] + "…")
