"""Sends what is due in the outbox. Of several processes, the one that claims a row sends it.

A message is sent at least once: a process that is killed after sending it and before removing its row lets it be sent
again, once its claim has ended or, where there is no other process, when it starts again.
"""

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from sevenhues.server.cluster.presence import Attention
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.metrics import Metrics
from sevenhues.server.notifications import queries, web_push
from sevenhues.server.notifications.mail import Mailer
from sevenhues.server.notifications.messages import notification
from sevenhues.server.notifications.notices import DAY_MS, KINDS, is_due, reminder_at
from sevenhues.server.notifications.queries import Channel, Entry
from sevenhues.server.notifications.quiet_hours import quiet_until
from sevenhues.server.notifications.web_push import Outcome, PushSender
from sevenhues.server.store import Store, StoreFailed
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.state import Table

START_SECONDS = 2.0  # after the start, in which pages that were open connect again
POLL_SECONDS = 1.0  # between looks at the outbox for what other processes have added
CLAIM_MS = 30_000  # until a claim ends: longer than sending takes
MAX_SENDING = 64  # messages that are sent at a time; their users take turns
MAX_CLAIMED = 256  # messages that are sent or wait for their turn
UNSURE_MS = 2_000  # until a page that may have lost its connection is asked about again
RETRY_MS = 5_000  # after the first failure; each further one waits twice as long
MAX_RETRY_MS = 3_600_000
MAX_AGE_MS = 3 * DAY_MS  # of an event, after which its message is not tried again
log = logging.getLogger("sevenhues")


class WatchedTables(Protocol):
    """The part of the live tables that the sender uses."""

    now: Callable[[], int]

    async def current(self, table_id: str) -> Table:
        """Return a table with all its events; raise Refused if it does not exist."""

    def attention(self, table_id: str, user_id: str) -> Attention:
        """Tell whether a user looks at a table, on any device and in any process."""


class NotificationSender:
    """Sends what is due in the outbox until it is closed."""

    def __init__(
        self,
        store: Store,
        tables: WatchedTables,
        push: PushSender,
        mailer: Mailer | None,
        mail_delay_ms: int,
        metrics: Metrics,
    ) -> None:
        self._store = store
        self._tables = tables
        self._push = push
        self._mailer = mailer
        self._mail_delay_ms = mail_delay_ms
        self._metrics = metrics
        self._holder = secrets.token_hex(8)
        self._queue = FairQueue(MAX_SENDING)
        self._sending: set[asyncio.Task[None]] = set()
        self._added = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None

    async def open(self, alone: bool) -> None:
        """Start; a process without others takes back what it had claimed when it was killed."""
        if alone:
            await self._store.write(queries.release(self._tables.now(), None))
        self._loop = asyncio.create_task(self._send_forever())

    async def close(self) -> None:
        """Stop, and leave what is not sent to other processes or to the next start."""
        for task in [*([self._loop] if self._loop is not None else []), *self._sending]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self._loop is not None:
            with contextlib.suppress(StoreFailed):
                await self._store.write(queries.release(self._tables.now(), self._holder))
        await self._push.close()

    def wake(self) -> None:
        """Look at the outbox soon: something was added to it."""
        self._added.set()

    async def _send_forever(self) -> None:
        await asyncio.sleep(START_SECONDS)
        while True:
            seconds = POLL_SECONDS
            try:
                now_ms = self._tables.now()
                free = MAX_CLAIMED - len(self._sending)
                due = await self._store.read(queries.next_due()) if free else None
                if due is not None and due <= now_ms:
                    await self._claim(now_ms, free)
                elif due is not None:
                    seconds = min(seconds, (due - now_ms) / 1000)
            except StoreFailed as error:
                log.warning("cannot read what notifications are due: %s", error)
            except Exception:
                log.exception("cannot send notifications")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._added.wait(), seconds)
            self._added.clear()

    async def _claim(self, now_ms: int, limit: int) -> None:
        until_ms = now_ms + CLAIM_MS
        claimed = await self._store.write(queries.claim(self._holder, now_ms, until_ms, limit, self._store.skip_locked))
        for entry in claimed:
            task = asyncio.create_task(self._handle(entry, until_ms))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _handle(self, entry: Entry, until_ms: int) -> None:
        try:
            async with self._queue.turn(entry.user_id):
                if self._tables.now() < until_ms - CLAIM_MS / 2:  # otherwise another process may claim it meanwhile
                    await self._deliver(entry)
        except StoreFailed as error:
            log.warning("a notification is tried again: %s", error, extra={"table": entry.table_id})
        except Exception:
            log.exception("a notification could not be sent and is tried again", extra={"table": entry.table_id})

    async def _deliver(self, entry: Entry) -> None:
        """Send a message unless it is out of date, seen already, unwanted, or must wait."""
        channel = await self._store.read(queries.channel(entry.channel_id))
        if channel is None or (channel.kind == "email" and self._mailer is None):
            await self._finish(entry)
        elif entry.kind == queries.CONFIRMATION:
            await self._send(entry, channel, lambda: self._send_confirmation(channel))
        else:
            await self._deliver_about_table(entry, channel)

    async def _deliver_about_table(self, entry: Entry, channel: Channel) -> None:
        settings = await self._store.read(queries.settings(entry.user_id))
        table = await self._table(entry.table_id)
        kind = next((kind for kind in KINDS if kind == entry.kind), None)
        if table is None or kind is None or kind not in settings.kinds or not is_due(table, kind, entry.user_id):
            await self._finish(entry)
            return
        if not await self._store.read(queries.is_claimed(entry, self._holder)):
            return  # what is due now began after the claim, and has a message of its own
        now_ms = self._tables.now()
        starts_at = reminder_at(table) if kind == "deadline" else None
        if starts_at is not None and starts_at > now_ms:  # the clock was stopped meanwhile, or time was granted
            await self._postpone(entry, starts_at)
            return
        attention = self._tables.attention(entry.table_id, entry.user_id)
        # A reminder is for those who have seen the table before, and do not look at it now.
        since_ms = entry.at_ms if starts_at is None else starts_at if attention.looking else now_ms
        if attention.seen_ms >= since_ms:
            await self._finish(entry)
            return
        if attention.looking:  # or their connection is lost, which shows soon
            await self._postpone(entry, now_ms + UNSURE_MS)
            return
        waits_until = quiet_until(settings, now_ms)
        if channel.kind == "email" and kind != "deadline" and now_ms < entry.at_ms + self._mail_delay_ms:
            waits_until = max(waits_until or 0, entry.at_ms + self._mail_delay_ms)
        if waits_until is not None:
            await self._postpone(entry, waits_until)
            return
        message = notification(table, kind, entry.user_id, channel.language)
        if channel.kind == "push":
            topic = web_push.channel_id(table.id)[:32]  # at most 32 characters
            payload = msgspec.json.encode(message)
            await self._send(
                entry,
                channel,
                lambda: self._push.send(channel.address, channel.p256dh or "", channel.auth or "", payload, topic),
            )
        elif self._mailer is not None:
            mailer = self._mailer
            email = mailer.write(channel.address, channel.language, channel.token or "", message, entry.number)
            await self._send(entry, channel, lambda: mailer.send(email))

    async def _table(self, table_id: str) -> Table | None:
        try:
            return await self._tables.current(table_id)
        except Refused:
            return None

    async def _send_confirmation(self, channel: Channel) -> Outcome:
        assert self._mailer is not None
        email = self._mailer.write_confirmation(channel.address, channel.language, channel.token or "")
        return await self._mailer.send(email)

    async def _send(self, entry: Entry, channel: Channel, send: Callable[[], Awaitable[Outcome]]) -> None:
        """Send a message, and store what came of it."""
        outcome = await send()
        self._metrics.count_notification(channel.kind, outcome.kind)
        now_ms = self._tables.now()
        if outcome.kind == "gone":
            log.info("forgot an address for notifications: %s", outcome.reason)
            await self._store.write(queries.remove_channel(channel.id))
        elif outcome.kind == "retry" and now_ms - entry.at_ms < MAX_AGE_MS:
            wait_ms = max(outcome.retry_after * 1000, min(RETRY_MS << min(entry.attempts - 1, 20), MAX_RETRY_MS))
            due_ms = now_ms + int(wait_ms * random.uniform(1.0, 1.2))
            await self._store.write(queries.postpone(entry, self._holder, due_ms, entry.attempts))
        else:
            if outcome.kind != "sent":
                extra = {"table": entry.table_id}
                log.warning("a notification was given up: %s %s", channel.kind, outcome.reason, extra=extra)
            await self._finish(entry)

    async def _finish(self, entry: Entry) -> None:
        await self._store.write(queries.finish(entry, self._holder))

    async def _postpone(self, entry: Entry, due_ms: int) -> None:
        """Look at a message again later; this does not count as an attempt."""
        await self._store.write(queries.postpone(entry, self._holder, due_ms, entry.attempts - 1))
