"""A line that takes its time: forwards TCP to a server, each piece late by some milliseconds, a few by much more."""

import asyncio
import contextlib
import random
import threading
from types import TracebackType
from typing import Self

LATE = 0.5  # seconds that an unlucky piece is late
SHARE = 0.02  # of the pieces that are unlucky


class Delay:
    """Listens at a port of its own while it is open. TCP keeps its order: what follows a late piece is late too."""

    def __init__(self, port: int, milliseconds: int, seed: int = 1) -> None:
        self.target = port
        self.seconds = milliseconds / 1000
        self.late = 0  # pieces that were
        self._chance = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(10)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        assert self._server is not None
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _open(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def _serve(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        there, on = await asyncio.open_connection("127.0.0.1", self.target)
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(self._carry(here, on), self._carry(there, back))

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Carry pieces one after the other, each leaving no earlier than its time."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                if not piece:
                    target.close()
                    return
                target.write(piece)
                await target.drain()

        delivering = asyncio.ensure_future(deliver())
        piece = b"-"
        while piece:
            piece = await source.read(65536)
            unlucky = self._chance.random() < SHARE
            self.late += unlucky
            pieces.put_nowait((self._loop.time() + self.seconds + (LATE if unlucky else 0), piece))
        with contextlib.suppress(ConnectionError):
            await delivering
