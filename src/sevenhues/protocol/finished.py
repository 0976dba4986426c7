"""What is told of a game that is over: its replay, its story, and the odds of what was hidden."""

from typing import Literal

import msgspec

from sevenhues.protocol.live import Drawn, Moved


class StoryMove(msgspec.Struct):
    """What a move came to, for the seat that made it; chances run from 0 to 1."""

    seat: int
    move: str
    best: str | None  # what would have been better, where it would have been by more than a trifle
    forced: bool  # there was nothing to choose
    choice: float  # against the best move: 0 or less
    luck: float  # what is left of the change until the next decision


class TurningPoint(msgspec.Struct):
    """A move that changed a chance a lot, most of it by choice or by luck."""

    ply: int
    kind: Literal["choice", "luck"]


class StorySum(msgspec.Struct):
    """What a seat's game was made of: start, choice, given, luck and outside add up to end."""

    start: float
    choice: float  # its own choices
    given: float  # the choices of the others
    luck: float
    outside: float  # somebody resigned, or ran out of time
    end: float


class Fact(msgspec.Struct):
    """A figure of each seat over a whole race; below 0 is none."""

    key: str
    unit: Literal["", "s"]
    values: list[float]
    about: str


class Moment(msgspec.Struct):
    """Something that mattered in a race."""

    ply: int
    at: int
    seat: int
    key: str
    parameters: dict[str, str | int]
    about: str


class Chronicle(msgspec.Struct):
    """A race in figures and moments."""

    facts: list[Fact]
    moments: list[Moment]


class Story(msgspec.Struct):
    """The story of a game: scores and chances before each move and at the end, by seat.

    Where everybody acts at once there are times and a chronicle in the place of chances.
    """

    version: int
    scores: list[list[int]]
    times: list[int] | None = None
    level: str | None = None  # who judged
    simulations: int = 0
    hidden: bool = False  # something was hidden: else nothing is luck, only unforeseen
    chances: list[list[float]] | None = None
    moves: list[StoryMove] = []
    turning: list[TurningPoint] = []
    sums: list[StorySum] = []
    chronicle: Chronicle | None = None


class Analysis(msgspec.Struct):
    """How far the story of a game is: nobody has asked for it (`none`), so many plies are judged, or it is there."""

    state: Literal["none", "running", "done"]
    done: int = 0
    of: int = 0
    story: Story | None = None


class Belief(msgspec.Struct):
    """How likely a hidden face is to be each symbol."""

    where: str
    seat: int  # whose place it is; -1 for nobody's
    at: int
    side: int
    seen: str  # the other face, if it was seen
    chances: list[float]
    about: str


class Beliefs(msgspec.Struct):
    """Every hidden face at a moment, for one who remembers all that a seat (or a watcher, -1) has seen."""

    ply: int
    seat: int
    symbols: list[str]
    faces: list[Belief]


class Frame(msgspec.Struct):
    """A moment of a finished game, after `ply` moves: the view is of the game's own type."""

    ply: int
    turn: list[int]  # the seats to act; after a resignation, say, those who would have been
    scores: list[int]
    view: msgspec.Raw
    text: Drawn | None = None


class Replay(msgspec.Struct):
    """A finished game through somebody's eyes, from one moment to another; `more` is the moment to go on from."""

    table: str
    eyes: int | Literal["watcher", "everything"]
    moves: list[Moved]  # all of the game: moves[ply - 1] led to the frame of a ply
    frames: list[Frame]
    more: int | None = None
