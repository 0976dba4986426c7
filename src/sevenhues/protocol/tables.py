"""Tables, games and accounts in the HTTP API, and the bodies of requests."""

from typing import Annotated, Literal

import msgspec

# Patterns end in $(?!\n), because Python's $ also matches before a newline at the end.
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40, description="A name that other players see.")]
TableId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{3,60}$(?!\n)", description="The id of a table.")]
GameId = Annotated[str, msgspec.Meta(max_length=60)]
PlayerId = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9a-f]{16}$(?!\n)", description="The id of a user's public profile.")
]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=15)]
Token = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$(?!\n)", description="An id chosen by the client."),
]
Entropy = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9_-]{16,64}$(?!\n)", description="Entropy that a player's client adds to the deal."
    ),
]
Commitment = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$(?!\n)", description="The SHA-256 of a player's entropy.")
]
Seed = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Z0-9]{1,8}(-[A-Z0-9]{1,8}){0,3}$(?!\n)",
        description="The seed of a puzzle: the same seed gives the same deal.",
    ),
]
OFFLINE_ID = r"^offline-[a-z0-9-]{8,52}$(?!\n)"  # the id of a game on the device that ran it without a server
Status = Literal["waiting", "playing", "finished"]
Verdict = Literal["won", "drawn", "lost"]
Unrated = Literal[
    "alone",
    "hints",
    "helped",
    "shared",
    "bots",
    "elsewhere",
    "offline",
    "abandoned",
    "same-person",
    "flagged",
    "gift",
]


class Clock(msgspec.Struct, forbid_unknown_fields=True):
    """How long players may think.

    `move`: `seconds` for each decision. `bank`: `seconds` for the whole game, and `increment` more after each turn.
    """

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, msgspec.Meta(ge=1, le=1_209_600)] = 300
    increment: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0


class Me(msgspec.Struct):
    """The caller's account: a guest, known by a cookie, or a bot account, known by its token."""

    id: str
    name: str
    player: str  # the id of the public profile: see `Profile`
    bot_account: bool = False


class Choice(msgspec.Struct):
    """An option of a game; its default comes first."""

    name: str
    choices: list[bool | int | str]
    about: str
    helps: bool = False  # any value but the default makes the game easier and unrated


class LevelInfo(msgspec.Struct):
    """A level of a game's bots."""

    name: str
    about: str


class GameInfo(msgspec.Struct):
    """A game that can be played here."""

    id: str
    title: str
    min_seats: int
    max_seats: int
    simultaneous: bool  # all players act at once: a race
    hidden_information: bool  # players see different things: those who share a screen need a curtain
    rules_version: int
    options: list[Choice]
    levels: list[LevelInfo]  # the game's own, the weakest first; the general searches if it has none
    lesson: bool  # the game has a lesson


class ServerInfo(msgspec.Struct):
    """The server, as a browser on the same machine sees it."""

    network_urls: list[str]  # where other devices reach it; empty if it listens on the loopback interface alone


class SeatInfo(msgspec.Struct):
    """A seat of a table, as everybody sees it."""

    kind: Literal["open", "person", "bot"]
    name: str | None = None  # null for an open seat
    level: str | None = None  # of a bot, also of one that took over the seat
    connected: bool = False  # the player has a connection to this table
    ready: bool = False  # the player's client has committed to its entropy, or added it to the deal
    rematch: bool = False  # the player offers a rematch
    player: str | None = None  # the id of the public profile, for a user with this one seat
    away_until: int | None = None  # when the player's holidays end, or ended, which stop their clock
    bot_account: bool = False  # a program plays the seat, over a bot account: the kind is that of a user, `person`
    challenged: str | None = None  # the name of the bot account for which an open seat is, or was, reserved
    declined: str | None = None  # why that bot does not take the seat: a `DeclineReason`, or gone


class Result(msgspec.Struct):
    """The end of a game. `reason` is the game's own, or `resigned`, `timeout` or `abandoned`."""

    reason: str
    scores: list[int]
    winners: list[int]
    seat: int | None = None  # the seat that resigned or ran out of time


class Proof(msgspec.Struct):
    """The secret and the entropy of the deal: see `sevenhues.core.deal_proof`. Published when the game is over."""

    secret: str
    entropies: list[str]  # of the users, in the order of their first seats; a commitment where none was revealed
    previous: list[int] | None = None  # the winners of the game of which this is the rematch


class Branch(msgspec.Struct):
    """The ply of another table's game from which a game continues."""

    table: str
    ply: int


class TableInfo(msgspec.Struct):
    """A table, as one user sees it."""

    id: str
    game: str
    options: dict[str, bool | int | str]
    seats: list[SeatInfo]
    status: Status
    public: bool
    clock: Clock
    bot_takeover: bool  # a bot takes over the seat of a player who runs out of time
    manual_start: bool  # the owner starts the game; otherwise it starts when every seat is taken
    commitment: str  # SHA-256 of the server's secret, published before anybody took a seat
    is_owner: bool  # the caller created the table
    your_seats: list[int]  # the caller's seats
    created: int
    started: int | None = None
    ply: int = 0
    turn: list[int] = []  # the seats to act
    scores: list[int] = []
    updated: int = 0
    watchers: int = 0
    result: Result | None = None
    next: str | None = None  # the table of the rematch
    previous: str | None = None  # the table of which this is the rematch
    proof: Proof | None = None
    seed: str | None = None  # of a table for one player: the seed of the deal
    hints: bool = False  # players may ask for hints
    imported: bool = False  # the record was uploaded: the server did not deal, and vouches for nothing
    played_offline: bool = False  # the record was uploaded from the device that ran the game without a server
    branch: Branch | None = None  # the game continues another one: the deal has no proof
    unrated: Unrated | None = None  # why the game is not rated; null if it is
    commitments: list[str] | None = None  # to the users' entropy, in the order of their first seats, once all are in
    bots_welcome: bool = False  # bot accounts may take open seats
    by_bot: bool = False  # a bot account created the table


class TableList(msgspec.Struct):
    """A page of tables, newest first; `more` is given back as `before` for the next page."""

    tables: list[TableInfo]
    more: str | None = None


class Hint(msgspec.Struct):
    """A move, and the estimated chance to win with it; null if it is the only legal move."""

    text: str
    chance: float | None


class Hints(msgspec.Struct):
    """The moves that the game's best bot would choose for a seat after `ply` moves, the best move first."""

    ply: int
    moves: list[Hint]


class Problem(msgspec.Struct):
    """The reason of a refusal. `key` and `parameters` are for translation, `text` is English."""

    key: str
    text: str
    parameters: dict[str, str | int] = {}
    rule: str | None = None


class SeatRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A seat of a new table: the caller's (with a name of its own on a shared device), open, or a bot's.

    With `challenge` it is reserved for the bot account whose `player` is given.
    """

    kind: Literal["me", "open", "bot", "challenge"]
    name: Name | None = None
    level: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    player: PlayerId | None = None


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    game: GameId
    seats: Annotated[list[SeatRequest], msgspec.Meta(min_length=1, max_length=16)]
    options: dict[str, bool | int | str] = {}
    public: bool = False
    clock: Clock = msgspec.field(default_factory=Clock)
    bot_takeover: bool = False
    manual_start: bool = False
    seed: Seed | None = None  # for a table with one seat; by default a random one
    hints: bool = False
    bots_welcome: bool = False  # bot accounts may take open seats


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """Take an open seat; by default the first one."""

    seat: SeatNumber | None = None
    name: Name | None = None


class SeatBot(msgspec.Struct, forbid_unknown_fields=True):
    """Let a bot take an open seat."""

    level: Annotated[str, msgspec.Meta(max_length=40)]


class BranchRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Continue a finished game from a ply, in one of its seats, against bots."""

    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]  # the number of moves that are kept
    seat: SeatNumber
    level: Annotated[str, msgspec.Meta(max_length=40)] | None = None  # of the bots; by default a medium one


class Rename(msgspec.Struct, forbid_unknown_fields=True):
    name: Name


class Vacation(msgspec.Struct):
    """The caller's holidays: until when, if they are on, and the days that are left in this year (365 days)."""

    until: int | None
    days_left: int


class BeginVacation(msgspec.Struct, forbid_unknown_fields=True):
    days: Annotated[int, msgspec.Meta(ge=1, le=30)]


class TransferCode(msgspec.Struct):
    """A code that transfers an account to another device, once, within ten minutes."""

    code: str
    expires: int


class Transfer(msgspec.Struct, forbid_unknown_fields=True):
    code: Annotated[str, msgspec.Meta(max_length=64)]
