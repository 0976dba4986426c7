"""A TCP proxy with latency: forwards to a server and back, late by milliseconds and now and then by far more."""

import asyncio
import random

from tests.server.proxy import ThreadedProxy

LATE = 0.5  # seconds by which a late chunk is delayed more
SHARE = 0.02  # of the chunks that are late


class Delay(ThreadedProxy):
    """Delays every chunk. TCP keeps its order: whatever follows a late chunk is late too."""

    def __init__(self, port: int, milliseconds: int, seed: int = 1) -> None:
        super().__init__()
        self.target = port
        self.seconds = milliseconds / 2000  # each way
        self.late = 0  # chunks so far
        self._rng = random.Random(seed)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self.target)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._forward(reader, to_server))
                both.create_task(self._forward(from_server, writer))
        finally:
            to_server.close()

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Forward chunks in order, each no earlier than it is due."""
        chunks: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, chunk = await chunks.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                if not chunk:
                    return
                target.write(chunk)
                await target.drain()

        async with asyncio.TaskGroup() as delivering:
            delivering.create_task(deliver())
            chunk = b"-"
            while chunk:
                chunk = await source.read(65536)
                is_late = self._rng.random() < SHARE
                self.late += is_late
                chunks.put_nowait((self._loop.time() + self.seconds + (LATE if is_late else 0), chunk))
        target.close()
