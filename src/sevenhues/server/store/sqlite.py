"""A store in an SQLite file, for one process. One thread writes and commits waiting writes together; one reads."""

import asyncio
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from sevenhues.server.query_steps import Bulk, Counted, QuerySteps, Rows, Statement, run
from sevenhues.server.store import Conflict, StoreFailed, WrongDatabase
from sevenhues.server.store.migrations import check_header, upgrade
from sevenhues.server.store.shared_queries import SqlStore

T = TypeVar("T")
MAX_JOBS_PER_COMMIT = 256
BUSY_SECONDS = 10  # that a connection waits for another one
ERASE_RETRY_SECONDS = 1.0  # until a WAL that a reader needed is erased
Result = tuple["asyncio.Future[Any]", Any, BaseException | None]
Job = tuple[Statement | QuerySteps[Any], "asyncio.Future[Any]"]


class Jobs:
    """The jobs of a thread. Those of one turn of the event loop are handed over together, which wakes it once."""

    def __init__(self) -> None:
        self._waiting: list[Job] = []
        self._handed_over: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()  # None at the end

    def add(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        if not self._waiting:
            loop.call_soon(self._hand_over)
        self._waiting.append(job)

    def end(self) -> None:
        """Let the thread end when it has done all jobs."""
        self._hand_over()
        self._handed_over.put(None)

    def _hand_over(self) -> None:
        waiting, self._waiting = self._waiting, []
        self._handed_over.put(waiting)

    def get(self, timeout: float | None = None) -> list[Job] | None:
        """Wait for jobs; return None at the end, and raise Empty after a timeout."""
        return self._handed_over.get(timeout=timeout)

    def empty(self) -> bool:
        return self._handed_over.empty()


class SqliteStore(SqlStore):
    """A store of one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writes, self._reads = Jobs(), Jobs()
        self._threads: list[threading.Thread] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._erase_wal = False  # set and read by the thread that writes

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        writer = await asyncio.to_thread(open_database, self.path)
        reader = await asyncio.to_thread(connect, self.path)
        for work, connection in ((self._run_writes, writer), (self._run_reads, reader)):
            thread = threading.Thread(target=work, args=(connection,), name=work.__name__, daemon=True)
            thread.start()
            self._threads.append(thread)

    async def close(self) -> None:
        for jobs in (self._writes, self._reads):
            jobs.end()
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    async def now_ms(self) -> None:
        return None

    async def read(self, steps: QuerySteps[T]) -> T:
        result: T = await self._enqueue(self._reads, steps)
        return result

    async def write(self, steps: QuerySteps[T]) -> T:
        result: T = await self._enqueue(self._writes, steps)
        return result

    async def read_rows(self, sql: str, *values: object) -> Rows:
        rows: Rows = await self._enqueue(self._reads, (sql, values))
        return rows

    async def execute(self, statement: Statement) -> Rows:
        rows: Rows = await self._enqueue(self._writes, statement)
        return rows

    def lock_ratings(self) -> QuerySteps[None]:
        """Yield nothing: one thread writes."""
        yield from ()

    def _delete_user(self, user_id: str, at_ms: int) -> QuerySteps[list[tuple[str, str]]]:
        tables = yield from super()._delete_user(user_id, at_ms)
        self._erase_wal = True  # it holds the name until it is overwritten
        return tables

    def _enqueue(self, jobs: Jobs, work: Statement | QuerySteps[Any]) -> "asyncio.Future[Any]":
        assert self._loop is not None
        done: asyncio.Future[Any] = self._loop.create_future()
        jobs.add(self._loop, (work, done))
        return done

    def _run_writes(self, db: sqlite3.Connection) -> None:
        """Commit all waiting writes together until the store closes; runs in a thread of its own."""
        stopping = False
        while not stopping:
            try:
                first = self._writes.get(timeout=ERASE_RETRY_SECONDS if self._erase_wal else None)
            except queue.Empty:
                self._erase_wal = not _truncate_wal(db)
                continue
            if first is None:
                break
            batch = first
            while len(batch) < MAX_JOBS_PER_COMMIT and not self._writes.empty():
                more = self._writes.get()
                if more is None:
                    stopping = True
                    break
                batch += more
            results = _commit(db, batch, self.path)
            if self._erase_wal:
                self._erase_wal = not _truncate_wal(db)
            self._resolve(results)
        db.close()

    def _run_reads(self, db: sqlite3.Connection) -> None:
        execute = _executor(db)
        while (jobs := self._reads.get()) is not None:
            for work, done in jobs:
                try:
                    self._resolve([(done, _run(work, execute), None)])
                except Exception as error:  # an error of one read must not end the thread
                    self._resolve([(done, None, StoreFailed(f"cannot read {self.path}: {error}"))])
        db.close()

    def _resolve(self, results: list[Result]) -> None:
        def set_results() -> None:
            for done, value, error in results:
                if done.cancelled():
                    continue
                if error is None:
                    done.set_result(value)
                else:
                    done.set_exception(error)

        assert self._loop is not None
        self._loop.call_soon_threadsafe(set_results)


def open_database(path: Path) -> sqlite3.Connection:
    """Open a database for writing, creating or upgrading it; raise WrongDatabase or StoreFailed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        create_private_file(path)
        # A database of another program must not be changed: it is checked before it is opened for writing.
        check_header(path)
        db = connect(path)
        try:
            upgrade(db, path)
        except BaseException:
            db.close()
            raise
        return db
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise WrongDatabase(f"{path} is not a database of Seven Hues") from None
        raise StoreFailed(f"cannot open {path}: {error}") from None
    except OSError as error:
        raise StoreFailed(f"cannot open {path}: {error.strerror}") from None


def create_private_file(path: Path) -> None:
    """Create a file that only its owner can read: it holds the secrets of deals whose games are not over."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA secure_delete = ON")  # a deleted name must not remain in free pages
    return db


def _truncate_wal(db: sqlite3.Connection) -> bool:
    """Move the WAL into the database and make it empty; False if a reader still needs it."""
    with suppress(sqlite3.Error):
        db.execute("PRAGMA busy_timeout = 0")
        busy: int = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        db.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
        return not busy
    return False


def _commit(db: sqlite3.Connection, batch: list[Job], path: Path) -> list[Result]:
    """Run every job in a savepoint, all in one transaction; if the commit fails, every job fails."""
    results: list[Result] = []
    execute = _executor(db)
    try:
        if not path.exists():
            raise sqlite3.OperationalError("the file was deleted")
        db.execute("BEGIN IMMEDIATE")
        for work, done in batch:
            db.execute("SAVEPOINT job")
            try:
                results.append((done, _run(work, execute), None))
            except sqlite3.IntegrityError:
                db.execute("ROLLBACK TO job")
                results.append((done, None, Conflict()))
            except sqlite3.Error:
                raise
            except Exception as error:  # an error of this job alone
                db.execute("ROLLBACK TO job")
                results.append((done, None, error))
            db.execute("RELEASE job")
        db.execute("COMMIT")
        return results
    except (sqlite3.Error, OSError) as error:
        # If the rollback fails too, the next BEGIN fails, and the rollback is tried again.
        with suppress(sqlite3.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")
        failed = StoreFailed(f"cannot write {path}: {error}")
        return [(done, None, failed) for _, done in batch]


def _executor(db: sqlite3.Connection) -> Callable[[Statement], Rows]:
    def execute(statement: Statement) -> Rows:
        if isinstance(statement, Bulk):
            db.executemany(statement.sql, statement.rows)
            return []
        cursor = db.execute(*statement)
        return [(cursor.rowcount,)] if isinstance(statement, Counted) else cursor.fetchall()

    return execute


def _run(work: Statement | QuerySteps[Any], execute: Callable[[Statement], Rows]) -> Any:
    return execute(work) if isinstance(work, tuple) else run(work, execute)
