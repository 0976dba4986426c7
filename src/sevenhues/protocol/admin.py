"""The bodies of the admin API, which is for operators alone. It is not part of the public schema."""

from typing import Annotated, Any, Literal

import msgspec

from sevenhues.protocol.tables import Name, TableInfo

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="It is shown to the person.")]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=10 * 365 * 86_400)]
MAX_ADDRESS_SECONDS = 30 * 86_400  # of the ban of an address, which others will have later
Time = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
RestrictionKind = Literal["banned", "muted", "flagged"]


class AdminRestriction(msgspec.Struct):
    """A restriction of a person or an address."""

    subject: str  # a user id, or `address ` and a network
    kind: RestrictionKind
    until: int | None  # null for good
    reason: str
    created: int


class AdminPerson(msgspec.Struct):
    """A person in a list. Guests who have chosen no name have the name that others see."""

    id: str
    player: str  # the id of the public profile
    name: str
    chosen: bool  # the person has chosen the name
    created: int | None = None
    deleted: int | None = None
    restrictions: list[AdminRestriction] = []
    lookalikes: list[str] = []  # the ids of other people whose names look like this one


class AdminPeople(msgspec.Struct):
    people: list[AdminPerson]
    more: bool  # there are more: search for something longer


class AdminPersonDetails(msgspec.Struct):
    """A person with their latest tables, and the addresses from which they are connected to this process now."""

    person: AdminPerson
    networks: list[str]
    tables: list[TableInfo]


class AdminTables(msgspec.Struct):
    tables: list[TableInfo]


class AdminRename(msgspec.Struct, forbid_unknown_fields=True):
    name: Name


class AdminRenamed(msgspec.Struct):
    """The new name, and the other people whose names look like it."""

    name: str
    lookalikes: list[AdminPerson]


class AdminRestrict(msgspec.Struct, forbid_unknown_fields=True):
    """Restrict a person, for a number of seconds or for good."""

    reason: Reason
    seconds: Seconds | None = None


class AdminRestrictAddress(msgspec.Struct, forbid_unknown_fields=True):
    """Ban an IP address, or the /64 network of an IPv6 address, for a while."""

    address: Annotated[str, msgspec.Meta(max_length=60)]
    reason: Reason
    seconds: Annotated[int, msgspec.Meta(ge=1, le=MAX_ADDRESS_SECONDS)]


class AdminAddress(msgspec.Struct, forbid_unknown_fields=True):
    address: Annotated[str, msgspec.Meta(max_length=60)]


class AdminRestrictions(msgspec.Struct):
    restrictions: list[AdminRestriction]


class AdminEndTable(msgspec.Struct, forbid_unknown_fields=True):
    reason: Reason


class AdminAnnounce(msgspec.Struct, forbid_unknown_fields=True):
    """Announce maintenance: when it starts, how long it takes, and a note that is shown as it is."""

    starts: Time
    seconds: Annotated[int, msgspec.Meta(ge=60, le=7 * 86_400)]
    note: Annotated[str, msgspec.Meta(max_length=200)] = ""


class AdminAnnouncement(msgspec.Struct):
    id: str
    starts: int
    ends: int
    note: str
    created: int


class AdminAnnouncements(msgspec.Struct):
    announcements: list[AdminAnnouncement]


class AdminExport(msgspec.Struct):
    """All rows of the store that hold something of a person, without secrets, by the name of the store's table."""

    user_id: str
    player: str
    exported_at: int
    rows: dict[str, list[dict[str, Any]]]


class AdminLogEntry(msgspec.Struct):
    """An act of an operator."""

    number: int
    at: int
    operator: str
    way: str
    act: str
    target: str
    details: dict[str, str | int | bool | None]


class AdminLog(msgspec.Struct):
    entries: list[AdminLogEntry]
    more: int | None  # give it as `before` for older entries


class AdminProblem(msgspec.Struct):
    """A warning or an error in the log of a process."""

    at: int
    level: str
    text: str


class AdminProcess(msgspec.Struct):
    """The load of a process of the server."""

    host: str
    pid: int
    version: str
    started: int
    at: int
    connections: int
    tables: int
    searches: int
    loop_delay_ms: float
    store_ms: float
    memory_mb: int
    problems: list[AdminProblem]


class AdminStatus(msgspec.Struct):
    processes: list[AdminProcess]  # the one that answers comes first


class AdminLink(msgspec.Struct):
    """A link that opens the admin page, once."""

    url: str
    expires: int


class AdminDone(msgspec.Struct):
    """The act is done, and in the audit log."""

    done: bool = True
