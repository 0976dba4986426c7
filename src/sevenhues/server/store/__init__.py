"""Where tables are kept: what every store does. Nobody is told of an event before `append` has returned."""

import json
from typing import Any, NamedTuple, Protocol, TypeVar

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.ratings.rating_model import Contest
from sevenhues.server.store.shared_queries import Steps
from sevenhues.server.table.events import Entry, Event

T = TypeVar("T")
FORGOTTEN = "Somebody"  # the name of a person who wished to be forgotten


def without_name(body: bytes, identity: str) -> bytes | None:
    """Return a stored event with a person's name taken out; None if it does not hold it."""
    event = json.loads(body)
    if event["kind"] != "sat" or event["by"] != identity:
        return None
    event["name"] = FORGOTTEN
    return json.dumps(event).encode()


class Taken(Exception):
    """Somebody else appended this number first, or the table exists: read the log again."""


class StoreFailed(SevenHuesError):
    """Nothing can be stored: the disk is full, the file is gone, the database does not answer."""


class WrongDatabase(SevenHuesError):
    """The database is not ours, or of a newer version."""


class Summary(NamedTuple):
    """What lists need to know of a table without reading its log."""

    game: str
    status: str
    public: bool
    persons: tuple[str, ...]
    attended: bool = True  # something may happen there by itself
    contest: Contest | None = None  # a game that has just ended and counts for ratings, in the same commit


class Listed(NamedTuple):
    """A table found in a list, and how to go on from it."""

    id: str
    updated: int


class Identity(NamedTuple):
    id: str
    name: str | None
    deleted: bool


class Store(Protocol):
    """All methods that change something are durable when they return."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def create(self, table: str, log: list[Entry], summary: Summary) -> None:
        """Store a new table with its first events; raises Taken if the id is in use."""

    async def append(self, table: str, number: int, at: int, event: Event, summary: Summary | None) -> None:
        """Append an event as that number; raises Taken. With a summary, what lists know and ratings are renewed."""

    async def log(self, table: str, start: int = 0) -> list[Entry]:
        """Read the log from a number on; empty if there is no such table."""

    async def remove(self, table: str) -> None: ...

    async def list_public(self, status: str, game: str | None, before: Listed | None, most: int) -> list[Listed]: ...

    async def list_of(self, identity: str, before: Listed | None, most: int) -> list[Listed]: ...

    async def attended(self) -> list[str]:
        """List the tables whose games go on and where something may happen by itself."""

    async def heads(self, tables: list[str]) -> dict[str, int]:
        """Tell how many events each of these tables has."""

    async def stale(self, status: str, before: int) -> list[str]:
        """List tables of that status whose last event is older."""

    async def identity(self, id: str) -> Identity | None: ...

    async def name_identity(self, id: str, name: str, at: int) -> None: ...

    async def delete_identity(self, id: str, at: int) -> list[tuple[str, str]]:
        """Forget a person: the name, also at tables; returns those tables, each with its status."""

    async def offer_carry(self, digest: str, identity: str, expires: int) -> None: ...

    async def take_carry(self, digest: str, now: int) -> str | None:
        """Redeem a code once; None if there is none, or it is too old."""

    async def keep_story(self, table: str, version: int, body: bytes) -> None:
        """Keep the story of a finished game, in the place of an older one; nothing if the table is gone."""

    async def story(self, table: str, version: int) -> bytes | None:
        """Return the story of a game, told by this version; None if there is none."""

    async def ask(self, steps: Steps[T]) -> T:
        """Ask what takes several queries."""

    async def change(self, steps: Steps[T]) -> T:
        """Change ratings, all or nothing, and nobody else at the same time."""

    async def check(self) -> None:
        """Raise StoreFailed unless something can be stored."""

    def figures(self) -> dict[str, Any]:
        """Return numbers for whoever runs the server."""
