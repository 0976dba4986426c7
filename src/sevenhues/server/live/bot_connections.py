"""The connections of bot accounts in this process: they hear of their tables, and lose them with their token."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

from sevenhues.protocol import BotChallenge, BotEvent, BotGame
from sevenhues.server.accounts import bot_accounts
from sevenhues.server.accounts.bot_accounts import BotAccount
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.live.messages import encoder
from sevenhues.server.store import Store, StoreFailed

CHECK_SECONDS = 0.5  # between looks at the store, in which another process may have changed something
HEARTBEAT_SECONDS = 5.0  # between the times that are stored at which bots are online
RELIST_SECONDS = 10.0  # between complete lists of the tables of bots; in between only the recently changed are read
MAX_QUEUED = 256  # events for one bot; a bot that reads more slowly is dropped
log = logging.getLogger("sevenhues")


class BotConnection:
    """A connection that was authenticated by the token of a bot account."""

    def __init__(self, bot: BotAccount, network: str, drop: Callable[[str], None]) -> None:
        self.user_id = bot.user_id
        self.network = network  # of the client's address
        self.owner_id = bot.owner_id
        self.digest = bot.token_digest or ""
        self.drop = drop


class EventStream(BotConnection):
    """The connection over which a bot hears of challenges and of its games."""

    def __init__(self, bot: BotAccount, network: str) -> None:
        self.dropped: asyncio.Future[str] = asyncio.get_running_loop().create_future()  # the reason
        super().__init__(bot, network, self._drop)
        self.listed = False  # all tables of the bot were sent
        self.sent: dict[str, int] = {}  # when each table that was sent had last changed
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(MAX_QUEUED)

    def send(self, event: BotEvent) -> None:
        try:
            self.queue.put_nowait(encoder.encode(event))
        except asyncio.QueueFull:
            self._drop("slow")

    def _drop(self, reason: str) -> None:
        if not self.dropped.done():
            self.dropped.set_result(reason)


class BotConnections:
    """All connections of bot accounts in this process.

    Other processes are heard of over the store, so that nothing is lost with a message between processes.
    """

    def __init__(self, store: Store, now: Callable[[], int], get_table: Callable[[str], Awaitable[LiveTable]]) -> None:
        self._store = store
        self._now = now
        self._get_table = get_table
        self._connections: set[BotConnection] = set()
        self._changed = asyncio.Event()
        self._checker: asyncio.Task[None] | None = None
        self._heartbeat_at = 0.0
        self._listed_at = 0.0

    def add(self, connection: BotConnection) -> None:
        """Watch over the token of a connection; an event stream is sent all unfinished tables of its bot."""
        self._connections.add(connection)
        if isinstance(connection, EventStream):
            self._heartbeat_at = 0.0
        if self._checker is None:
            self._checker = asyncio.create_task(self._check_forever())
        self.wake()

    async def remove(self, connection: BotConnection) -> None:
        self._connections.discard(connection)
        if isinstance(connection, EventStream) and connection.user_id not in self._online():
            try:
                await self._store.write(bot_accounts.set_online([connection.user_id], None))
            except StoreFailed:
                log.warning("that a bot is offline could not be stored, and is noticed later")

    def wake(self) -> None:
        """Check at once: a token was revoked, or a bot was challenged, in this process."""
        self._changed.set()

    def drop_banned(self, is_banned: Callable[[str, str], bool]) -> None:
        """Close the connections of bots that are banned, or whose owner or network is."""
        for connection in list(self._connections):
            if any(is_banned(user_id, connection.network) for user_id in (connection.user_id, connection.owner_id)):
                connection.drop("banned")

    def drop_all(self) -> None:
        """Close all event streams with the reason that the server stops."""
        for connection in self._streams():
            connection.drop("stopping")

    async def close(self) -> None:
        self.drop_all()
        if self._checker is not None:
            self._checker.cancel()
            await asyncio.wait([self._checker])

    def _streams(self) -> list[EventStream]:
        return [one for one in self._connections if isinstance(one, EventStream)]

    def _online(self) -> set[str]:
        return {stream.user_id for stream in self._streams()}

    async def _check_forever(self) -> None:
        while True:
            try:
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                pass
            self._changed.clear()
            try:
                if self._connections:
                    await self._check()
            except StoreFailed as error:
                log.warning("the connections of bots cannot be checked: %s", error)
            except Exception:
                log.exception("the connections of bots cannot be checked")

    async def _check(self) -> None:
        connections = list(self._connections)
        valid = await self._store.read(bot_accounts.valid_digests({one.digest for one in connections}))
        for connection in connections:
            if connection.digest not in valid:
                connection.drop("revoked")
        if self._streams():
            await self._store_online()
            await self._send_tables()

    async def _store_online(self) -> None:
        if monotonic() >= self._heartbeat_at + HEARTBEAT_SECONDS:
            self._heartbeat_at = monotonic()
            online = [stream.user_id for stream in self._streams() if not stream.dropped.done()]
            await self._store.write(bot_accounts.set_online(online, self._now()))

    async def _send_tables(self) -> None:
        """Send bots what has changed at their tables: challenges, seats, and the start of games."""
        streams = self._streams()
        relist = monotonic() >= self._listed_at + RELIST_SECONDS
        if relist:
            self._listed_at = monotonic()
        new = [stream for stream in streams if relist or not stream.listed]
        await self._send_changed(new, 0)
        await self._send_changed(
            [stream for stream in streams if stream not in new], self._now() - int(RELIST_SECONDS * 1000)
        )

    async def _send_changed(self, streams: list[EventStream], since_ms: int) -> None:
        if not streams:
            return
        rows = await self._store.read(bot_accounts.unfinished_tables({one.user_id for one in streams}, since_ms))
        for stream in streams:
            tables = {table_id: updated for user_id, table_id, updated in rows if user_id == stream.user_id}
            if since_ms == 0:
                stream.listed = True
                stream.sent = {id: at for id, at in stream.sent.items() if id in tables}  # forgets finished games
            for table_id, updated in tables.items():
                if stream.sent.get(table_id) != updated:
                    await self._send_table(stream, table_id)
                    stream.sent[table_id] = updated

    async def _send_table(self, stream: EventStream, table_id: str) -> None:
        try:
            live_table = await self._get_table(table_id)
        except StoreFailed:
            raise
        except Exception:  # for example a table that was removed meanwhile
            log.debug("a table of a bot cannot be read", extra={"table": table_id})
            return
        info, user_id = live_table.info(stream.user_id), stream.user_id
        reserved = [number for number, seat in enumerate(live_table.table.seats) if seat.reserved_for == user_id]
        if reserved:
            stream.send(BotChallenge(info, reserved[0]))
        elif info.your_seats:
            stream.send(BotGame(info))
