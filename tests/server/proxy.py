"""A proxy before several servers, which passes every connection on to one that is up, as a load balancer does."""

import asyncio
import contextlib
import itertools
from types import TracebackType
from typing import Self

from tests.server.process import port_of


class Proxy:
    """Listens at one port and passes every connection on to the next server that accepts it.

    With `half_open`, a client is not told that its server has closed the connection.
    """

    def __init__(self, ports: list[int], half_open: bool = False) -> None:
        self._half_open = half_open
        self.server_closed = asyncio.Event()
        self._ports = itertools.cycle(ports)
        self._tries = len(ports) * 2
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        assert self._server is not None
        return port_of(self._server.sockets[0])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for port in itertools.islice(self._ports, self._tries):
            try:
                from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.02)
        else:
            writer.close()
            return
        pumps = [asyncio.create_task(_pump(reader, to_server)), asyncio.create_task(_pump(from_server, writer))]
        pumps[1].add_done_callback(lambda _: self.server_closed.set())
        for pump in pumps:
            self._tasks.add(pump)
            pump.add_done_callback(self._tasks.discard)
        await asyncio.wait(pumps[:1] if self._half_open else pumps, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, to_server):
            end.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
