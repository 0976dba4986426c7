"""Tables in PostgreSQL, for many processes on many machines: the database's key says who was first, its time counts."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import asyncpg

from sevenhues.server.ratings import queries
from sevenhues.server.store import Identity, Listed, StoreFailed, Summary, Taken, WrongDatabase, without_name
from sevenhues.server.store.shared_queries import Rows, Steps, numbered, run_async
from sevenhues.server.table import events
from sevenhues.server.table.events import Entry, Event

T = TypeVar("T")
SCHEMA = """
CREATE TABLE sevenhues_version (version integer NOT NULL);
INSERT INTO sevenhues_version VALUES (1);
CREATE TABLE tables (
    id text PRIMARY KEY, game text NOT NULL, status text NOT NULL, public boolean NOT NULL, owner text NOT NULL,
    created bigint NOT NULL, updated bigint NOT NULL, attended boolean NOT NULL
);
CREATE INDEX tables_listed ON tables (public, status, updated);
CREATE TABLE events (
    table_id text NOT NULL, number integer NOT NULL, at bigint NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (table_id, number)
);
CREATE TABLE persons (table_id text NOT NULL, identity text NOT NULL, PRIMARY KEY (identity, table_id));
CREATE INDEX persons_by_table ON persons (table_id);
CREATE TABLE identities (id text PRIMARY KEY, name text, created bigint NOT NULL, deleted bigint);
CREATE TABLE carries (digest text PRIMARY KEY, identity text NOT NULL, expires bigint NOT NULL);
CREATE TABLE leases (table_id text PRIMARY KEY, holder text NOT NULL, until timestamptz NOT NULL);
CREATE TABLE checks (done bigint NOT NULL);
INSERT INTO checks VALUES (0);
"""
STORIES = "CREATE TABLE stories (table_id text PRIMARY KEY, version integer NOT NULL, body bytea NOT NULL)"
RATINGS = """
CREATE TABLE ratings (
    game text NOT NULL, player text NOT NULL, identity text, mu double precision NOT NULL,
    sigma double precision NOT NULL, games integer NOT NULL, PRIMARY KEY (game, player)
);
CREATE INDEX ratings_by_player ON ratings (player);
CREATE TABLE rated (table_id text PRIMARY KEY, game text NOT NULL, at bigint NOT NULL UNIQUE);
CREATE TABLE changes (
    table_id text NOT NULL, seat integer NOT NULL, game text NOT NULL, player text, at bigint NOT NULL,
    place integer NOT NULL, was double precision, became double precision, PRIMARY KEY (table_id, seat)
);
CREATE INDEX changes_by_player ON changes (player, at);
"""
STEPS = (STORIES, RATINGS)  # what each version adds to the one before
VERSION = 1 + len(STEPS)
ADVISORY = 0x53484855  # the lock under which one process makes the tables
RATING = ADVISORY + 1  # the lock under which ratings change
CONNECTIONS = 8
PATIENCE = 10.0  # seconds that a query may take
APPEND = "INSERT INTO events (table_id, number, at, body) VALUES ($1, $2, $3, $4)"
LOST = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.OperatorInterventionError,
    TimeoutError,
)


class PostgresStore:
    """The store of as many processes as use it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._pool: Any = None
        self._written = 0

    async def open(self) -> None:
        try:
            self._pool = await asyncpg.create_pool(
                self.address,
                min_size=1,
                max_size=CONNECTIONS,
                command_timeout=PATIENCE,
                timeout=PATIENCE,
                reset=_leave_as_it_is,
            )
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise StoreFailed(f"cannot open the database: {error}") from None
        async with self._transaction() as db:
            await db.execute("SELECT pg_advisory_xact_lock($1)", ADVISORY)
            if await db.fetchval("SELECT to_regclass('sevenhues_version')") is None:
                await db.execute(SCHEMA)
            version = await db.fetchval("SELECT version FROM sevenhues_version")
            for step in STEPS[version - 1 :]:
                await db.execute(step)
            await db.execute("UPDATE sevenhues_version SET version = $1 WHERE version < $1", VERSION)
        if version > VERSION:
            await self.close()
            raise WrongDatabase(
                f"the database was written by a newer release of Seven Hues (its version is {version}, this release "
                f"knows up to {VERSION}): upgrade sevenhues, or give another --store"
            )

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    async def create(self, table: str, log: list[Entry], summary: Summary) -> None:
        created = log[0].event
        assert isinstance(created, events.Created)
        rows = [(table, number, entry.at, events.encode(entry.event)) for number, entry in enumerate(log)]
        async with self._transaction() as db:
            await db.execute(
                "INSERT INTO tables (id, game, status, public, owner, created, updated, attended)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                table,
                summary.game,
                summary.status,
                summary.public,
                created.owner,
                log[0].at,
                log[-1].at,
                summary.attended,
            )
            await db.executemany(APPEND, rows)
            await _seat_persons(db, table, summary)

    async def append(self, table: str, number: int, at: int, event: Event, summary: Summary | None) -> None:
        row = (table, number, at, events.encode(event))
        if summary is None:
            await self._do("execute", APPEND, *row)
        else:
            async with self._transaction() as db:
                await db.execute(APPEND, *row)
                await db.execute(
                    "UPDATE tables SET status = $1, updated = $2, attended = $3 WHERE id = $4",
                    summary.status,
                    at,
                    summary.attended,
                    table,
                )
                await _seat_persons(db, table, summary)
                if summary.contest is not None:
                    await _rate(db, queries.count(table, at, summary.contest))
        self._written += 1

    async def log(self, table: str, start: int = 0) -> list[Entry]:
        rows = await self._do(
            "fetch", "SELECT at, body FROM events WHERE table_id = $1 AND number >= $2 ORDER BY number", table, start
        )
        return [events.decode(row["at"], row["body"]) for row in rows]

    async def remove(self, table: str) -> None:
        async with self._transaction() as db:
            for name in ("events", "persons", "leases", "stories"):
                await db.execute(f"DELETE FROM {name} WHERE table_id = $1", table)
            await db.execute("DELETE FROM tables WHERE id = $1", table)

    async def list_public(self, status: str, game: str | None, before: Listed | None, most: int) -> list[Listed]:
        where, values = _page(before, 4)
        rows = await self._do(
            "fetch",
            "SELECT id, updated FROM tables WHERE public AND status = $1 AND ($2::text IS NULL OR game = $2)"
            f'{where} ORDER BY updated DESC, id COLLATE "C" DESC LIMIT $3',
            status,
            game,
            most,
            *values,
        )
        return [Listed(*row) for row in rows]

    async def list_of(self, identity: str, before: Listed | None, most: int) -> list[Listed]:
        where, values = _page(before, 3)
        rows = await self._do(
            "fetch",
            "SELECT id, updated FROM tables JOIN persons ON table_id = id WHERE identity = $1"
            f'{where} ORDER BY updated DESC, id COLLATE "C" DESC LIMIT $2',
            identity,
            most,
            *values,
        )
        return [Listed(*row) for row in rows]

    async def attended(self) -> list[str]:
        rows = await self._do("fetch", "SELECT id FROM tables WHERE status = 'playing' AND attended")
        return [row["id"] for row in rows]

    async def stale(self, status: str, before: int) -> list[str]:
        rows = await self._do(
            "fetch",
            "SELECT id FROM tables WHERE status = $1"
            " AND (SELECT at FROM events WHERE table_id = id ORDER BY number DESC LIMIT 1) < $2",
            status,
            before,
        )
        return [row["id"] for row in rows]

    async def identity(self, id: str) -> Identity | None:
        row = await self._do("fetchrow", "SELECT name, deleted FROM identities WHERE id = $1", id)
        return None if row is None else Identity(id, row["name"], row["deleted"] is not None)

    async def name_identity(self, id: str, name: str, at: int) -> None:
        await self._do(
            "execute",
            "INSERT INTO identities (id, name, created) VALUES ($1, $2, $3)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            id,
            name,
            at,
        )

    async def delete_identity(self, id: str, at: int) -> list[tuple[str, str]]:
        async with self._transaction() as db:
            query = "SELECT id, status FROM persons JOIN tables ON id = table_id WHERE identity = $1"
            found = await db.fetch(query, id)
            await db.execute(
                "INSERT INTO identities (id, name, created, deleted) VALUES ($1, NULL, $2, $3)"
                " ON CONFLICT (id) DO UPDATE SET name = NULL, deleted = excluded.deleted",
                id,
                at,
                await _rate(db, queries.forget(id, at)),
            )
            await db.execute("DELETE FROM carries WHERE identity = $1", id)
            for row in found:
                await _forget_name(db, row["id"], id)
        return [(row["id"], row["status"]) for row in found]

    async def offer_carry(self, digest: str, identity: str, expires: int) -> None:
        async with self._transaction() as db:
            await db.execute("DELETE FROM carries WHERE identity = $1", identity)
            await db.execute(
                "INSERT INTO carries (digest, identity, expires) VALUES ($1, $2, $3)", digest, identity, expires
            )

    async def take_carry(self, digest: str, now: int) -> str | None:
        async with self._transaction() as db:
            await db.execute("DELETE FROM carries WHERE expires < $1", now)
            found: str | None = await db.fetchval("DELETE FROM carries WHERE digest = $1 RETURNING identity", digest)
        return found

    async def keep_story(self, table: str, version: int, body: bytes) -> None:
        await self._do(
            "execute",
            "INSERT INTO stories (table_id, version, body) SELECT id, $2, $3 FROM tables WHERE id = $1"
            " ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, body = excluded.body",
            table,
            version,
            body,
        )

    async def story(self, table: str, version: int) -> bytes | None:
        query = "SELECT body FROM stories WHERE table_id = $1 AND version = $2"
        found: bytes | None = await self._do("fetchval", query, table, version)
        return found

    async def ask(self, steps: Steps[T]) -> T:
        async with self._transaction() as db:
            return await run_async(steps, _asker(db))

    async def change(self, steps: Steps[T]) -> T:
        async with self._transaction() as db:
            return await _rate(db, steps)

    async def check(self) -> None:
        await self._do("execute", "UPDATE checks SET done = done + 1")

    def figures(self) -> dict[str, Any]:
        return {"written": self._written}

    async def heads(self, tables: list[str]) -> dict[str, int]:
        """Tell how many events each of these tables has."""
        rows = await self._do(
            "fetch",
            "SELECT table_id, max(number) + 1 AS count FROM events WHERE table_id = ANY($1) GROUP BY table_id",
            tables,
        )
        return {row["table_id"]: row["count"] for row in rows}

    async def take_leases(self, tables: list[str], holder: str, seconds: float) -> set[str]:
        """Take or renew leases; returns those that are ours now. The database's time counts."""
        rows = await self._do(
            "fetch",
            "INSERT INTO leases (table_id, holder, until)"
            " SELECT unnest($1::text[]), $2, clock_timestamp() + $3 * interval '1 second'"
            " ON CONFLICT (table_id) DO UPDATE SET holder = excluded.holder, until = excluded.until"
            " WHERE leases.holder = excluded.holder OR leases.until < clock_timestamp() RETURNING table_id",
            tables,
            holder,
            seconds,
        )
        return {row["table_id"] for row in rows}

    async def drop_leases(self, tables: list[str], holder: str) -> None:
        await self._do("execute", "DELETE FROM leases WHERE table_id = ANY($1) AND holder = $2", tables, holder)

    async def unattended(self, most: int) -> list[str]:
        """List games that go on and that no process looks after."""
        rows = await self._do(
            "fetch",
            "SELECT id FROM tables LEFT JOIN leases ON table_id = id WHERE status = 'playing' AND attended"
            " AND (until IS NULL OR until < clock_timestamp()) LIMIT $1",
            most,
        )
        return [row["id"] for row in rows]

    async def fill(self, rows: dict[str, list[tuple[Any, ...]]], columns: dict[str, tuple[str, ...]]) -> None:
        """Put all rows into an empty database, or none; raises StoreFailed if there is something in it already."""
        async with self._transaction() as db:
            if await db.fetchval("SELECT count(*) FROM tables"):
                raise StoreFailed("the database has tables in it already: give an empty one")
            for name, found in rows.items():
                typed = [_typed(row, columns[name]) for row in found]
                await db.copy_records_to_table(name, records=typed, columns=columns[name])

    async def everything(self, columns: dict[str, tuple[str, ...]]) -> dict[str, list[tuple[Any, ...]]]:
        """Return all rows, as `fill` takes them."""
        found = {}
        for name, listed in columns.items():
            rows = await self._do("fetch", f"SELECT {', '.join(listed)} FROM {name}")
            found[name] = [tuple(int(value) if isinstance(value, bool) else value for value in row) for row in rows]
        return found

    async def _do(self, method: str, query: str, *values: Any) -> Any:
        try:
            return await getattr(self._pool, method)(query, *values)
        except asyncpg.UniqueViolationError:
            raise Taken from None
        except (*LOST, asyncpg.PostgresError) as error:
            raise StoreFailed(f"the database failed: {error}") from None

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Any]:
        try:
            async with self._pool.acquire(timeout=PATIENCE) as db, db.transaction():
                yield db
        except asyncpg.UniqueViolationError:
            raise Taken from None
        except (*LOST, asyncpg.PostgresError) as error:
            raise StoreFailed(f"the database failed: {error}") from None


async def _leave_as_it_is(connection: Any) -> None:
    """A connection comes back as it went, for nothing here changes a session: no question to ask it."""


FLAGS = ("public", "attended")


def _typed(row: tuple[Any, ...], columns: tuple[str, ...]) -> tuple[Any, ...]:
    """SQLite's truths are numbers."""
    return tuple(bool(value) if name in FLAGS else value for name, value in zip(columns, row, strict=True))


async def _rate(db: Any, steps: Steps[T]) -> T:
    """Change ratings in the transaction that is open, one process at a time."""
    await db.execute("SELECT pg_advisory_xact_lock($1)", RATING)
    return await run_async(steps, _asker(db))


def _asker(db: Any) -> Callable[[str, tuple[Any, ...]], Awaitable[Rows]]:
    async def ask(query: str, values: tuple[Any, ...]) -> Rows:
        return [tuple(row) for row in await db.fetch(numbered(query), *values)]

    return ask


async def _seat_persons(db: Any, table: str, summary: Summary) -> None:
    await db.execute("DELETE FROM persons WHERE table_id = $1", table)
    rows = [(table, person) for person in summary.persons]
    await db.executemany("INSERT INTO persons (table_id, identity) VALUES ($1, $2)", rows)


async def _forget_name(db: Any, table: str, identity: str) -> None:
    for row in await db.fetch("SELECT number, body FROM events WHERE table_id = $1", table):
        changed = without_name(row["body"], identity)
        if changed is not None:
            query = "UPDATE events SET body = $1 WHERE table_id = $2 AND number = $3"
            await db.execute(query, changed, table, row["number"])


def _page(before: Listed | None, first: int) -> tuple[str, tuple[Any, ...]]:
    if before is None:
        return "", ()
    return f' AND (updated, id COLLATE "C") < (${first}, ${first + 1})', (before.updated, before.id)
