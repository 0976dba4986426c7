"""What goes over the wire: the bodies of the HTTP API, and one tagged union a direction for a table's websocket.

The schema (`sevenhues schema`, `/api/schema`) and the browser's types follow from this file. Times are milliseconds
since 1970 by the server's clock. A seat is its number; eyes of -1 are a watcher's.
"""

from typing import Annotated, Any, Literal

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


# -- What both directions speak of ------------------------------------------------------------------------------


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
    """What the deal was made of: see `sevenhues.core.proof`. Open once the game is over."""

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


class Ranked(msgspec.Struct):
    """A player's place on a leaderboard. The rating is a mean of 1500 for newcomers; see docs/ratings.md."""

    rank: int | None  # null while the rating is provisional
    player: str
    name: str | None  # null for a bot
    level: str | None  # of a bot
    rating: int
    doubt: int  # how far off it may be: a standard deviation
    games: int
    provisional: bool


class Leaderboard(msgspec.Struct):
    """Some players of a game, the best first; `more` is given back as `after` for the next page."""

    game: str
    players: list[Ranked]
    more: int | None = None


class RatedAt(msgspec.Struct):
    """A point of a rating's curve: what it became at a time."""

    at: int
    rating: int


class GameRating(msgspec.Struct):
    """What somebody is rated in a game, with the latest points of its curve, oldest first."""

    game: str
    rating: int
    doubt: int
    games: int
    provisional: bool
    curve: list[RatedAt]


class Profile(msgspec.Struct):
    """Somebody who has played rated games, as everybody may see them; a bot goes by its level in all games."""

    player: str
    name: str | None  # null for a bot
    level: str | None  # of a bot
    me: bool
    ratings: list[GameRating]


class Contender(msgspec.Struct):
    """A seat of a rated game; who wished to be forgotten has no name."""

    player: str | None
    name: str | None
    level: str | None
    place: int


class RatedGame(msgspec.Struct):
    """A rated game of somebody's, and what it did to their rating."""

    game: str
    table: str | None  # its link, where the caller may have it
    at: int
    result: Verdict
    place: int
    before: int
    after: int
    others: list[Contender]


class RatedGames(msgspec.Struct):
    """Somebody's rated games, newest first; `more` is given back as `before` for the next page."""

    games: list[RatedGame]
    more: int | None = None


class RatingChange(msgspec.Struct):
    """What a game did to the rating of who sat in a seat."""

    before: int
    after: int


class TableRatings(msgspec.Struct):
    """What a game did to everybody's ratings, by seat; empty if it did not count, null for who was forgotten."""

    seats: list[RatingChange | None]


class Problem(msgspec.Struct):
    """Why a request was refused. `key` and `parameters` are for translation, `text` is English."""

    key: str
    text: str
    parameters: dict[str, str | int] = {}
    rule: str | None = None


# -- What is told of a game that is over --------------------------------------------------------------------------


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


# -- Bodies of requests -------------------------------------------------------------------------------------------


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


# -- Replays ------------------------------------------------------------------------------------------------------


class Frame(msgspec.Struct):
    """A moment of a finished game, after `ply` moves: the view is of the game's own type."""

    ply: int
    turn: list[int]  # the seats to act; after a resignation, say, those who would have been
    scores: list[int]
    view: msgspec.Raw
    text: "Drawn | None" = None


class Replay(msgspec.Struct):
    """A finished game through somebody's eyes, from one moment to another; `more` is the moment to go on from."""

    table: str
    eyes: int | Literal["watcher", "everything"]
    moves: "list[Moved]"  # all of the game: moves[ply - 1] led to the frame of a ply
    frames: list[Frame]
    more: int | None = None


# -- The websocket: from a client ---------------------------------------------------------------------------------


class Look(msgspec.Struct, tag="look", forbid_unknown_fields=True):
    """Choose the seats, among one's own, whose views to be sent; none is a watcher's view.

    At first it is the one seat held, or all of them where everybody acts at once, or else a watcher's: a shared device
    asks for a seat once its player looks. With `text`, views come as text too.
    """

    seats: Annotated[list[SeatNumber], msgspec.Meta(max_length=16)]
    text: bool = False


class Ready(msgspec.Struct, tag="ready", forbid_unknown_fields=True):
    """Add to the deal, after having kept the table's commitment. Counts once for each person."""

    id: Token
    entropy: Entropy


class Start(msgspec.Struct, tag="start", forbid_unknown_fields=True):
    """Start a table of one's own that waits for it."""

    id: Token


class Move(msgspec.Struct, tag="move", forbid_unknown_fields=True):
    """Make a move, having seen `ply` moves. Sent again with the same `id` it counts once."""

    id: Token
    seat: SeatNumber
    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
    text: Annotated[str, msgspec.Meta(max_length=64)]


class Resign(msgspec.Struct, tag="resign", forbid_unknown_fields=True):
    id: Token
    seat: SeatNumber


class Rematch(msgspec.Struct, tag="rematch", forbid_unknown_fields=True):
    """Offer a rematch, or accept one: it is laid when everybody who sat here has offered."""

    id: Token


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Ask for a pong; `at` comes back as it was."""

    at: Annotated[float, msgspec.Meta(ge=0, le=1e15)]


FromClient = Look | Ready | Start | Move | Resign | Rematch | Ping


# -- The websocket: from the server -------------------------------------------------------------------------------


class Table(msgspec.Struct, tag="table"):
    """The table, on connecting and whenever its seats, its state or who is here changes."""

    table: TableInfo
    now: int


class Moved(msgspec.Struct):
    """A move that was made; `at` is in milliseconds since the start where everybody acts at once."""

    seat: int
    text: str
    at: int | None = None


class Drawn(msgspec.Struct):
    """A view as text: the table drawn in letters, and what the last move showed in a sentence."""

    drawing: str
    telling: str


class Eye(msgspec.Struct):
    """What one seat sees: the view is of the game's own type, `legal` lists the moves it may make now."""

    seat: int
    view: msgspec.Raw
    legal: list[str]
    text: Drawn | None = None


class ClockState(msgspec.Struct):
    """The clocks at the time `at`: what is left to each seat, in milliseconds, and whose runs."""

    left: list[int]
    running: int | None
    at: int


class Update(msgspec.Struct, tag="update"):
    """The position after `ply` moves, through the client's eyes: on connecting, and after everything that happens."""

    ply: int
    now: int
    move: Moved | None  # the one that led here; null on connecting and looking
    turn: list[int]  # the seats to act
    scores: list[int]
    eyes: list[Eye]
    clock: ClockState | None = None
    begins: int | None = None  # when the race starts, while that lies ahead
    result: Result | None = None
    history: list[Moved] | None = None  # all moves so far, on connecting and looking


class Done(msgspec.Struct, tag="done"):
    """What the client asked for under this id is done, for good; a move stands as number `ply`."""

    id: str
    ply: int | None = None


class Refused(msgspec.Struct, tag="refused"):
    """What the client asked for is not done. After a stale move the true view follows."""

    id: str | None
    key: str
    text: str
    parameters: dict[str, Any] = {}
    rule: str | None = None
    legal: list[str] = []


class Pong(msgspec.Struct, tag="pong"):
    at: float
    now: int


class Bye(msgspec.Struct, tag="bye"):
    """The server closes the connection; after `stopping` come back, after `gone` the table is no more."""

    reason: Literal["stopping", "slow", "flood", "gone", "deleted"]


FromServer = Table | Update | Done | Refused | Pong | Bye
