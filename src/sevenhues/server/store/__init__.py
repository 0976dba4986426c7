"""The interface of a store, which holds tables, users, analyses and ratings.

An event is durable when `append` returns. Clients are told of it afterwards.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.accounts.vacations import Vacation
from sevenhues.server.notifications.notices import Notice
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings.contests import Contest
from sevenhues.server.table.events import Entry, Event

T = TypeVar("T")
DELETED_USER_NAME = "Somebody"  # replaces the name of a deleted user


class Conflict(Exception):
    """The event number or the table id is already in use: read the log again."""


class StoreFailed(SevenHuesError):
    """The store cannot read or write: the disk is full, the file was deleted, the database does not answer."""


class WrongDatabase(SevenHuesError):
    """The database belongs to another program or was written by a newer release."""


class Summary(NamedTuple):
    """The properties of a table by which it is listed without reading its log."""

    game: str
    status: str
    public: bool
    user_ids: tuple[str, ...]
    needs_owner: bool = True  # a bot, a clock or a race may need a process to act
    contest: Contest | None = None  # a rated game that has just ended; its ratings change in the same commit


class ListedTable(NamedTuple):
    """A table in a list; also the cursor from which the next page continues."""

    id: str
    updated: int


class User(NamedTuple):
    id: str
    name: str | None
    deleted: bool


class Store(Protocol):
    """Every method that changes something is durable when it returns. All methods may raise StoreFailed."""

    skip_locked: str  # the end of a query that skips the rows which another process is changing

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def now_ms(self) -> int | None:
        """Return the store's time in milliseconds since 1970; None if the store uses the clock of this machine."""

    async def create(self, table_id: str, log: list[Entry], summary: Summary) -> None:
        """Store a new table with its first events; raise Conflict if the id is in use."""

    async def append(
        self,
        table_id: str,
        number: int,
        at_ms: int,
        event: Event,
        summary: Summary | None,
        notices: Sequence[Notice] = (),
    ) -> None:
        """Append an event under a number; raise Conflict if the number is in use.

        With a summary, the listed properties of the table change in the same commit. The notices for users are
        added to the outbox in the same commit, for every way to reach them.
        """

    async def create_rematch(
        self, table_id: str, number: int, at_ms: int, rematch_id: str, log: list[Entry], summary: Summary
    ) -> None:
        """Store a rematch with its first events, and append RematchCreated to its table's log, in one commit.

        Raise Conflict if the number or the rematch's id is in use: of several processes, one creates the rematch.
        """

    async def log(self, table_id: str, start: int = 0) -> list[Entry]:
        """Return the events of a table from a number on; empty if the table does not exist."""

    async def log_lengths(self, table_ids: list[str]) -> dict[str, int]:
        """Return the number of events of each of these tables that exists."""

    async def remove(self, table_id: str) -> None:
        """Delete a table with its events and its analysis."""

    async def list_public(
        self, status: str, game: str | None, before: ListedTable | None, limit: int
    ) -> list[ListedTable]:
        """List public tables of a status, the most recently updated first."""

    async def list_of_user(
        self, user_id: str, before: ListedTable | None, limit: int, unfinished: bool = False
    ) -> list[ListedTable]:
        """List the tables of a user, or those whose game is not over, the most recently updated first."""

    async def tables_needing_owner(self) -> list[str]:
        """List the tables in play that need a process to act for a bot, a clock or a race."""

    async def inactive_tables(self, status: str, before_ms: int) -> list[str]:
        """List the tables of a status whose last event is older than a time."""

    async def user(self, user_id: str) -> User | None: ...

    async def rename_user(self, user_id: str, name: str, at_ms: int) -> None: ...

    async def delete_user(self, user_id: str, at_ms: int) -> list[tuple[str, str]]:
        """Delete a user's name, also in events, and ratings; return the user's tables, each with its status."""

    async def save_transfer_code(self, digest: str, user_id: str, expires_ms: int, now_ms: int) -> None:
        """Store the digest of a user's transfer code in place of an older one; delete those that have expired."""

    async def redeem_transfer_code(self, digest: str, now_ms: int) -> str | None:
        """Delete a transfer code and return its user; None if it does not exist or has expired."""

    async def bots_of(self, user_id: str) -> list[str]:
        """Return the user ids of a person's bot accounts."""

    async def vacations(self, user_id: str) -> list[Vacation]:
        """Return all holidays of a user, the latest first."""

    async def save_analysis(self, table_id: str, version: int, body: bytes) -> None:
        """Store the analysis of a table in place of an older one; do nothing if the table does not exist."""

    async def analysis(self, table_id: str, version: int) -> bytes | None:
        """Return the analysis of a table by a version of the analyser; None if there is none."""

    async def read(self, steps: QuerySteps[T]) -> T:
        """Run queries that change nothing."""

    async def write(self, steps: QuerySteps[T]) -> T:
        """Run statements in one transaction; raise Conflict if a key is in use."""

    async def change_ratings(self, steps: QuerySteps[T]) -> T:
        """Run statements that change ratings in one transaction, one caller at a time."""

    async def delete_expired(self, now_ms: int) -> None:
        """Delete what is stored for a time that is over: links between users."""

    async def check_writable(self) -> None:
        """Raise StoreFailed unless the store can be written to."""
