"""The store of an offline server: the storage of its device. It holds no ratings."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from sevenhues.offline.device import Database
from sevenhues.server.accounts.vacations import Vacation
from sevenhues.server.live.messages import table_info
from sevenhues.server.notifications.notices import Notice
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.store import Conflict, ListedTable, StoreFailed, Summary, User
from sevenhues.server.table import events
from sevenhues.server.table.events import Entry, Event
from sevenhues.server.table.state import Table, restore

T = TypeVar("T")
USER_KEY = "user"  # in the store `device`
Pairs = list[tuple[str, Any]]
Triples = list[tuple[str, Any, str]]


class StoredEvent(msgspec.Struct, array_like=True):
    """An event as text: its time, and its body as JSON."""

    at_ms: int
    body: msgspec.Raw


class StoredTable(msgspec.Struct):
    """The properties of a table by which it is listed without reading its log."""

    game: str
    status: str
    needs_owner: bool
    updated: int  # when its status last changed


class StoredUser(msgspec.Struct):
    """The one user of a device."""

    id: str
    name: str | None = None


class StoredAnalysis(msgspec.Struct):
    version: int
    report: msgspec.Raw


class DeviceStore:
    """A store on a device with one user. Every change is durable when a method returns."""

    skip_locked = ""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.user_id = ""

    async def open(self) -> None:
        """Do nothing: the database is open."""

    async def close(self) -> None:
        """Do nothing: JavaScript closes the database."""

    async def now_ms(self) -> int | None:
        return None

    async def sign_in(self, new_id: str) -> str:
        """Return the id of the device's user; without one, create a user with this id."""
        await self._commit(add=[("device", USER_KEY, _text(StoredUser(new_id)))])
        user = await self._user()
        assert user is not None
        self.user_id = user.id
        return user.id

    async def create(self, table_id: str, log: list[Entry], summary: Summary) -> None:
        if await self._commit(add=_first_events(table_id, log, summary), put=[self._listed(table_id, log)]) != "done":
            raise Conflict(table_id)

    async def append(
        self,
        table_id: str,
        number: int,
        at_ms: int,
        event: Event,
        summary: Summary | None,
        notices: Sequence[Notice] = (),
    ) -> None:
        added: Triples = [("events", (table_id, number), _text(_stored(Entry(at_ms, event))))]
        changed: Triples = [] if summary is None else [("tables", table_id, _text(_stored_table(summary, at_ms)))]
        await self._append(table_id, number, added, changed)

    async def create_rematch(
        self, table_id: str, number: int, at_ms: int, rematch_id: str, log: list[Entry], summary: Summary
    ) -> None:
        created = events.RematchCreated(rematch_id)
        added: Triples = [("events", (table_id, number), _text(_stored(Entry(at_ms, created))))]
        added += _first_events(rematch_id, log, summary)
        await self._append(table_id, number, added, [self._listed(rematch_id, log)])

    async def log(self, table_id: str, start: int = 0) -> list[Entry]:
        stored = msgspec.json.decode(await self._read(self._database.log(table_id, start)), type=list[str])
        return [_entry(text) for text in stored]

    async def log_lengths(self, table_ids: list[str]) -> dict[str, int]:
        lengths = {table_id: int(await self._read(self._database.count(table_id))) for table_id in table_ids}
        return {table_id: length for table_id, length in lengths.items() if length}

    async def remove(self, table_id: str) -> None:
        length = int(await self._read(self._database.count(table_id)))
        deleted: Pairs = [(store, table_id) for store in ("tables", "analyses", "listed")]
        await self._commit(delete=deleted + [("events", (table_id, number)) for number in range(length)])

    async def list_public(
        self, status: str, game: str | None, before: ListedTable | None, limit: int
    ) -> list[ListedTable]:
        return []

    async def list_of_user(
        self, user_id: str, before: ListedTable | None, limit: int, unfinished: bool = False
    ) -> list[ListedTable]:
        tables = {id: one for id, one in (await self.tables()).items() if not (unfinished and one.status == "finished")}
        listed = sorted((ListedTable(id, one.updated) for id, one in tables.items()), key=_recent, reverse=True)
        return [one for one in listed if before is None or _recent(one) < _recent(before)][:limit]

    async def tables_needing_owner(self) -> list[str]:
        tables = await self.tables()
        return [id for id, table in tables.items() if table.status == "playing" and table.needs_owner]

    async def inactive_tables(self, status: str, before_ms: int) -> list[str]:
        tables = await self.tables()
        inactive = []
        for id, table in tables.items():
            if table.status == status and table.updated < before_ms:
                *_, last = await self.log(id)
                if last.at_ms < before_ms:
                    inactive.append(id)
        return inactive

    async def user(self, user_id: str) -> User | None:
        user = await self._user()
        return None if user is None or user.id != user_id else User(user.id, user.name, False)

    async def rename_user(self, user_id: str, name: str, at_ms: int) -> None:
        await self._commit(put=[("device", USER_KEY, _text(StoredUser(user_id, name)))])

    async def delete_user(self, user_id: str, at_ms: int) -> list[tuple[str, str]]:
        """Delete everything: the device has no other user."""
        await self._read(self._database.clear())
        await self.sign_in(user_id)
        return []

    async def save_transfer_code(self, digest: str, user_id: str, expires_ms: int, now_ms: int) -> None:
        raise StoreFailed("a device stores no transfer codes")

    async def redeem_transfer_code(self, digest: str, now_ms: int) -> str | None:
        return None

    async def bots_of(self, user_id: str) -> list[str]:
        return []

    async def vacations(self, user_id: str) -> list[Vacation]:
        return []

    async def save_analysis(self, table_id: str, version: int, body: bytes) -> None:
        stored = StoredAnalysis(version, msgspec.Raw(body))
        await self._commit(need=[("tables", table_id)], put=[("analyses", table_id, _text(stored))])

    async def analysis(self, table_id: str, version: int) -> bytes | None:
        text = await self._read(self._database.get("analyses", table_id))
        stored = msgspec.json.decode(text, type=StoredAnalysis) if text else None
        return bytes(stored.report) if stored is not None and stored.version == version else None

    async def read(self, steps: QuerySteps[T]) -> T:
        raise StoreFailed("a device has no SQL")

    async def write(self, steps: QuerySteps[T]) -> T:
        raise StoreFailed("a device has no SQL")

    async def change_ratings(self, steps: QuerySteps[T]) -> T:
        raise StoreFailed("a device has no SQL")

    async def delete_expired(self, now_ms: int) -> None:
        """Do nothing: a device has one user."""

    async def check_writable(self) -> None:
        await self._commit(put=[("device", "check", "")])

    async def tables(self) -> dict[str, StoredTable]:
        """Return the listed properties of all tables."""
        pairs = msgspec.json.decode(await self._read(self._database.all("tables")), type=list[tuple[str, str]])
        return {id: msgspec.json.decode(text, type=StoredTable) for id, text in pairs}

    async def list_table(self, table: Table) -> None:
        """Describe a table in the list that the page reads."""
        info = table_info(table, self.user_id)
        await self._commit(need=[("tables", table.id)], put=[("listed", table.id, _text(info))])

    async def refresh_list(self) -> None:
        """Describe the games in play again, in case the worker ended between an event and the list."""
        for id, stored in (await self.tables()).items():
            log = await self.log(id) if stored.status != "finished" else []
            if log:
                await self.list_table(restore(id, log))

    def _listed(self, table_id: str, log: list[Entry]) -> tuple[str, str, str]:
        return "listed", table_id, _text(table_info(restore(table_id, log), self.user_id))

    async def _append(self, table_id: str, number: int, added: Triples, put: Triples) -> None:
        result = await self._commit(need=[("tables", table_id)], add=added, put=put)
        if result == "missing":
            raise StoreFailed(f"table {table_id} does not exist any more")
        if result == "exists":
            raise Conflict(f"{table_id}/{number}")

    async def _user(self) -> StoredUser | None:
        text = await self._read(self._database.get("device", USER_KEY))
        return msgspec.json.decode(text, type=StoredUser) if text else None

    async def _commit(
        self, need: Pairs | None = None, add: Triples | None = None, put: Triples | None = None, delete: Any = None
    ) -> str:
        changes = {"need": need or [], "add": add or [], "put": put or [], "delete": delete or []}
        return str(await self._read(self._database.commit(_text(changes))))

    async def _read(self, reading: Any) -> Any:
        """Await the database; raise StoreFailed with the text of any error."""
        try:
            return await reading
        except Exception as error:
            raise StoreFailed(f"the storage of this device failed: {error}") from None


def _first_events(table_id: str, log: list[Entry], summary: Summary) -> Triples:
    added: Triples = [("tables", table_id, _text(_stored_table(summary, log[-1].at_ms)))]
    return added + [("events", (table_id, number), _text(_stored(entry))) for number, entry in enumerate(log)]


def _stored(entry: Entry) -> StoredEvent:
    return StoredEvent(entry.at_ms, msgspec.Raw(events.encode(entry.event)))


def _entry(text: str) -> Entry:
    stored = msgspec.json.decode(text, type=StoredEvent)
    return events.decode(stored.at_ms, bytes(stored.body))


def _stored_table(summary: Summary, at_ms: int) -> StoredTable:
    return StoredTable(summary.game, summary.status, summary.needs_owner, at_ms)


def _recent(listed: ListedTable) -> tuple[int, str]:
    return listed.updated, listed.id


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
