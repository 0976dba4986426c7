"""A store in PostgreSQL, for several processes. Primary keys decide conflicts; the database's clock ends leases."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple, TypeVar

import asyncpg

from sevenhues.server.notifications.notices import Notice
from sevenhues.server.query_steps import Bulk, Counted, QuerySteps, Rows, Statement, postgres_sql, run_async
from sevenhues.server.store import Conflict, StoreFailed, Summary
from sevenhues.server.store.batches import Batches
from sevenhues.server.store.postgres_migrations import ADVISORY_LOCK, upgrade
from sevenhues.server.store.shared_queries import SqlStore
from sevenhues.server.table import events
from sevenhues.server.table.events import Entry, Event

T = TypeVar("T")
RATINGS_LOCK = ADVISORY_LOCK + 1  # held by the transaction that changes ratings
MAX_CONNECTIONS = 8
TIMEOUT_SECONDS = 10.0  # of a statement
IDLE_SECONDS = 5  # after which PostgreSQL ends a transaction whose process does nothing, and frees its locks
CONNECTION_ERRORS = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # PostgreSQL has ended the session, but the connection is not closed yet
    asyncpg.OperatorInterventionError,
    TimeoutError,
)
BOOLEAN_COLUMNS = ("public", "needs_owner", "may_create")
# Batches of several processes insert in the same order, so that none waits for another in a circle. The outbox takes
# the notices of the events that are stored.
APPEND_BATCH = """
WITH stored AS (
    INSERT INTO events (table_id, number, at, body)
    SELECT new.* FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bytea[]) AS new (table_id, number, at, body)
    WHERE EXISTS (SELECT 1 FROM tables WHERE id = new.table_id)
    ORDER BY new.table_id, new.number
    ON CONFLICT DO NOTHING RETURNING table_id, number, at
), queued AS (
    INSERT INTO outbox (table_id, user_id, kind, channel_id, number, at, due, attempts)
    SELECT DISTINCT ON (table_id, channel.user_id, notice.kind, channel.id)
        table_id, channel.user_id, notice.kind, channel.id, number, at, notice.due, 0
    FROM unnest($5::text[], $6::integer[], $7::text[], $8::text[], $9::bigint[])
        AS notice (table_id, number, user_id, kind, due)
    JOIN stored USING (table_id, number)
    JOIN notification_channels AS channel ON channel.user_id = notice.user_id AND channel.confirmed IS NOT NULL
    ORDER BY table_id, channel.user_id, notice.kind, channel.id, number DESC
    ON CONFLICT (table_id, user_id, kind, channel_id) DO UPDATE
    SET number = excluded.number, at = excluded.at, due = excluded.due, attempts = 0, holder = NULL
)
SELECT table_id, number FROM stored
"""
READ_BATCH = """
SELECT place, at, body FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS wanted (id, start, place),
LATERAL (SELECT number, at, body FROM events WHERE table_id = id AND number >= start ORDER BY number) AS stored
ORDER BY place, number
"""


class NewEvent(NamedTuple):
    """An event to append, with the notices for users."""

    table_id: str
    number: int
    at_ms: int
    body: bytes
    notices: Sequence[Notice]


class PostgresStore(SqlStore):
    """A store that several processes share."""

    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, address: str) -> None:
        self.address = address
        self._pool: Any = None
        self._appends: Batches[NewEvent, bool] = Batches(self._append_batch)
        self._reads: Batches[tuple[str, int], Rows] = Batches(self._read_batch)

    async def open(self) -> None:
        """Connect, and create or upgrade the database; raise WrongDatabase if a newer release wrote it."""
        try:
            self._pool = await asyncpg.create_pool(
                self.address,
                min_size=1,
                max_size=MAX_CONNECTIONS,
                command_timeout=TIMEOUT_SECONDS,
                timeout=TIMEOUT_SECONDS,
                reset=_keep_session,
                server_settings={"idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s"},
            )
        except (*CONNECTION_ERRORS, asyncpg.PostgresError, ValueError) as error:
            raise StoreFailed(f"cannot open the database: {error}") from None
        try:
            async with self._transaction() as db:
                await upgrade(db)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    async def now_ms(self) -> int:
        rows = await self._fetch("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(rows[0][0])

    async def read(self, steps: QuerySteps[T]) -> T:
        return await self.write(steps)

    async def write(self, steps: QuerySteps[T]) -> T:
        async with self._transaction() as db:
            return await run_async(steps, lambda statement: _execute(db, statement))

    async def read_rows(self, sql: str, *values: object) -> Rows:
        return await self.execute((sql, values))

    async def execute(self, statement: Statement) -> Rows:
        with _mapped_errors():
            return await _execute(self._pool, statement)

    async def append(
        self,
        table_id: str,
        number: int,
        at_ms: int,
        event: Event,
        summary: Summary | None,
        notices: Sequence[Notice] = (),
    ) -> None:
        new = NewEvent(table_id, number, at_ms, events.encode(event), notices)
        if summary is not None or not await self._appends.call(new):
            await super().append(table_id, number, at_ms, event, summary, notices)

    async def _append_batch(self, batch: list[NewEvent]) -> list[bool]:
        """Append events of several tables; tell for each whether it is stored. If not, appending it alone says why."""
        first = {event[:2]: event for event in reversed(batch)}  # one event for each number of a table
        columns = list(zip(*first.values(), strict=True))[:4]
        notices = [(event.table_id, event.number, *notice) for event in first.values() for notice in event.notices]
        notice_columns = list(zip(*notices, strict=True)) if notices else [()] * 5
        stored = {(row[0], row[1]) for row in await self._fetch(APPEND_BATCH, *columns, *notice_columns)}
        return [event[:2] in stored and event is first[event[:2]] for event in batch]

    async def log(self, table_id: str, start: int = 0) -> list[Entry]:
        return [events.decode(at_ms, body) for at_ms, body in await self._reads.call((table_id, start))]

    async def _read_batch(self, batch: list[tuple[str, int]]) -> list[Rows]:
        """Read the logs of several tables, each from a number on."""
        logs: list[Rows] = [[] for _ in batch]
        for place, at_ms, body in await self._fetch(READ_BATCH, *zip(*batch, strict=True)):
            logs[place - 1].append((at_ms, body))
        return logs

    def lock_ratings(self) -> QuerySteps[None]:
        yield "SELECT pg_advisory_xact_lock(?)", (RATINGS_LOCK,)

    def _remove(self, table_id: str) -> QuerySteps[None]:
        yield from super()._remove(table_id)
        yield "DELETE FROM leases WHERE table_id = ?", (table_id,)

    async def log_lengths(self, table_ids: list[str]) -> dict[str, int]:
        # One look into the index per table, however long the logs are.
        sql = "SELECT id, (SELECT max(number) + 1 FROM events WHERE table_id = id) FROM unnest($1::text[]) AS id"
        return {row[0]: row[1] for row in await self._fetch(sql, table_ids) if row[1] is not None}

    async def take_leases(self, table_ids: list[str], holder: str, seconds: float) -> set[str]:
        """Take or renew leases; return the tables whose lease the holder has now."""
        rows = await self._fetch(
            "INSERT INTO leases (table_id, holder, until)"
            " SELECT unnest($1::text[]), $2, clock_timestamp() + $3 * interval '1 second'"
            " ON CONFLICT (table_id) DO UPDATE SET holder = excluded.holder, until = excluded.until"
            " WHERE leases.holder = excluded.holder OR leases.until < clock_timestamp() RETURNING table_id",
            table_ids,
            holder,
            seconds,
        )
        return {row[0] for row in rows}

    async def drop_leases(self, table_ids: list[str], holder: str) -> None:
        await self._fetch("DELETE FROM leases WHERE table_id = ANY($1) AND holder = $2", table_ids, holder)

    async def tables_without_lease(self, limit: int) -> list[str]:
        """List tables in play that need a process to act and that no process has a lease for."""
        rows = await self._fetch(
            "SELECT id FROM tables LEFT JOIN leases ON table_id = id WHERE status = 'playing' AND needs_owner"
            " AND (until IS NULL OR until < clock_timestamp()) LIMIT $1",
            limit,
        )
        return [row[0] for row in rows]

    async def import_rows(self, rows: dict[str, Rows], columns: dict[str, tuple[str, ...]]) -> None:
        """Copy rows of an SQLite database into an empty database; raise StoreFailed if it is not empty."""
        async with self._transaction() as db:
            if await db.fetchval("SELECT count(*) FROM tables"):
                raise StoreFailed("the database already contains tables: give an empty one")
            for name, own_rows in rows.items():
                records = [_with_booleans(row, columns[name]) for row in own_rows]
                await db.copy_records_to_table(name, records=records, columns=columns[name])

    async def export_rows(self, columns: dict[str, tuple[str, ...]]) -> dict[str, Rows]:
        """Return all rows as SQLite stores them."""
        exported: dict[str, Rows] = {}
        for name, own_columns in columns.items():
            rows = await self._fetch(f"SELECT {', '.join(own_columns)} FROM {name}")
            exported[name] = [tuple(int(value) if isinstance(value, bool) else value for value in row) for row in rows]
        return exported

    async def _fetch(self, sql: str, *values: object) -> Rows:
        """Run one statement in PostgreSQL's dialect."""
        with _mapped_errors():
            return [tuple(row) for row in await self._pool.fetch(sql, *values)]

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Any]:
        with _mapped_errors():
            async with self._pool.acquire(timeout=TIMEOUT_SECONDS) as db, db.transaction():
                yield db


@contextmanager
def _mapped_errors() -> Iterator[None]:
    """Raise Conflict or StoreFailed in place of the driver's errors."""
    try:
        yield
    except asyncpg.UniqueViolationError:
        raise Conflict from None
    except (*CONNECTION_ERRORS, asyncpg.PostgresError) as error:
        raise StoreFailed(f"the database failed: {error}") from None


async def _keep_session(connection: Any) -> None:
    """Do not reset a connection that returns to the pool: no statement here changes its session."""


async def _execute(db: Any, statement: Statement) -> Rows:
    """Run a statement on a connection; on the pool, it commits by itself, in one round trip."""
    if isinstance(statement, Bulk):
        await db.executemany(postgres_sql(statement.sql), statement.rows)
        return []
    sql, values = statement
    if isinstance(statement, Counted):
        status = await db.execute(postgres_sql(sql), *values)  # such as "INSERT 0 1"
        return [(int(status.rpartition(" ")[2]),)]
    return [tuple(row) for row in await db.fetch(postgres_sql(sql), *values)]


def _with_booleans(row: tuple[Any, ...], columns: tuple[str, ...]) -> tuple[Any, ...]:
    """Convert the integers with which SQLite stores booleans."""
    return tuple(bool(value) if name in BOOLEAN_COLUMNS else value for name, value in zip(columns, row, strict=True))
