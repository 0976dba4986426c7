"""The messages of a table's websocket: one tagged union for each direction."""

from typing import Annotated, Any, Literal

import msgspec

from sevenhues.protocol.phrases import Phrase
from sevenhues.protocol.tables import Commitment, Entropy, Result, SeatNumber, TableInfo, Token

# -- From a client ------------------------------------------------------------------------------------------------


class SelectViews(msgspec.Struct, tag="select-views", forbid_unknown_fields=True):
    """Select the seats of the user whose views are sent; an empty list selects a watcher's view.

    Until then it is the view of the user's only seat, in a race the views of all the user's seats, and otherwise a
    watcher's: on a shared device a seat is selected when its player looks. With `text`, views are sent as text too.
    """

    seats: Annotated[list[SeatNumber], msgspec.Meta(max_length=16)]
    text: bool = False


class Commit(msgspec.Struct, tag="commit", forbid_unknown_fields=True):
    """Commit to entropy, after keeping the server's commitment. A user may commit anew until `commitments` is sent."""

    id: Token
    commitment: Commitment


class Ready(msgspec.Struct, tag="ready", forbid_unknown_fields=True):
    """Add entropy to the deal: what the client committed to, after keeping the `commitments` of all users.

    The only user of a full table needs no commitment. Only a user's first message counts.
    """

    id: Token
    entropy: Entropy


class Start(msgspec.Struct, tag="start", forbid_unknown_fields=True):
    """Start a table with `manual_start`; for its owner."""

    id: Token


class Move(msgspec.Struct, tag="move", forbid_unknown_fields=True):
    """Make a move, having seen `ply` moves. A message that is sent again with the same `id` counts once."""

    id: Token
    seat: SeatNumber
    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
    text: Annotated[str, msgspec.Meta(max_length=64)]


class Resign(msgspec.Struct, tag="resign", forbid_unknown_fields=True):
    id: Token
    seat: SeatNumber


class Rematch(msgspec.Struct, tag="rematch", forbid_unknown_fields=True):
    """Offer or accept a rematch, which is created when all users of the table have offered it."""

    id: Token


class Say(msgspec.Struct, tag="say", forbid_unknown_fields=True):
    """Say a phrase to all who are at the table, as the player of one of the user's seats."""

    id: Token
    seat: SeatNumber
    phrase: Phrase


class Visible(msgspec.Struct, tag="visible", forbid_unknown_fields=True):
    """Report that the table's page is shown on a screen, or hidden: who looks at a table is not notified of it."""

    visible: bool


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Request a pong, which returns `at` unchanged."""

    at: Annotated[float, msgspec.Meta(ge=0, le=1e15)]


FromClient = SelectViews | Commit | Ready | Start | Move | Resign | Rematch | Say | Visible | Ping


# -- From the server ----------------------------------------------------------------------------------------------


class Table(msgspec.Struct, tag="table"):
    """The table: sent on connecting, and whenever its seats, its status or the presence of users changes."""

    table: TableInfo
    now: int


class Moved(msgspec.Struct):
    """A move that was made; in a race, `at` is the time since the start in milliseconds."""

    seat: int
    text: str
    at: int | None = None


class TextView(msgspec.Struct):
    """A view as text: a drawing of the table, and a sentence about the last move."""

    drawing: str
    description: str


class SeatView(msgspec.Struct):
    """What a seat sees, in a type of the game, and the moves that it may make now; seat -1 is a watcher."""

    seat: int
    view: msgspec.Raw
    legal: list[str]
    text: TextView | None = None


class ClockState(msgspec.Struct):
    """The clocks at the time `at`: the milliseconds left to each seat, and the seat whose clock runs."""

    left: list[int]
    running: int | None
    at: int
    paused_until: int | None = None  # when the running clock goes on, if its player is on holiday


class Update(msgspec.Struct, tag="update"):
    """The position after `ply` moves in the selected views: sent on connecting and after every event of the game."""

    ply: int
    now: int
    move: Moved | None  # the move that led here; null on connecting and after selecting views
    turn: list[int]  # the seats to act
    scores: list[int]
    views: list[SeatView]
    clock: ClockState | None = None
    begins: int | None = None  # when the race starts, during the countdown
    result: Result | None = None
    history: list[Moved] | None = None  # all moves so far, on connecting and after selecting views


class Said(msgspec.Struct, tag="said"):
    """A player said a phrase at the time `at`. It is not part of the game: it is neither stored nor sent again."""

    seat: int
    phrase: Phrase
    at: int


class Accepted(msgspec.Struct, tag="accepted"):
    """The client's message with this id was carried out and stored; `ply` is the number of a move."""

    id: str
    ply: int | None = None


class Refused(msgspec.Struct, tag="refused"):
    """The client's message was not carried out. After a stale move the current position follows."""

    id: str | None
    key: str
    text: str
    parameters: dict[str, Any] = {}
    rule: str | None = None
    legal: list[str] = []


class Pong(msgspec.Struct, tag="pong"):
    at: float
    now: int


class Closing(msgspec.Struct, tag="closing"):
    """The server closes the connection. After `stopping` connect again; after `gone` the table was removed.

    After `revoked` the bot account needs a new token.
    """

    reason: Literal["stopping", "slow", "flood", "gone", "deleted", "revoked"]


FromServer = Table | Update | Said | Accepted | Refused | Pong | Closing
