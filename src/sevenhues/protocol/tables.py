"""Tables, games and people, as the HTTP API tells of them, and the bodies of requests."""

from typing import Annotated, Literal

import msgspec

# Patterns end in $(?!\n), because Python's $ would let a line's end through.
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40, description="A name that others see.")]
TableId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{3,60}$(?!\n)", description="A table's part of its link.")]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=15)]
Token = Annotated[
    str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$(?!\n)", description="Anything that names one request.")
]
Entropy = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9_-]{16,64}$(?!\n)", description="Chance that a player's client adds to the deal."
    ),
]
Seed = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Z0-9]{1,8}(-[A-Z0-9]{1,8}){0,3}$(?!\n)",
        description="Names a puzzle: the same seed deals the same.",
    ),
]
Status = Literal["waiting", "playing", "finished"]
Verdict = Literal["won", "drawn", "lost"]
Unrated = Literal["alone", "hints", "helped", "shared", "bots", "elsewhere", "abandoned", "unplayed"]


class Clock(msgspec.Struct, forbid_unknown_fields=True):
    """How long players may think.

    `move`: so many seconds for each decision. `bank`: so many for the whole game, and `increment` more after each turn.
    """

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, msgspec.Meta(ge=1, le=1_209_600)] = 300
    increment: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0


class Me(msgspec.Struct):
    """Who the caller is: a guest, known by a cookie."""

    id: str
    name: str
    player: str  # what others know them by: see `Profile`


class Choice(msgspec.Struct):
    """An option of a game; its default comes first."""

    name: str
    choices: list[bool | int | str]
    about: str
    helps: bool = False  # any value but the default makes the game easier, and unrated


class LevelInfo(msgspec.Struct):
    """A bot that a game offers."""

    name: str
    about: str


class GameInfo(msgspec.Struct):
    """A game that can be played here."""

    id: str
    title: str
    min_seats: int
    max_seats: int
    simultaneous: bool  # everybody at once
    rules_version: int
    options: list[Choice]
    levels: list[LevelInfo]  # the weakest first
    lesson: bool  # there is one, to learn it by playing


class SeatInfo(msgspec.Struct):
    """A place at a table, as everybody sees it."""

    kind: Literal["open", "person", "bot"]
    name: str | None = None  # null while it is open
    level: str | None = None  # of a bot, also of one that took over
    here: bool = False  # a person with a connection to this table
    ready: bool = False  # their client has added to the deal
    rematch: bool = False  # they offer one
    player: str | None = None  # whose profile to look at: of a person in this one seat


class Result(msgspec.Struct):
    """How a game ended. `reason` is the game's own, or `resigned`, `timeout`, `abandoned`."""

    reason: str
    scores: list[int]
    winners: list[int]
    seat: int | None = None  # who resigned or ran out of time


class Proof(msgspec.Struct):
    """What the deal was made of: see `sevenhues.core.deal_proof`. Open once the game is over."""

    secret: str
    entropies: list[str]  # of the persons, in the order of their first seats
    previous: list[int] | None = None  # the winners of the game before this one at this table


class Branch(msgspec.Struct):
    """The moment of another table's game that a game was played on from."""

    table: str
    ply: int


class TableInfo(msgspec.Struct):
    """A table, as one caller sees it."""

    id: str
    game: str
    options: dict[str, bool | int | str]
    seats: list[SeatInfo]
    status: Status
    public: bool
    clock: Clock
    takeover: bool  # a bot takes the seat of whoever runs out of time
    waits: bool  # it starts when its owner says so, not by itself
    commitment: str  # SHA-256 of the server's secret, published before anybody sat down
    owner: bool  # the caller made it
    mine: list[int]  # seats the caller holds
    created: int
    started: int | None = None
    ply: int = 0
    turn: list[int] = []  # the seats to act
    scores: list[int] = []
    updated: int = 0
    watchers: int = 0
    result: Result | None = None
    next: str | None = None  # the table of the rematch
    previous: str | None = None  # the table this is the rematch of
    proof: Proof | None = None
    seed: str | None = None  # of a table for one: what it is dealt from
    hints: bool = False  # players may ask what a strong bot would do
    imported: bool = False  # its record was uploaded: nobody here saw it played, and nothing proves its deal
    branch: Branch | None = None  # it was played on from there: no game of its own, and nothing proves its deal
    unrated: Unrated | None = None  # why its game does not count for ratings; null if it does


class TableList(msgspec.Struct):
    """Some tables, newest first; `more` is given back as `before` for the next page."""

    tables: list[TableInfo]
    more: str | None = None


class Advice(msgspec.Struct):
    """A move, and the estimated chance to win with it; null for the only move there is."""

    text: str
    chance: float | None


class Advised(msgspec.Struct):
    """What the game's best bot would do in a seat's place after `ply` moves, the best move first."""

    ply: int
    moves: list[Advice]


class Problem(msgspec.Struct):
    """Why a request was refused. `key` and `parameters` are for translation, `text` is English."""

    key: str
    text: str
    parameters: dict[str, str | int] = {}
    rule: str | None = None


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to sit in a seat of a new table: `me` (with a name of its own on a shared device), anybody, or a bot."""

    kind: Literal["me", "open", "bot"]
    name: Name | None = None
    level: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    game: Annotated[str, msgspec.Meta(max_length=60)]
    seats: Annotated[list[SeatWish], msgspec.Meta(min_length=1, max_length=16)]
    options: dict[str, bool | int | str] = {}
    public: bool = False
    clock: Clock = msgspec.field(default_factory=Clock)
    takeover: bool = False
    waits: bool = False
    seed: Seed | None = None  # for a table of one: a puzzle that others can be sent; by default a new one
    hints: bool = False


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """Take an open seat; the first one if none is named."""

    seat: SeatNumber | None = None
    name: Name | None = None


class SitBot(msgspec.Struct, forbid_unknown_fields=True):
    """Let a bot take an open seat."""

    level: Annotated[str, msgspec.Meta(max_length=40)]


class PlayOn(msgspec.Struct, forbid_unknown_fields=True):
    """Play on from a moment of a finished game, in one of its seats, against bots."""

    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]  # so many moves of it were made
    seat: SeatNumber
    level: Annotated[str, msgspec.Meta(max_length=40)] | None = None  # of the bots; by default a fair one


class Rename(msgspec.Struct, forbid_unknown_fields=True):
    name: Name


class CarryCode(msgspec.Struct):
    """Carries an identity to another device, once, within ten minutes."""

    code: str
    expires: int


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    code: Annotated[str, msgspec.Meta(max_length=64)]
