"""Network links that a test cuts, slows and silences: TCP proxies in the event loop of the test."""

import asyncio
import itertools
import random
from types import TracebackType
from typing import Literal, Self

from tests.server.process import port_of

# cut: connections are reset, and new ones too. silent: nothing passes, and nobody is told. The other two are half-open:
# nothing passes in one direction. What was held back passes when the link works again, as packets that are sent again.
Fault = Literal["cut", "silent", "no requests", "no answers", "slow"]
FAULTS: tuple[Fault, ...] = ("cut", "silent", "no requests", "no answers", "slow")
MAX_DELAY_SECONDS = 0.3  # of data on a slow link


class Link:
    """Listens at a port of its own, and connects each client to the next of some ports."""

    def __init__(self, ports: list[int], seed: int) -> None:
        self._ports = itertools.cycle(ports)
        self._rng = random.Random(seed)
        self._fault: Fault | None = None
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        assert self._server is not None
        self._server.close()
        await self.reset()

    @property
    def port(self) -> int:
        assert self._server is not None
        return port_of(self._server.sockets[0])

    async def fail(self, fault: Fault) -> None:
        """Let the link fail until it is repaired."""
        self._set(fault)
        if fault == "cut":
            await self.reset()

    def repair(self) -> None:
        self._set(None)

    async def reset(self) -> None:
        """Reset all connections."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # in which the transports close

    def _set(self, fault: Fault | None) -> None:
        self._fault = fault
        self._changed.set()
        self._changed = asyncio.Event()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connect(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        try:
            if self._fault != "cut":
                from_target, to_target = await asyncio.open_connection("127.0.0.1", next(self._ports))
                writers.append(to_target)
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._pump(reader, to_target, "no requests"))
                    group.create_task(self._pump(from_target, writer, "no answers"))
        except* OSError:
            pass  # one side has gone
        finally:
            for one in writers:
                one.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, silenced_by: Fault) -> None:
        """Pass data on in one direction, until a side closes the connection."""
        while data := await reader.read(65536):
            while self._fault in ("silent", silenced_by):
                await self._changed.wait()
            if self._fault == "slow":
                await asyncio.sleep(self._rng.uniform(0, MAX_DELAY_SECONDS))
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError


class Faults:
    """Lets links fail at random, one after the other or several at once, and repairs them."""

    def __init__(self, links: list[Link], seed: int, max_seconds: float) -> None:
        self.counts: dict[Fault, int] = dict.fromkeys(FAULTS, 0)
        self._links = links
        self._rng = random.Random(seed)
        self._max_seconds = max_seconds  # of a fault, most of which are shorter

    async def run(self) -> None:
        """Let links fail until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for link in self._links:
                    group.create_task(self._run(link, random.Random(self._rng.random())))
        finally:
            for link in self._links:
                link.repair()

    async def _run(self, link: Link, rng: random.Random) -> None:
        while True:
            await asyncio.sleep(rng.expovariate(3 / self._max_seconds))
            fault = rng.choice(FAULTS)
            self.counts[fault] += 1
            await link.fail(fault)
            await asyncio.sleep(min(self._max_seconds, rng.expovariate(3 / self._max_seconds)))
            if rng.random() < 0.5:
                await link.reset()  # its connections do not outlive the fault
            link.repair()
