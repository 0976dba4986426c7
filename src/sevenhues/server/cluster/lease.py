"""Which process plays a table's bots and watches its clocks, so that no two do the same work.

A late duplicate does no harm: it loses at the log's key.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

from sevenhues.server.store import StoreFailed

LASTS = 6.0  # seconds
RENEWED = 2.0  # seconds between renewals, and between looks for tables whose process has died
MARGIN = 1.0  # seconds before its end at which a lease is no longer relied on
MOST = 200  # tables taken over at a time
log = logging.getLogger("sevenhues")


class Lease(Protocol):
    def held(self, table: str) -> bool:
        """Tell whether this process looks after a table; if not, it is taken as soon as nobody does."""

    async def open(self, attend: Callable[[str], Awaitable[None]]) -> None:
        """Begin; `attend` is called for every table that this process is to look after from now on."""

    async def close(self) -> None: ...


class OwnLease:
    """The lease of a process that is alone."""

    def held(self, table: str) -> bool:
        return True

    async def open(self, attend: Callable[[str], Awaitable[None]]) -> None:
        return

    async def close(self) -> None:
        return


class LeaseStore(Protocol):
    """What a store must be able to do for leases."""

    async def take_leases(self, tables: list[str], holder: str, seconds: float) -> set[str]: ...

    async def drop_leases(self, tables: list[str], holder: str) -> None: ...

    async def unattended(self, most: int) -> list[str]: ...


class StoreLease:
    """Leases as rows with an expiry, by the store's own time."""

    def __init__(self, store: LeaseStore) -> None:
        self.holder = secrets.token_hex(8)
        self._store = store
        self._until: dict[str, float] = {}  # by our own clock, never later than the store's
        self._wanted: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._asked = asyncio.Event()

    def held(self, table: str) -> bool:
        if monotonic() < self._until.get(table, 0.0) - MARGIN:
            return True
        self._wanted.add(table)
        self._asked.set()
        return False

    async def open(self, attend: Callable[[str], Awaitable[None]]) -> None:
        self._tasks = [asyncio.create_task(self._renew(attend)), asyncio.create_task(self._take(attend))]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        with contextlib.suppress(StoreFailed):
            await self._store.drop_leases(list(self._until), self.holder)

    async def _take(self, attend: Callable[[str], Awaitable[None]]) -> None:
        """Take what this process was asked about, at once."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            wanted, self._wanted = list(self._wanted), set()
            await self._acquire(wanted, attend)

    async def _renew(self, attend: Callable[[str], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(RENEWED)
            try:
                await self._acquire(list(self._until), attend, renewing=True)
                await self._acquire(await self._store.unattended(MOST), attend)
            except StoreFailed as error:
                log.warning("leases cannot be renewed: %s", error)

    async def _acquire(
        self, tables: list[str], attend: Callable[[str], Awaitable[None]], renewing: bool = False
    ) -> None:
        if not tables:
            return
        until = monotonic() + LASTS
        try:
            ours = await self._store.take_leases(tables, self.holder, LASTS)
        except StoreFailed as error:
            log.warning("leases cannot be taken: %s", error)
            return
        for table in tables:
            if table not in ours:
                self._until.pop(table, None)
            else:
                self._until[table] = until
                if not renewing:
                    await attend(table)

    def forget(self, table: str) -> None:
        """Let a table go that needs no looking after any more."""
        self._until.pop(table, None)
