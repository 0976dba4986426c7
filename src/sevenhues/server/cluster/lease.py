"""Leases: which process plays a table's bots and watches its clocks, so that no two do the same work.

A process that acts after its lease has expired does no harm: its event conflicts with the number of another one.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic
from typing import Protocol

from sevenhues.server.store import StoreFailed

LEASE_SECONDS = 6.0
RENEWAL_SECONDS = 2.0  # between renewals, and between looks for tables whose process has died
MARGIN_SECONDS = 1.0  # before its end a lease is no longer relied on
MAX_TAKEN_OVER = 200  # tables at a time
log = logging.getLogger("sevenhues")
OnLeased = Callable[[str], Awaitable[None]]


class Lease(Protocol):
    def held(self, table_id: str) -> bool:
        """Tell whether this process holds the lease of a table; if not, request it."""

    def renews(self, table_id: str) -> bool:
        """Tell whether this process has taken the lease of a table and goes on renewing it."""

    def release(self, table_id: str) -> None:
        """Give up the lease of a table whose game is over."""

    async def open(self, on_leased: OnLeased) -> None:
        """Start; `on_leased` is called with every table whose lease this process takes."""

    async def close(self) -> None:
        """Give up all leases."""


class SoleLease:
    """The lease of a process without others; it holds every table."""

    def held(self, table_id: str) -> bool:
        return True

    def renews(self, table_id: str) -> bool:
        return True

    def release(self, table_id: str) -> None:
        return

    async def open(self, on_leased: OnLeased) -> None:
        return

    async def close(self) -> None:
        return


class LeaseStore(Protocol):
    """The part of a store that leases use."""

    async def take_leases(self, table_ids: list[str], holder: str, seconds: float) -> set[str]: ...

    async def drop_leases(self, table_ids: list[str], holder: str) -> None: ...

    async def tables_without_lease(self, limit: int) -> list[str]: ...


class StoreLease:
    """Leases in a store, which expire by the store's clock."""

    def __init__(self, store: LeaseStore) -> None:
        self.holder = secrets.token_hex(8)
        self._store = store
        self._expires: dict[str, float] = {}  # by this process's clock, never later than by the store's
        self._requested: set[str] = set()
        self._released: set[str] = set()  # leases that are still to be dropped in the store
        self._store_lock = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._request_added = asyncio.Event()

    def held(self, table_id: str) -> bool:
        if monotonic() < self._expires.get(table_id, 0.0) - MARGIN_SECONDS:
            return True
        self._requested.add(table_id)
        self._request_added.set()
        return False

    def renews(self, table_id: str) -> bool:
        return table_id in self._expires

    def release(self, table_id: str) -> None:
        self._requested.discard(table_id)
        if self._expires.pop(table_id, None) is not None or self._store_lock.locked():
            self._released.add(table_id)  # also if the lease is being taken at this moment

    async def open(self, on_leased: OnLeased) -> None:
        self._tasks = [
            asyncio.create_task(self._renew_forever(on_leased)),
            asyncio.create_task(self._take_requested(on_leased)),
        ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        with contextlib.suppress(StoreFailed):
            await self._store.drop_leases([*self._expires, *self._released], self.holder)
        self._expires.clear()

    async def _take_requested(self, on_leased: OnLeased) -> None:
        while True:
            await self._request_added.wait()
            self._request_added.clear()
            requested, self._requested = list(self._requested), set()
            with _errors_logged("cannot take leases"):
                await self._take(requested, on_leased)

    async def _renew_forever(self, on_leased: OnLeased) -> None:
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            with _errors_logged("cannot renew leases"):
                await self._take(list(self._expires), None)
            with _errors_logged("cannot drop leases"):
                await self._drop_released()
            with _errors_logged("cannot take over tables"):
                await self._take(await self._store.tables_without_lease(MAX_TAKEN_OVER), on_leased)

    async def _take(self, table_ids: list[str], on_leased: OnLeased | None) -> None:
        """Take or renew leases; call `on_leased` for each lease of this process."""
        if not table_ids:
            return
        async with self._store_lock:
            expires = monotonic() + LEASE_SECONDS
            leased = await self._store.take_leases(table_ids, self.holder, LEASE_SECONDS)
            leased -= self._released
            for table_id in table_ids:
                if table_id in leased:
                    self._expires[table_id] = expires
                else:
                    self._expires.pop(table_id, None)
        if on_leased is not None:
            for table_id in sorted(leased):
                await self._report(table_id, on_leased)

    async def _drop_released(self) -> None:
        async with self._store_lock:
            released = set(self._released)
            if released:
                await self._store.drop_leases(sorted(released), self.holder)
                self._released -= released

    async def _report(self, table_id: str, on_leased: OnLeased) -> None:
        with _errors_logged("cannot take over a table", table=table_id):
            await on_leased(table_id)


@contextlib.contextmanager
def _errors_logged(what: str, **extra: str) -> Iterator[None]:
    """Log every error, so that the loop around it goes on."""
    try:
        yield
    except StoreFailed as error:
        log.warning("%s: %s", what, error, extra=extra)
    except Exception:
        log.exception(what, extra=extra)
