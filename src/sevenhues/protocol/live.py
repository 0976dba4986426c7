"""A table's websocket: one tagged union a direction."""

from typing import Annotated, Any, Literal

import msgspec

from sevenhues.protocol.tables import Entropy, Result, SeatNumber, TableInfo, Token

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
