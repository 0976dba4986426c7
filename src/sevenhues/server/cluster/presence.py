"""Which users are connected to tables in other processes, and changes that other processes make to tables."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from time import monotonic
from typing import Any, NamedTuple, Protocol

from sevenhues.server.cluster.bus import Bus, Connected, Message, SaidPhrase
from sevenhues.server.store import StoreFailed

POLL_SECONDS = 2.0  # between looks at the store for events whose message was lost
ANNOUNCE_SECONDS = 8.0  # between announcements, in case one was lost
EXPIRY_SECONDS = 20.0  # after which an announcement of another process is no longer believed
log = logging.getLogger("sevenhues")


class Attention(NamedTuple):
    """When a visible page of a table was last heard of from a user, and whether there still is one."""

    seen_ms: int = 0
    looking: bool = False

    def or_else(self, other: "Attention") -> "Attention":
        """Combine the attention of a user in two processes."""
        return Attention(max(self.seen_ms, other.seen_ms), self.looking or other.looking)


class LogLengths(Protocol):
    """The part of a store that presence uses."""

    async def log_lengths(self, table_ids: list[str]) -> dict[str, int]: ...


class ConnectedTable(Protocol):
    """A table in the memory of this process, to which users may be connected."""

    @property
    def id(self) -> str: ...

    @property
    def event_count(self) -> int: ...

    @property
    def watched(self) -> bool:
        """Tell whether anybody is connected in this process."""

    @property
    def idle(self) -> bool:
        """Tell whether this process has nothing to do for the table."""

    def connected(self) -> tuple[set[str], int]:
        """Return the users and the number of watchers that are connected in this process."""

    def attention(self) -> dict[str, Attention]:
        """Return the attention of users in this process."""

    def presence_changed(self) -> None:
        """Send the presence of users to all connections."""

    def hear(self, said: SaidPhrase) -> None:
        """Send what a player said to all connections in this process."""

    async def wake(self) -> None:
        """Read new events from the store."""

    async def renew_names(self) -> None:
        """Read the names of the users again: one of them was deleted."""


class Announcement(NamedTuple):
    """The connections of another process to a table, believed until a time."""

    expires: float
    connected: Connected


class Presence:
    """Announces this process's connections, and applies the changes of other processes to this process's tables."""

    def __init__(self, bus: Bus, store: LogLengths, tables: Mapping[str, ConnectedTable]) -> None:
        self._bus = bus
        self._store = store
        self._tables = tables
        self._announcements: dict[str, dict[str, Announcement]] = {}  # by table id and process
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        await self._bus.open(self._receive)
        if not self._bus.alone:
            self._start(self._repeat(POLL_SECONDS, self._poll_logs))
            self._start(self._repeat(ANNOUNCE_SECONDS, self._announce_all))

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await self._bus.close()

    def elsewhere(self, table_id: str) -> tuple[set[str], int]:
        """Return the users and the number of watchers that are connected to a table in other processes."""
        now = monotonic()
        others = [one.connected for one in self._announcements.get(table_id, {}).values() if now < one.expires]
        return {user_id for one in others for user_id in one.user_ids}, sum(one.watchers for one in others)

    def attention_elsewhere(self, table_id: str, user_id: str) -> Attention:
        """Return the attention of a user to a table in other processes."""
        now, attention = monotonic(), Attention()
        for announced in self._announcements.get(table_id, {}).values():
            one = announced.connected
            looking = now < announced.expires and user_id in one.looking
            attention = attention.or_else(Attention(one.seen_ms.get(user_id, 0), looking))
        return attention

    def announce(self, table: ConnectedTable) -> None:
        """Tell other processes who is connected to a table in this process, and who looks at it."""
        if not self._bus.alone:
            user_ids, watchers = table.connected()
            attention = table.attention()
            seen_ms = {user_id: one.seen_ms for user_id, one in attention.items()}
            looking = sorted(user_id for user_id, one in attention.items() if one.looking)
            self._bus.publish(table.id, connected=Connected(sorted(user_ids), watchers, seen_ms, looking))

    def _receive(self, message: Message) -> None:
        if message.connected is not None:
            announcement = Announcement(monotonic() + EXPIRY_SECONDS, message.connected)
            self._announcements.setdefault(message.table_id, {})[message.process] = announcement
        table = self._tables.get(message.table_id)
        if table is None:
            return
        if message.connected is not None:
            table.presence_changed()
        elif message.said is not None:
            table.hear(message.said)
        elif message.event_count is None:
            self._start(table.renew_names())
        elif table.event_count < message.event_count:
            self._start(table.wake())

    async def _poll_logs(self) -> None:
        """Read new events whose message was lost."""
        tables = {table_id: table for table_id, table in self._tables.items() if table.watched or not table.idle}
        try:
            lengths = await self._store.log_lengths(list(tables))
        except StoreFailed as error:
            log.warning("cannot poll the logs of tables: %s", error)
            return
        for table_id, length in lengths.items():
            try:
                if tables[table_id].event_count < length:
                    await tables[table_id].wake()
            except Exception:  # an error at one table must not keep others waiting
                log.exception("cannot read the events of other processes", extra={"table": table_id})

    async def _announce_all(self) -> None:
        for table in list(self._tables.values()):
            if table.watched:
                self.announce(table)
        now = monotonic()
        for table_id, processes in list(self._announcements.items()):
            believed = {process: one for process, one in processes.items() if now < one.expires}
            if believed:
                self._announcements[table_id] = believed
            else:
                del self._announcements[table_id]

    async def _repeat(self, seconds: float, function: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await function()
            except Exception:  # an error at one table must not end the loop
                log.exception("cannot keep up with other processes")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("cannot apply a change by another process: %s", task.exception())
