"""How processes tell each other that a table's log has grown, and who is at it."""

import asyncio
import contextlib
import logging
import secrets
from typing import Any, Protocol

import msgspec

from sevenhues.core.errors import SevenHuesError

BACKOFF = 0.5  # seconds between tries to reach Redis again
MOST_QUEUED = 10_000  # messages that wait for Redis; more are dropped, and made good by looking at the store
MOST_TOGETHER = 100  # that are told at once, when many wait
CHANNEL = "sevenhues"
log = logging.getLogger("sevenhues")


class Here(msgspec.Struct):
    """Who is connected to a table in one process."""

    persons: list[str]
    watchers: int


class News(msgspec.Struct):
    """What a process tells the others: that a table's log has so many events, or who is at it there."""

    process: str
    table: str
    number: int | None = None
    here: Here | None = None


class Hear(Protocol):
    """What a house does with news of other processes."""

    def __call__(self, news: News) -> None: ...


class Bus(Protocol):
    """Carries no truth: whoever hears of a table reads its log."""

    alone: bool  # no other process can change anything

    async def open(self, hear: Hear) -> None: ...

    async def close(self) -> None: ...

    def publish(self, table: str, number: int | None = None, here: Here | None = None) -> None: ...


class OwnBus:
    """The bus of a process that is alone: whoever appends has told all viewers itself."""

    alone = True

    async def open(self, hear: Hear) -> None:
        return

    async def close(self) -> None:
        return

    def publish(self, table: str, number: int | None = None, here: Here | None = None) -> None:
        return


class RedisBus:
    """News over Redis. When it is away, nothing waits: processes look at the store from time to time."""

    alone = False

    def __init__(self, address: str) -> None:
        self.process = secrets.token_hex(8)
        try:
            from redis import asyncio as redis
        except ImportError:
            raise SevenHuesError("a bus needs the extra `scale`: pip install 'sevenhues[scale]'") from None
        try:
            self._redis: Any = redis.from_url(address, socket_connect_timeout=5, socket_timeout=None)
        except ValueError as error:
            raise SevenHuesError(f"--bus: {error}") from None
        self._waiting: asyncio.Queue[News] = asyncio.Queue(MOST_QUEUED)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, hear: Hear) -> None:
        listening = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._send_all()),
            asyncio.create_task(self._hear_all(hear, listening)),
        ]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(listening.wait(), 5)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._redis.aclose()

    def publish(self, table: str, number: int | None = None, here: Here | None = None) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._waiting.put_nowait(News(self.process, table, number, here))

    async def _send_all(self) -> None:
        while True:
            news = [await self._waiting.get()]
            while not self._waiting.empty() and len(news) < MOST_TOGETHER:
                news.append(self._waiting.get_nowait())
            try:
                await self._redis.publish(CHANNEL, msgspec.json.encode(news))
            except Exception as error:
                log.warning("the bus is away: %s", type(error).__name__)
                await asyncio.sleep(BACKOFF)

    async def _hear_all(self, hear: Hear, listening: asyncio.Event) -> None:
        decoder = msgspec.json.Decoder(list[News])
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    listening.set()
                    async for message in channel.listen():
                        if message["type"] == "message":
                            for news in decoder.decode(message["data"]):
                                if news.process != self.process:
                                    hear(news)
            except msgspec.DecodeError:
                log.warning("the bus carries what is not ours")
            except Exception as error:
                log.warning("the bus is away: %s", type(error).__name__)
            await asyncio.sleep(BACKOFF)
