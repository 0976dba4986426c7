"""The log of a table: everything that ever happened at it, in order. A table is what its log says, and nothing else.

An event's number is its key, together with the table's: whoever appends number n first was first, be it a move, a
resignation, a flag or somebody sitting down.
"""

from typing import Any, NamedTuple

import msgspec

from sevenhues.protocol import Branch, Clock


class Created(msgspec.Struct, tag="created", tag_field="kind"):
    """Always number 0. The secret is sealed here, before anybody has sat down."""

    game: str
    options: dict[str, bool | int | str]
    seats: int
    owner: str  # an identity
    public: bool
    clock: Clock
    takeover: bool
    waits: bool
    secret: str  # in hexadecimal; never leaves the server before the game is over
    winners: list[int] | None = None  # of the game this is a rematch of
    previous: str | None = None  # that table
    seed: str | None = None  # of a table for one, which deals from it and not from the secret
    hints: bool = False
    imported: bool = False  # all of it comes from a record that was uploaded
    branch: Branch | None = None  # the moment of another game that it begins with


class Sat(msgspec.Struct, tag="sat", tag_field="kind"):
    """A person (an identity, with the name at this table) or a bot took a seat; or a record says so: just a name."""

    seat: int
    by: str | None
    name: str | None
    level: str | None = None


class Left(msgspec.Struct, tag="left", tag_field="kind"):
    seat: int


class Added(msgspec.Struct, tag="added", tag_field="kind"):
    """A person's client added to the deal."""

    by: str
    entropy: str


class Started(msgspec.Struct, tag="started", tag_field="kind"):
    setup: dict[str, Any]
    begins: int  # when moves count: at once, or after a countdown


class Played(msgspec.Struct, tag="played", tag_field="kind"):
    """A move; `id` is what its sender called it, so that it counts once.

    A move taken over from another game keeps the time, since that game's start, that it was made `at`.
    """

    seat: int
    text: str
    id: str | None = None
    at: int | None = None


class Resigned(msgspec.Struct, tag="resigned", tag_field="kind"):
    seat: int


class TimedOut(msgspec.Struct, tag="timeout", tag_field="kind"):
    seat: int


class Abandoned(msgspec.Struct, tag="abandoned", tag_field="kind"):
    pass


class TakenOver(msgspec.Struct, tag="taken-over", tag_field="kind"):
    """A bot plays on for a seat."""

    seat: int
    level: str


class Granted(msgspec.Struct, tag="granted", tag_field="kind"):
    """Time that a seat is given back, because the server was away while its clock ran.

    In a race, which has no clocks, the time in which somebody must place a card begins anew for all.
    """

    seat: int
    milliseconds: int


class Offered(msgspec.Struct, tag="offered", tag_field="kind"):
    """A person offered a rematch."""

    by: str


class Followed(msgspec.Struct, tag="followed", tag_field="kind"):
    """The rematch was laid at another table."""

    table: str


Event = (
    Created
    | Sat
    | Left
    | Added
    | Started
    | Played
    | Resigned
    | TimedOut
    | Abandoned
    | TakenOver
    | Granted
    | Offered
    | Followed
)

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder()


class Entry(NamedTuple):
    """An event in the log, and when it happened (ms since 1970, never before the one ahead of it)."""

    at: int
    event: Event


def encode(event: Event) -> bytes:
    return _encoder.encode(event)


def decode(at: int, body: bytes) -> Entry:
    return Entry(at, _decoder.decode(body))
