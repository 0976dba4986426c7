"""Tables in an SQLite file: one thread writes, many appends to a commit, each durable before anybody is told."""

import asyncio
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from sevenhues.server.ratings import queries
from sevenhues.server.store import Identity, Listed, StoreFailed, Summary, Taken, WrongDatabase, without_name
from sevenhues.server.store.migrations import check, upgrade
from sevenhues.server.store.shared_queries import Rows, Steps, run
from sevenhues.server.table import events
from sevenhues.server.table.events import Entry, Event

T = TypeVar("T")
MOST_BATCHED = 256
Job = Callable[[sqlite3.Connection], Any]
Waiting = tuple[Job, "asyncio.Future[Any]"]


class SqliteStore:
    """The store of one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writes: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._reads: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._commits = 0
        self._written = 0

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        writer = await asyncio.to_thread(open_database, self.path)
        reader = await asyncio.to_thread(connect, self.path)
        for work, connection in ((self._write_all, writer), (self._read_all, reader)):
            thread = threading.Thread(target=work, args=(connection,), name=work.__name__, daemon=True)
            thread.start()
            self._threads.append(thread)

    async def close(self) -> None:
        for jobs in (self._writes, self._reads):
            jobs.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    async def create(self, table: str, log: list[Entry], summary: Summary) -> None:
        owner = log[0].event
        assert isinstance(owner, events.Created)
        rows = [(table, number, entry.at, events.encode(entry.event)) for number, entry in enumerate(log)]

        def job(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO tables (id, game, status, public, owner, created, updated, attended)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    table,
                    summary.game,
                    summary.status,
                    summary.public,
                    owner.owner,
                    log[0].at,
                    log[-1].at,
                    summary.attended,
                ),
            )
            db.executemany("INSERT INTO events (table_id, number, at, body) VALUES (?, ?, ?, ?)", rows)
            _seat_persons(db, table, summary)

        await self._write(job)

    async def append(self, table: str, number: int, at: int, event: Event, summary: Summary | None) -> None:
        row = (table, number, at, events.encode(event))

        def job(db: sqlite3.Connection) -> None:
            added = db.execute(
                "INSERT INTO events (table_id, number, at, body)"
                " SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)",
                (*row, table),
            )
            if added.rowcount == 0:
                raise StoreFailed(f"there is no table {table} any more")
            if summary is not None:
                db.execute(
                    "UPDATE tables SET status = ?, updated = ?, attended = ? WHERE id = ?",
                    (summary.status, at, summary.attended, table),
                )
                _seat_persons(db, table, summary)
                if summary.contest is not None:
                    run(queries.count(table, at, summary.contest), _asker(db))

        await self._write(job)

    async def log(self, table: str, start: int = 0) -> list[Entry]:
        rows = await self._read(
            "SELECT at, body FROM events WHERE table_id = ? AND number >= ? ORDER BY number", (table, start)
        )
        return [events.decode(at, body) for at, body in rows]

    async def remove(self, table: str) -> None:
        def job(db: sqlite3.Connection) -> None:
            for name in ("events", "persons", "stories"):
                db.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
            db.execute("DELETE FROM tables WHERE id = ?", (table,))

        await self._write(job)

    async def list_public(self, status: str, game: str | None, before: Listed | None, most: int) -> list[Listed]:
        where, values = _page(before)
        rows = await self._read(
            "SELECT id, updated FROM tables WHERE public AND status = ? AND (? IS NULL OR game = ?)"
            f"{where} ORDER BY updated DESC, id DESC LIMIT ?",
            (status, game, game, *values, most),
        )
        return [Listed(*row) for row in rows]

    async def list_of(self, identity: str, before: Listed | None, most: int) -> list[Listed]:
        where, values = _page(before)
        rows = await self._read(
            "SELECT id, updated FROM tables JOIN persons ON table_id = id WHERE identity = ?"
            f"{where} ORDER BY updated DESC, id DESC LIMIT ?",
            (identity, *values, most),
        )
        return [Listed(*row) for row in rows]

    async def attended(self) -> list[str]:
        rows = await self._read("SELECT id FROM tables WHERE status = 'playing' AND attended", ())
        return [row[0] for row in rows]

    async def heads(self, tables: list[str]) -> dict[str, int]:
        query = "SELECT max(number) + 1 FROM events WHERE table_id = ?"
        found = {table: (await self._read(query, (table,)))[0][0] for table in tables}
        return {table: count for table, count in found.items() if count is not None}

    async def stale(self, status: str, before: int) -> list[str]:
        rows = await self._read(
            "SELECT id FROM tables WHERE status = ?"
            " AND (SELECT at FROM events WHERE table_id = id ORDER BY number DESC LIMIT 1) < ?",
            (status, before),
        )
        return [row[0] for row in rows]

    async def identity(self, id: str) -> Identity | None:
        rows = await self._read("SELECT id, name, deleted IS NOT NULL FROM identities WHERE id = ?", (id,))
        return Identity(rows[0][0], rows[0][1], bool(rows[0][2])) if rows else None

    async def name_identity(self, id: str, name: str, at: int) -> None:
        def job(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO identities (id, name, created) VALUES (?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET name = excluded.name",
                (id, name, at),
            )

        await self._write(job)

    async def delete_identity(self, id: str, at: int) -> list[tuple[str, str]]:
        def job(db: sqlite3.Connection) -> list[tuple[str, str]]:
            tables: list[tuple[str, str]] = db.execute(
                "SELECT table_id, status FROM persons JOIN tables ON table_id = tables.id WHERE identity = ?", (id,)
            ).fetchall()
            db.execute(
                "INSERT INTO identities (id, name, created, deleted) VALUES (?, NULL, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET name = NULL, deleted = excluded.deleted",
                (id, at, run(queries.forget(id, at), _asker(db))),
            )
            db.execute("DELETE FROM carries WHERE identity = ?", (id,))
            for table, _ in tables:
                _forget_name(db, table, id)
            return tables

        return await self._write(job)

    async def offer_carry(self, digest: str, identity: str, expires: int) -> None:
        def job(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM carries WHERE identity = ?", (identity,))
            db.execute("INSERT INTO carries (digest, identity, expires) VALUES (?, ?, ?)", (digest, identity, expires))

        await self._write(job)

    async def take_carry(self, digest: str, now: int) -> str | None:
        def job(db: sqlite3.Connection) -> str | None:
            db.execute("DELETE FROM carries WHERE expires < ?", (now,))
            row = db.execute("DELETE FROM carries WHERE digest = ? RETURNING identity", (digest,)).fetchone()
            return None if row is None else row[0]

        return await self._write(job)

    async def keep_story(self, table: str, version: int, body: bytes) -> None:
        def job(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO stories (table_id, version, body) SELECT id, ?, ? FROM tables WHERE id = ?"
                " ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, body = excluded.body",
                (version, body, table),
            )

        await self._write(job)

    async def story(self, table: str, version: int) -> bytes | None:
        rows = await self._read("SELECT body FROM stories WHERE table_id = ? AND version = ?", (table, version))
        return rows[0][0] if rows else None

    async def ask(self, steps: Steps[T]) -> T:
        assert self._loop is not None
        done: asyncio.Future[T] = self._loop.create_future()
        self._reads.put((lambda db: run(steps, _asker(db)), done))
        return await done

    async def change(self, steps: Steps[T]) -> T:
        return await self._write(lambda db: run(steps, _asker(db)))

    async def check(self) -> None:
        def job(db: sqlite3.Connection) -> None:
            db.execute("UPDATE checks SET done = done + 1")

        await self._write(job)

    def figures(self) -> dict[str, Any]:
        return {"commits": self._commits, "written": self._written}

    async def _write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        assert self._loop is not None
        done: asyncio.Future[T] = self._loop.create_future()
        self._writes.put((job, done))
        return await done

    async def _read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        assert self._loop is not None
        done: asyncio.Future[list[Any]] = self._loop.create_future()
        self._reads.put((lambda db: db.execute(query, values).fetchall(), done))
        return await done

    def _write_all(self, db: sqlite3.Connection) -> None:
        """Write whatever waits in one commit, again and again; runs in its own thread."""
        while (first := self._writes.get()) is not None:
            batch = [first]
            last = False
            while len(batch) < MOST_BATCHED and not self._writes.empty():
                more = self._writes.get()
                if more is None:
                    last = True
                    break
                batch.append(more)
            answers = _commit(db, batch, self.path)
            self._commits += 1
            self._written += len(batch)
            self._answer(answers)
            if last:
                break
        db.close()

    def _read_all(self, db: sqlite3.Connection) -> None:
        while (waiting := self._reads.get()) is not None:
            job, done = waiting
            try:
                self._answer([(done, job(db), None)])
            except Exception as error:  # whatever it is: everybody else still wants to read
                self._answer([(done, None, StoreFailed(f"cannot read {self.path}: {error}"))])
        db.close()

    def _answer(self, answers: list[tuple["asyncio.Future[Any]", Any, BaseException | None]]) -> None:
        def settle() -> None:
            for done, value, error in answers:
                if done.cancelled():
                    continue
                if error is None:
                    done.set_result(value)
                else:
                    done.set_exception(error)

        assert self._loop is not None
        self._loop.call_soon_threadsafe(settle)


def open_database(path: Path) -> sqlite3.Connection:
    """Open a database for writing, making or migrating it; raises WrongDatabase or StoreFailed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        touch(path)
        # What is not ours is left as it is, so it is looked at before anything is touched.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as looked_at:
            check(looked_at, path)
        db = connect(path)
        upgrade(db, path)
        return db
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise WrongDatabase(f"{path} is no database of Seven Hues") from None
        raise StoreFailed(f"cannot open {path}: {error}") from None
    except OSError as error:
        raise StoreFailed(f"cannot open {path}: {error.strerror}") from None


def touch(path: Path) -> None:
    """Make a file that only the owner reads: the secrets of deals lie in it before their games are over."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA secure_delete = ON")  # a forgotten name leaves no trace in free pages
    return db


def _commit(
    db: sqlite3.Connection, batch: list[Waiting], path: Path
) -> list[tuple["asyncio.Future[Any]", Any, BaseException | None]]:
    """Do each job for itself, all in one transaction; if that cannot be committed, none is done."""
    answers: list[tuple[asyncio.Future[Any], Any, BaseException | None]] = []
    try:
        if not path.exists():
            raise sqlite3.OperationalError("the file is gone")
        db.execute("BEGIN IMMEDIATE")
        for job, done in batch:
            db.execute("SAVEPOINT job")
            try:
                answers.append((done, job(db), None))
            except sqlite3.IntegrityError:
                db.execute("ROLLBACK TO job")
                answers.append((done, None, Taken()))
            except sqlite3.Error:
                raise
            except Exception as error:  # this job's own fault
                db.execute("ROLLBACK TO job")
                answers.append((done, None, error))
            db.execute("RELEASE job")
        db.execute("COMMIT")
        return answers
    except (sqlite3.Error, OSError) as error:
        # If not even that can be done, beginning anew fails, and it is tried again then.
        with suppress(sqlite3.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")
        failed = StoreFailed(f"cannot write {path}: {error}")
        return [(done, None, failed) for _, done in batch]


def _asker(db: sqlite3.Connection) -> Callable[[str, tuple[Any, ...]], Rows]:
    return lambda query, values: db.execute(query, values).fetchall()


def _seat_persons(db: sqlite3.Connection, table: str, summary: Summary) -> None:
    db.execute("DELETE FROM persons WHERE table_id = ?", (table,))
    rows = [(table, person) for person in summary.persons]
    db.executemany("INSERT INTO persons (table_id, identity) VALUES (?, ?)", rows)


def _forget_name(db: sqlite3.Connection, table: str, identity: str) -> None:
    for number, body in db.execute("SELECT number, body FROM events WHERE table_id = ?", (table,)).fetchall():
        changed = without_name(body, identity)
        if changed is not None:
            db.execute("UPDATE events SET body = ? WHERE table_id = ? AND number = ?", (changed, table, number))


def _page(before: Listed | None) -> tuple[str, tuple[Any, ...]]:
    if before is None:
        return "", ()
    return " AND (updated, id) < (?, ?)", (before.updated, before.id)
