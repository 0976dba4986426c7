"""Finished games on the wire: replays, analyses, and the odds of hidden faces."""

from typing import Literal

import msgspec

from sevenhues.protocol.live import Moved, TextView


class AnalysedMove(msgspec.Struct):
    """The effect of a move on the chances of its seat; chances run from 0 to 1."""

    seat: int
    move: str
    best: str | None  # a move that would have been clearly better
    forced: bool  # there was no other legal move
    choice: float  # compared with the best move: 0 or less
    luck: float  # the rest of the change until the next decision


class TurningPoint(msgspec.Struct):
    """A move that changed a chance a lot, most of it by choice or by luck."""

    ply: int
    kind: Literal["choice", "luck"]


class SeatSummary(msgspec.Struct):
    """The parts of a seat's result: start, choice, others, luck and outside add up to end."""

    start: float
    choice: float  # its own choices
    others: float  # the choices of the other seats
    luck: float
    outside: float  # a resignation, or a player who ran out of time
    end: float


class Fact(msgspec.Struct):
    """A number for each seat over a whole race; below 0 is none."""

    key: str
    unit: Literal["", "s"]
    values: list[float]
    about: str


class RaceMoment(msgspec.Struct):
    """A notable moment of a race."""

    ply: int
    at: int
    seat: int
    key: str
    parameters: dict[str, str | int]
    about: str


class RaceReport(msgspec.Struct):
    """Facts and moments of a race."""

    facts: list[Fact]
    moments: list[RaceMoment]


class AnalysisReport(msgspec.Struct):
    """The analysis of a game: scores and chances before each move and at the end, by seat.

    A race has times and a race report in place of chances.
    """

    version: int
    scores: list[list[int]]
    times: list[int] | None = None
    level: str | None = None  # of the bot that evaluated the moves
    simulations: int = 0
    hidden: bool = False  # the game hid information: otherwise `luck` is what the evaluation did not foresee
    chances: list[list[float]] | None = None
    moves: list[AnalysedMove] = []
    turning: list[TurningPoint] = []
    sums: list[SeatSummary] = []
    race_report: RaceReport | None = None


class Analysis(msgspec.Struct):
    """The state of an analysis: not requested (`none`), so many plies evaluated (`running`), or `done`."""

    state: Literal["none", "running", "done"]
    done: int = 0
    of: int = 0
    report: AnalysisReport | None = None


class Belief(msgspec.Struct):
    """The probability of each symbol on a hidden face."""

    where: str
    seat: int  # the seat that owns the place; -1 for none
    at: int
    side: int
    seen: str  # the other face, if it was seen
    chances: list[float]
    about: str


class Beliefs(msgspec.Struct):
    """All hidden faces at a ply, given everything that a seat (or a watcher, -1) had seen."""

    ply: int
    seat: int
    symbols: list[str]
    faces: list[Belief]


class Frame(msgspec.Struct):
    """The position of a finished game after `ply` moves; the type of the view depends on the game."""

    ply: int
    turn: list[int]  # the seats to act; after an early end, those that would have been
    scores: list[int]
    view: msgspec.Raw
    text: TextView | None = None


class Replay(msgspec.Struct):
    """Frames of a finished game in one view; `more` is the ply of the next page."""

    table: str
    view: int | Literal["watcher", "everything"]
    moves: list[Moved]  # all moves of the game: moves[ply - 1] led to the frame of a ply
    frames: list[Frame]
    more: int | None = None
