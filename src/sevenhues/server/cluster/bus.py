"""Messages between server processes: a table has new events, its users changed, or who is connected to it."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.cluster.process_reports import ProcessReport

RETRY_SECONDS = 0.5  # between attempts to reach Redis
OPEN_TIMEOUT_SECONDS = 5
MAX_QUEUED = 10_000  # messages that wait for Redis; more are dropped, and processes find the events in the store
MAX_BATCH = 100  # messages that are published together
CHANNEL = "sevenhues"
log = logging.getLogger("sevenhues")


class Connected(msgspec.Struct):
    """The users and the number of watchers that are connected to a table in one process."""

    user_ids: list[str]
    watchers: int
    seen_ms: dict[str, int] = {}  # when a user's visible page was last heard of
    looking: list[str] = []  # users whose page is visible now


class SaidPhrase(msgspec.Struct):
    """A phrase that a player said, and its time."""

    seat: int
    phrase: str
    at_ms: int


class Message(msgspec.Struct):
    """A message of one process about a table, or with `report` about itself.

    With `event_count` the table's log has grown, with `connected` its connections changed, with `said` a player said
    something, with none of them the name of a user at the table has changed, or the user was deleted.
    """

    process: str
    table_id: str
    event_count: int | None = None
    connected: Connected | None = None
    said: SaidPhrase | None = None
    report: ProcessReport | None = None


Receive = Callable[[Message], None]


class Bus(Protocol):
    """Publishes messages to other processes. A lost message does little harm: processes also poll the store."""

    alone: bool  # there are no other processes

    async def open(self, receive: Receive) -> None: ...

    async def close(self) -> None: ...

    def publish(
        self,
        table_id: str,
        event_count: int | None = None,
        connected: Connected | None = None,
        said: SaidPhrase | None = None,
    ) -> None: ...

    def publish_report(self, report: ProcessReport) -> None: ...


class NoBus:
    """The bus of a process without others; it publishes nothing."""

    alone = True

    async def open(self, receive: Receive) -> None:
        return

    async def close(self) -> None:
        return

    def publish(
        self,
        table_id: str,
        event_count: int | None = None,
        connected: Connected | None = None,
        said: SaidPhrase | None = None,
    ) -> None:
        return

    def publish_report(self, report: ProcessReport) -> None:
        return


class RedisBus:
    """A bus over Redis. While Redis cannot be reached, messages are queued and nothing waits for them."""

    alone = False

    def __init__(self, address: str) -> None:
        self.process = secrets.token_hex(8)
        try:
            from redis import asyncio as redis
        except ImportError:
            raise SevenHuesError("--redis-url needs the extra `scale`: pip install 'sevenhues[scale]'") from None
        try:
            self._redis: Any = redis.from_url(address, socket_connect_timeout=5, socket_timeout=None)
        except ValueError as error:
            raise SevenHuesError(f"--redis-url: {error}") from None
        self._queue: asyncio.Queue[Message] = asyncio.Queue(MAX_QUEUED)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, receive: Receive) -> None:
        subscribed = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._publish_queued()),
            asyncio.create_task(self._receive_all(receive, subscribed)),
        ]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(subscribed.wait(), OPEN_TIMEOUT_SECONDS)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._redis.aclose()

    def publish(
        self,
        table_id: str,
        event_count: int | None = None,
        connected: Connected | None = None,
        said: SaidPhrase | None = None,
    ) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(Message(self.process, table_id, event_count, connected, said))

    def publish_report(self, report: ProcessReport) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(Message(self.process, "", report=report))

    async def _publish_queued(self) -> None:
        while True:
            messages = [await self._queue.get()]
            while not self._queue.empty() and len(messages) < MAX_BATCH:
                messages.append(self._queue.get_nowait())
            try:
                await self._redis.publish(CHANNEL, msgspec.json.encode(messages))
            except Exception as error:
                log.warning("cannot publish to Redis: %s", type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    async def _receive_all(self, receive: Receive, subscribed: asyncio.Event) -> None:
        decoder = msgspec.json.Decoder(list[Message])
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    subscribed.set()
                    async for published in channel.listen():
                        if published["type"] == "message":
                            for message in decoder.decode(published["data"]):
                                if message.process != self.process:
                                    receive(message)
            except msgspec.DecodeError as error:
                log.warning("ignored a message on Redis channel %s: %s", CHANNEL, error)
            except Exception as error:
                log.warning("cannot receive from Redis: %s", type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)
