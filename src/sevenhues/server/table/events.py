"""The log of a table: all events at a table, in order. The state of a table follows from its log alone.

Events are numbered from 0. The table's id and the event's number are the key of an event: of two processes that append
the same number, the first one succeeds.
"""

from typing import Any, Literal, NamedTuple

import msgspec


class ClockSettings(msgspec.Struct):
    """How long players may think: see `protocol.Clock`."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: int = 300
    increment: int = 0


class Branch(msgspec.Struct):
    """The moment of another table's game from which a game continues."""

    table: str
    ply: int


class Created(msgspec.Struct, tag="created", tag_field="kind"):
    """The table was created. Always event 0; it holds the secret of the deal before anybody takes a seat."""

    game: str
    options: dict[str, bool | int | str]
    seats: int
    owner_id: str
    public: bool
    clock: ClockSettings
    bot_takeover: bool
    manual_start: bool
    secret: str  # hexadecimal; not sent to clients before the game is over
    previous_winners: list[int] | None = None  # of the game of which this is a rematch
    previous_table: str | None = None
    seed: str | None = None  # of a table for one player, which is dealt from the seed and not from the secret
    hints: bool = False
    imported: bool = False  # the table was created from an uploaded record
    branch: Branch | None = None
    played_offline: bool = False  # the uploaded game was played on its owner's device, without a server
    deal: dict[str, Any] | None = None  # the proof in the record of a game that was played offline
    bots_welcome: bool = False  # bot accounts may take open seats
    by_bot: bool = False  # a bot account created the table


class SeatTaken(msgspec.Struct, tag="seat-taken", tag_field="kind"):
    """A user (with the name at this table) or a bot took a seat. A seat of an uploaded record has a name alone."""

    seat: int
    user_id: str | None
    name: str | None
    level: str | None = None
    bot_account: bool = False  # the user is a bot account


class SeatLeft(msgspec.Struct, tag="seat-left", tag_field="kind"):
    seat: int


class BotChallenged(msgspec.Struct, tag="bot-challenged", tag_field="kind"):
    """A seat was reserved for a bot account, which takes it or declines."""

    seat: int
    user_id: str
    name: str


class ChallengeDeclined(msgspec.Struct, tag="challenge-declined", tag_field="kind"):
    """A bot account declined a challenge: its seat is open to all who may join."""

    seat: int
    reason: str


class EntropyCommitted(msgspec.Struct, tag="entropy-committed", tag_field="kind"):
    """A user's client committed to its entropy. Until all commitments are published, a later one replaces it."""

    user_id: str
    commitment: str


class CommitmentsPublished(msgspec.Struct, tag="commitments-published", tag_field="kind"):
    """The commitments of all users are in. From now on clients reveal their entropy, and the seats stay as they are."""


class EntropyAdded(msgspec.Struct, tag="entropy-added", tag_field="kind"):
    """A user's client added entropy to the deal: it revealed what it had committed to, or needed no commitment."""

    user_id: str
    entropy: str


class Started(msgspec.Struct, tag="started", tag_field="kind"):
    setup: dict[str, Any]
    begins_at: int  # when moves are accepted: at once, or after the countdown of a race


class MovePlayed(msgspec.Struct, tag="move-played", tag_field="kind"):
    """A move. A client that repeats a request id does not move twice.

    A move copied from another game keeps its time since that game's start, `race_ms`.
    """

    seat: int
    text: str
    request_id: str | None = None
    race_ms: int | None = None


class Resigned(msgspec.Struct, tag="resigned", tag_field="kind"):
    seat: int


class TimedOut(msgspec.Struct, tag="timed-out", tag_field="kind"):
    seat: int


class Abandoned(msgspec.Struct, tag="abandoned", tag_field="kind"):
    pass


class BotTookOver(msgspec.Struct, tag="bot-took-over", tag_field="kind"):
    """A bot plays on for a seat."""

    seat: int
    level: str


class TimeGranted(msgspec.Struct, tag="time-granted", tag_field="kind"):
    """A seat got time back because the server was down while its clock ran.

    Without clocks the event restarts the time after which a race without progress is abandoned or, before the start,
    the time in which clients reveal their entropy.
    """

    seat: int
    granted_ms: int


class VacationTaken(msgspec.Struct, tag="vacation-taken", tag_field="kind"):
    """A user's clock stands still from one time to another; the same `started` again changes its end."""

    user_id: str
    started: int
    until: int


class RematchOffered(msgspec.Struct, tag="rematch-offered", tag_field="kind"):
    user_id: str


class RematchCreated(msgspec.Struct, tag="rematch-created", tag_field="kind"):
    """The rematch was created as another table."""

    table: str


Event = (
    Created
    | SeatTaken
    | SeatLeft
    | BotChallenged
    | ChallengeDeclined
    | EntropyCommitted
    | CommitmentsPublished
    | EntropyAdded
    | Started
    | MovePlayed
    | Resigned
    | TimedOut
    | Abandoned
    | BotTookOver
    | TimeGranted
    | VacationTaken
    | RematchOffered
    | RematchCreated
)

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder()


class Entry(NamedTuple):
    """An event in the log and its time (ms since 1970), which never decreases within a log."""

    at_ms: int
    event: Event


def encode(event: Event) -> bytes:
    return _encoder.encode(event)


def decode(at_ms: int, body: bytes) -> Entry:
    return Entry(at_ms, _decoder.decode(body))
