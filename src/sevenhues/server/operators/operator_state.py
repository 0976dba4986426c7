"""The decisions of operators that every process keeps in memory: bans and announcements.

They are in memory, so that a request costs no query. An act is in the audit log in the same transaction, so the
number of the last entry tells whether there is something new. Processes look at it several times a second.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

from sevenhues.server.accounts import restrictions
from sevenhues.server.accounts.restrictions import ADDRESS_PREFIX, Restriction
from sevenhues.server.operators import announcements, audit_log
from sevenhues.server.operators.announcements import Announcement
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.store import Store, StoreFailed

POLL_SECONDS = 0.4  # between looks at the audit log, where other processes may add to it
POLL_ALONE_SECONDS = 5.0
MAX_BANS = 100_000  # that are kept in memory, the newest; more are logged as a warning
MAX_ANNOUNCEMENTS = 5
OnChange = Callable[[list[audit_log.Entry]], Awaitable[None]]
log = logging.getLogger("sevenhues")


class OperatorState:
    """The bans and announcements that hold now. `on_change` is called with new acts after they were read."""

    def __init__(self, store: Store, now: Callable[[], int], on_change: OnChange) -> None:
        self.store_seconds = 0.0  # that the last query took
        self._store = store
        self._now = now
        self._on_change = on_change
        self._bans: dict[str, Restriction] = {}
        self._announcements: list[Announcement] = []
        self._last_number = 0
        self._lock = asyncio.Lock()
        self._poller: asyncio.Task[None] | None = None

    async def open(self, alone: bool) -> None:
        """Read everything, and look for changes from now on."""
        self._last_number = await self._store.read(audit_log.last_number())
        await self._read()
        self._poller = asyncio.create_task(self._poll(POLL_ALONE_SECONDS if alone else POLL_SECONDS))

    async def close(self) -> None:
        if self._poller is not None:
            self._poller.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._poller

    def ban_of(self, user_id: str | None, network: str = "") -> Restriction | None:
        """Return the ban of a user or of a network that holds now."""
        for subject in (user_id, ADDRESS_PREFIX + network):
            ban = self._bans.get(subject) if subject is not None else None
            if ban is not None and (ban.until is None or ban.until > self._now()):
                return ban
        return None

    def announcements(self) -> list[Announcement]:
        """Return the announcements that have not ended, the earliest first."""
        now_ms = self._now()
        return [one for one in self._announcements if one.ends > now_ms]

    async def refresh(self) -> None:
        """Read what has changed; called after each act, and several times a second if there are other processes."""
        async with self._lock:
            began = monotonic()
            number = await self._store.read(audit_log.last_number())
            self.store_seconds = monotonic() - began
            if number <= self._last_number:
                return
            acts = await self._store.read(audit_log.after(self._last_number))
            await self._read()
            self._last_number = max([number, *(act.number for act in acts)])
        await self._on_change(acts)

    async def _read(self) -> None:
        bans, self._announcements = await self._store.read(_current(self._now()))
        if len(bans) > MAX_BANS:
            log.warning("only the newest bans are applied: there are %d", len(bans))
        self._bans = {ban.subject: ban for ban in bans[:MAX_BANS]}

    async def _poll(self, seconds: float) -> None:
        failing = False
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.refresh()
                failing = False
            except StoreFailed as error:
                if not failing:
                    log.warning("cannot read what operators have done: %s", error)
                failing = True
            except Exception:
                log.exception("cannot apply what operators have done")


def _current(now_ms: int) -> QuerySteps[tuple[list[Restriction], list[Announcement]]]:
    bans = yield from restrictions.restricted("banned", now_ms)
    return bans, (yield from announcements.current(now_ms, MAX_ANNOUNCEMENTS))
