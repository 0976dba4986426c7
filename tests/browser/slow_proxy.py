"""A TCP proxy with latency: forwards to a server and back, late by milliseconds and now and then by far more."""

import asyncio
import random
import threading
from types import TracebackType
from typing import Self

LATE = 0.5  # seconds by which a late chunk is delayed more
SHARE = 0.02  # of the chunks that are late


class Delay:
    """Listens at a port of its own while it is open. TCP keeps its order: whatever follows a late chunk is late too."""

    def __init__(self, port: int, milliseconds: int, seed: int = 1) -> None:
        self.target = port
        self.seconds = milliseconds / 2000  # each way
        self.late = 0  # chunks so far
        self._rng = random.Random(seed)
        self.url = ""
        self._listening = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._listening.wait(10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    async def _run(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._listening.set()
        await self._over.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0.05)  # for the sockets to close

    async def _serve(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        there, on = await asyncio.open_connection("127.0.0.1", self.target)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._forward(here, on))
                both.create_task(self._forward(there, back))
        except* (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            on.close()
            back.close()

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
