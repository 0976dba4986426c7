"""The queries of both SQL stores, and conversions of their rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from sevenhues.server.accounts import bot_accounts, links, passkey_queries, restrictions, vacations
from sevenhues.server.accounts.vacations import Vacation
from sevenhues.server.notifications import queries as notification_queries
from sevenhues.server.notifications.notices import Notice
from sevenhues.server.query_steps import Bulk, Counted, QuerySteps, Row, Rows, Statement
from sevenhues.server.ratings import queries
from sevenhues.server.store import DELETED_USER_NAME, ListedTable, MakeSteps, StoreFailed, Summary, User
from sevenhues.server.table import events
from sevenhues.server.table.events import Entry, Event

T = TypeVar("T")


class SqlStore(ABC):
    """A store in an SQL database. Subclasses connect to the database and execute statements."""

    skip_locked = ""

    @abstractmethod
    async def read(self, steps: QuerySteps[T]) -> T:
        """Run queries that change nothing."""

    @abstractmethod
    async def write(self, steps: QuerySteps[T]) -> T:
        """Run statements in one transaction."""

    @abstractmethod
    async def read_rows(self, sql: str, *values: object) -> Rows:
        """Run one query."""

    @abstractmethod
    async def execute(self, statement: Statement) -> Rows:
        """Run one statement, which changes something, in a transaction of its own."""

    @abstractmethod
    def lock_ratings(self) -> QuerySteps[None]:
        """Wait until no other transaction changes ratings."""

    async def create(self, table_id: str, log: list[Entry], summary: Summary) -> None:
        await self.write(_create(table_id, log, summary))

    async def append(
        self,
        table_id: str,
        number: int,
        at_ms: int,
        event: Event,
        summary: Summary | None,
        notices: Sequence[Notice] = (),
    ) -> None:
        insert = _append(table_id, number, at_ms, event)
        if summary is None and not notices:
            _check_appended(table_id, await self.execute(insert))
        else:
            await self.write(self._append_with_effects(table_id, number, at_ms, event, summary, notices))

    def _append_with_effects(
        self,
        table_id: str,
        number: int,
        at_ms: int,
        event: Event,
        summary: Summary | None,
        notices: Sequence[Notice],
    ) -> QuerySteps[None]:
        _check_appended(table_id, (yield _append(table_id, number, at_ms, event)))
        yield from notification_queries.enqueue(table_id, number, at_ms, notices)
        if summary is not None:
            left_seat = event.seat if isinstance(event, events.SeatLeft) else None
            yield from self._summarize(table_id, at_ms, summary, left_seat)

    def _summarize(self, table_id: str, at_ms: int, summary: Summary, left_seat: int | None) -> QuerySteps[None]:
        if left_seat is not None:
            # The user is not listed for this table any more, so that deleting the user would not find the name.
            yield from _replace_names(table_id, DELETED_USER_NAME, lambda taken: taken.seat == left_seat)
        yield (
            "UPDATE tables SET status = ?, updated = ?, needs_owner = ? WHERE id = ?",
            (summary.status, at_ms, summary.needs_owner, table_id),
        )
        yield "DELETE FROM seated_users WHERE table_id = ?", (table_id,)
        yield _seat_users(table_id, summary)
        if summary.contest is not None:
            yield from self.lock_ratings()
            yield from queries.rate_game(table_id, at_ms, summary.contest)

    async def create_rematch(
        self, table_id: str, number: int, at_ms: int, rematch_id: str, log: list[Entry], summary: Summary
    ) -> None:
        insert = _append(table_id, number, at_ms, events.RematchCreated(rematch_id))
        await self.write(_create_rematch(table_id, insert, rematch_id, log, summary))

    async def log(self, table_id: str, start: int = 0) -> list[Entry]:
        sql = "SELECT at, body FROM events WHERE table_id = ? AND number >= ? ORDER BY number"
        return [events.decode(at, body) for at, body in await self.read_rows(sql, table_id, start)]

    async def log_lengths(self, table_ids: list[str]) -> dict[str, int]:
        return await self.read(_log_lengths(table_ids))

    async def remove(self, table_id: str, also: MakeSteps | None = None) -> None:
        await self.write(_and_also(self._remove(table_id), also))

    def _remove(self, table_id: str) -> QuerySteps[None]:
        for name in ("events", "seated_users", "analyses"):
            yield f"DELETE FROM {name} WHERE table_id = ?", (table_id,)
        yield from notification_queries.remove_table(table_id)
        yield "DELETE FROM tables WHERE id = ?", (table_id,)

    async def list_public(
        self, status: str, game: str | None, before: ListedTable | None, limit: int
    ) -> list[ListedTable]:
        where, values = ("", ()) if game is None else (" AND game = ?", (game,))
        return await self._page(f"FROM tables WHERE public AND status = ?{where}", (status, *values), before, limit)

    async def list_of_user(
        self, user_id: str, before: ListedTable | None, limit: int, unfinished: bool = False
    ) -> list[ListedTable]:
        where = " AND status <> 'finished'" if unfinished else ""
        sql = f"FROM tables JOIN seated_users ON table_id = id WHERE user_id = ?{where}"
        return await self._page(sql, (user_id,), before, limit)

    async def _page(self, sql: str, values: Row, before: ListedTable | None, limit: int) -> list[ListedTable]:
        if before is not None:
            sql += " AND (updated, id COLLATE BINARY) < (?, ?)"
            values += (before.updated, before.id)
        sql = f"SELECT id, updated {sql} ORDER BY updated DESC, id COLLATE BINARY DESC LIMIT ?"
        return [ListedTable(*row) for row in await self.read_rows(sql, *values, limit)]

    async def tables_needing_owner(self) -> list[str]:
        return _first_column(await self.read_rows("SELECT id FROM tables WHERE status = 'playing' AND needs_owner"))

    async def inactive_tables(self, status: str, before_ms: int) -> list[str]:
        sql = (
            "SELECT id FROM tables WHERE status = ?"
            " AND (SELECT at FROM events WHERE table_id = id ORDER BY number DESC LIMIT 1) < ?"
        )
        return _first_column(await self.read_rows(sql, status, before_ms))

    async def user(self, user_id: str) -> User | None:
        rows = await self.read_rows("SELECT id, name, deleted IS NOT NULL FROM users WHERE id = ?", user_id)
        return User(rows[0][0], rows[0][1], bool(rows[0][2])) if rows else None

    async def rename_user(self, user_id: str, name: str, at_ms: int) -> None:
        await self.execute(_rename(user_id, name, at_ms))

    async def delete_user(self, user_id: str, at_ms: int, also: MakeSteps | None = None) -> list[tuple[str, str]]:
        return await self.write(_and_also(self._delete_user(user_id, at_ms), also))

    def _delete_user(self, user_id: str, at_ms: int) -> QuerySteps[list[tuple[str, str]]]:
        tables = yield "SELECT id, status FROM seated_users JOIN tables ON id = table_id WHERE user_id = ?", (user_id,)
        yield from self.lock_ratings()
        for table_id, status in tables:
            if status == "playing":
                yield from queries.keep_refused(table_id, at_ms)
        deleted = yield from queries.delete_user(user_id, at_ms)
        yield (
            "INSERT INTO users (id, name, created, deleted) VALUES (?, NULL, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET name = NULL, deleted = excluded.deleted",
            (user_id, at_ms, deleted),
        )
        yield "DELETE FROM transfer_codes WHERE user_id = ?", (user_id,)
        yield from passkey_queries.delete_user(user_id)
        yield from vacations.delete_user(user_id)
        yield from bot_accounts.delete_bot(user_id)
        yield from links.delete_user(user_id)
        yield from notification_queries.delete_user(user_id)
        yield from restrictions.delete_user(user_id)
        for table_id, _ in tables:
            yield from _replace_names(table_id, DELETED_USER_NAME, lambda taken: taken.user_id == user_id)
        return [(table_id, status) for table_id, status in tables]

    async def save_transfer_code(self, digest: str, user_id: str, expires_ms: int, now_ms: int) -> None:
        await self.write(_save_transfer_code(digest, user_id, expires_ms, now_ms))

    async def redeem_transfer_code(self, digest: str, now_ms: int) -> str | None:
        return await self.write(_redeem_transfer_code(digest, now_ms))

    async def bots_of(self, user_id: str) -> list[str]:
        return await self.read(bot_accounts.bots_of(user_id))

    async def vacations(self, user_id: str) -> list[Vacation]:
        return await self.read(vacations.vacations_of(user_id))

    async def save_analysis(self, table_id: str, version: int, body: bytes) -> None:
        sql = (
            "INSERT INTO analyses (table_id, version, body) SELECT id, ?, ? FROM tables WHERE id = ?"
            " ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, body = excluded.body"
        )
        await self.execute((sql, (version, body, table_id)))

    async def analysis(self, table_id: str, version: int) -> bytes | None:
        rows = await self.read_rows("SELECT body FROM analyses WHERE table_id = ? AND version = ?", table_id, version)
        return rows[0][0] if rows else None

    async def change_ratings(self, steps: QuerySteps[T]) -> T:
        return await self.write(self._with_locked_ratings(steps))

    def _with_locked_ratings(self, steps: QuerySteps[T]) -> QuerySteps[T]:
        yield from self.lock_ratings()
        return (yield from steps)

    async def delete_expired(self, now_ms: int) -> None:
        await self.write(links.delete_expired(now_ms))

    async def check_writable(self) -> None:
        await self.execute(("UPDATE write_checks SET done = done + 1", ()))


# The number is the key: of concurrent appends under one number, one succeeds. A removed table takes no events.
APPEND = (
    "INSERT INTO events (table_id, number, at, body) SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"
)


def _and_also(steps: QuerySteps[T], also: MakeSteps | None) -> QuerySteps[T]:
    result = yield from steps
    if also is not None:
        yield from also()
    return result


def _append(table_id: str, number: int, at_ms: int, event: Event) -> Counted:
    return Counted(APPEND, (table_id, number, at_ms, events.encode(event), table_id))


def _check_appended(table_id: str, rows: Rows) -> None:
    if rows[0][0] == 0:
        raise StoreFailed(f"table {table_id} does not exist any more")


def _create(table_id: str, log: list[Entry], summary: Summary) -> QuerySteps[None]:
    created = log[0].event
    assert isinstance(created, events.Created)
    yield (
        "INSERT INTO tables (id, game, status, public, owner_id, created, updated, needs_owner)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            table_id,
            summary.game,
            summary.status,
            summary.public,
            created.owner_id,
            log[0].at_ms,
            log[-1].at_ms,
            summary.needs_owner,
        ),
    )
    yield Bulk(
        "INSERT INTO events (table_id, number, at, body) VALUES (?, ?, ?, ?)",
        [(table_id, number, entry.at_ms, events.encode(entry.event)) for number, entry in enumerate(log)],
    )
    yield _seat_users(table_id, summary)


def _create_rematch(
    table_id: str, insert: Counted, rematch_id: str, log: list[Entry], summary: Summary
) -> QuerySteps[None]:
    _check_appended(table_id, (yield insert))
    yield from _create(rematch_id, log, summary)


def _seat_users(table_id: str, summary: Summary) -> Bulk:
    rows: Rows = [(table_id, user_id) for user_id in summary.user_ids]
    return Bulk("INSERT INTO seated_users (table_id, user_id) VALUES (?, ?)", rows)


def _log_lengths(table_ids: list[str]) -> QuerySteps[dict[str, int]]:
    lengths: dict[str, int] = {}
    for table_id in table_ids:
        rows = yield "SELECT max(number) + 1 FROM events WHERE table_id = ?", (table_id,)
        if rows[0][0] is not None:
            lengths[table_id] = rows[0][0]
    return lengths


def rename_everywhere(user_id: str, name: str, at_ms: int) -> QuerySteps[list[str]]:
    """Change a user's name, also in the events of tables; return the tables."""
    yield _rename(user_id, name, at_ms)
    rows = yield "SELECT table_id FROM seated_users WHERE user_id = ?", (user_id,)
    table_ids = _first_column(rows)
    for table_id in table_ids:
        yield from _replace_names(table_id, name, lambda taken: taken.user_id == user_id)
    return table_ids


def _rename(user_id: str, name: str, at_ms: int) -> tuple[str, Row]:
    sql = (
        "INSERT INTO users (id, name, created) VALUES (?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE users.deleted IS NULL"
    )
    return sql, (user_id, name, at_ms)


def _replace_names(
    table_id: str, name: str, selected: Callable[[events.SeatTaken | events.BotChallenged], bool]
) -> QuerySteps[None]:
    """Replace the users' names in the selected events of a table."""
    rows = yield "SELECT number, body FROM events WHERE table_id = ?", (table_id,)
    for number, body in rows:
        event = events.decode(0, body).event
        if not isinstance(event, events.SeatTaken | events.BotChallenged):
            continue
        if event.user_id is not None and selected(event):
            event.name = name
            sql = "UPDATE events SET body = ? WHERE table_id = ? AND number = ?"
            yield sql, (events.encode(event), table_id, number)


def _save_transfer_code(digest: str, user_id: str, expires_ms: int, now_ms: int) -> QuerySteps[None]:
    yield "DELETE FROM transfer_codes WHERE user_id = ? OR expires < ?", (user_id, now_ms)
    yield "INSERT INTO transfer_codes (digest, user_id, expires) VALUES (?, ?, ?)", (digest, user_id, expires_ms)


def _redeem_transfer_code(digest: str, now_ms: int) -> QuerySteps[str | None]:
    yield "DELETE FROM transfer_codes WHERE expires < ?", (now_ms,)
    rows = yield "DELETE FROM transfer_codes WHERE digest = ? RETURNING user_id", (digest,)
    return rows[0][0] if rows else None


def _first_column(rows: Rows) -> list[str]:
    return [row[0] for row in rows]
