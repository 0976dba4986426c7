"""A lock on a PostgreSQL database, so that servers that know nothing of each other do not share it.

A session of its own holds the lock, which PostgreSQL releases when the session ends, also if the process was killed.
"""

import asyncio
import logging
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

import asyncpg

from sevenhues.core.errors import SevenHuesError, shorten
from sevenhues.server.store import StoreFailed
from sevenhues.server.store.postgres import CONNECTION_ERRORS, TIMEOUT_SECONDS
from sevenhues.server.store.postgres_migrations import ADVISORY_LOCK

T = TypeVar("T")
SERVER_LOCK = ADVISORY_LOCK + 2
WAIT_SECONDS = 5.0  # for the session of a server that was stopped or killed to end
RETRY_SECONDS = 0.1
CHECK_SECONDS = 2.0  # between checks that the session still exists
# PostgreSQL ends the session of a machine that is gone after half a minute.
KEEPALIVES = {"tcp_keepalives_idle": "15", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
ERRORS = (*CONNECTION_ERRORS, asyncpg.PostgresError)
log = logging.getLogger("sevenhues")


@contextmanager
def locked_database(address: str, shared: bool = False) -> Iterator[None]:
    """Lock a database, alone or shared with others; raise SevenHuesError if another server's lock excludes that."""
    lock = DatabaseLock(address, shared)
    try:
        lock.acquire()
        yield
    finally:
        lock.close()


class DatabaseLock:
    """Holds the lock from a thread of its own, and takes it again if its session is lost."""

    def __init__(self, address: str, shared: bool) -> None:
        self._address = address
        self._shared = shared
        self._session: Any = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="database lock", daemon=True)
        self._thread.start()
        self._watching: Future[None] | None = None

    def acquire(self) -> None:
        """Take the lock; raise SevenHuesError if another server has it."""
        self._start(self._acquire()).result()
        self._watching = self._start(self._watch())

    def close(self) -> None:
        """Release the lock."""
        if self._watching is not None:
            self._watching.cancel()
        self._start(self._disconnect()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _start(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _acquire(self) -> None:
        try:
            await self._connect()
            deadline = monotonic() + WAIT_SECONDS
            while not await self._try_lock():
                if monotonic() > deadline:
                    raise SevenHuesError(self._refusal())
                await asyncio.sleep(RETRY_SECONDS)
        except (*ERRORS, ValueError) as error:
            raise StoreFailed(f"cannot open the database: {error}") from None

    async def _watch(self) -> None:
        """Take the lock again whenever its session was lost."""
        held = True
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                if held:
                    await self._session.fetchval("SELECT 1")
                    continue
                await self._disconnect()
                await self._connect()
                held = await self._try_lock()
                if held:
                    log.info("the lock on the database is held again")
                else:
                    log.error(self._refusal())
            except Exception as error:  # of any kind: the loop must go on
                log.warning("the lock on the database is lost and taken again: %s", error)
                held = False

    async def _connect(self) -> None:
        self._session = await asyncpg.connect(
            self._address, timeout=TIMEOUT_SECONDS, command_timeout=TIMEOUT_SECONDS, server_settings=KEEPALIVES
        )

    async def _disconnect(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            with suppress(*ERRORS):
                await session.close(timeout=CHECK_SECONDS)

    async def _try_lock(self) -> bool:
        function = "pg_try_advisory_lock_shared" if self._shared else "pg_try_advisory_lock"
        return bool(await self._session.fetchval(f"SELECT {function}($1)", SERVER_LOCK))

    def _refusal(self) -> str:
        place = shorten(self._address.split("@")[-1])
        if self._shared:
            return (
                f"a server without --redis-url is using the database {place}:"
                " stop it first, or start it with the same --redis-url"
            )
        return f"another server is using the database {place}: stop it first, or start both with the same --redis-url"
