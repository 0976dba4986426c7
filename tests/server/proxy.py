"""Proxies before servers: one like a load balancer, and one in a thread for tests without an event loop."""

import asyncio
import contextlib
import itertools
import random
import ssl
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import httpx

from tests.server.process import port_of

LIMIT_SECONDS = 60.0  # reached on failure only
CHECK_SECONDS = 0.1  # between looks at the health of servers
TRIES = 3  # of all healthy servers, for a connection
TURNS_TO_ACCEPT = 5  # of the event loop, after which each accepted connection has a task that closes it


class Proxy:
    """Listens at one port and passes every connection on to the next server that accepts it.

    With `half_open`, a client is not told that its server has closed the connection.
    """

    def __init__(self, ports: list[int], half_open: bool = False) -> None:
        self._half_open = half_open
        self.server_closed = asyncio.Event()
        self._cycle = itertools.cycle(ports)
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

    def _next_ports(self) -> Iterator[int]:
        """Yield the ports of servers to try for a connection."""
        return itertools.islice(self._cycle, self._tries)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for port in self._next_ports():
            try:
                from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.02)
        else:
            writer.close()
            return
        pumps = [asyncio.create_task(pump(reader, to_server)), asyncio.create_task(pump(from_server, writer))]
        pumps[1].add_done_callback(lambda _: self.server_closed.set())
        for task in pumps:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await asyncio.wait(pumps[:1] if self._half_open else pumps, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, to_server):
            end.close()


class HealthCheckingProxy(Proxy):
    """Passes every connection on to a server that says it is healthy; which servers there are may change."""

    def __init__(self, ports: list[int]) -> None:
        super().__init__([])
        self.ports = ports
        self.healthy: set[int] = set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._check_forever())
        return await super().__aenter__()

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await super().__aexit__(kind, error, trace)

    def _next_ports(self) -> Iterator[int]:
        for _ in range(TRIES):
            yield from random.sample(sorted(self.healthy), len(self.healthy))

    async def _check_forever(self) -> None:
        async with httpx.AsyncClient(timeout=LIMIT_SECONDS) as http:
            while True:
                healthy = set()
                for port in [*self.ports]:  # which may change meanwhile
                    with contextlib.suppress(httpx.TransportError):
                        if (await http.get(f"http://127.0.0.1:{port}/healthz")).is_success:
                            healthy.add(port)
                self.healthy = healthy
                await asyncio.sleep(CHECK_SECONDS)


class ThreadedProxy(ABC):
    """Listens at a port of its own in a thread, while it is open. A subclass serves the connections."""

    def __init__(self, address: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        self.url = ""
        self.tls = tls
        self._address = address
        self._listening = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._listening.wait(LIMIT_SECONDS)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(LIMIT_SECONDS)

    @abstractmethod
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection, which is closed afterwards; either side may go at any time."""

    async def _run(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._accept, self._address, 0, ssl=self.tls)
        self.url = f"{'https' if self.tls else 'http'}://{self._address}:{port_of(server.sockets[0])}"
        self._listening.set()
        await self._over.wait()
        # A closed server would drop connections that it has accepted, but not handed on, without closing their sockets.
        for listener in server.sockets:
            self._loop.remove_reader(listener.fileno())
        for _ in range(TURNS_TO_ACCEPT):
            await asyncio.sleep(0)
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self.serve(reader, writer)
        except* (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # one side has gone, or the proxy is closed
        finally:
            writer.close()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass everything on, until a side closes the connection."""
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
