"""Live tables under load: the server on one core, its clients on the other. Run by `make bench`, or by itself.

Durable moves for each second of the server's CPU time; how long a move takes from its sender to the opponent at half
the peak; memory of idle sockets. The baseline is a bare relay on the same web server, which stores and judges nothing.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

TICKS = os.sysconf("SC_CLK_TCK")
THOUGHT = (2.0, 8.0)  # seconds that a person takes for a move
GAMES = ("rainbow", "rainbow-road", "flip-and-slide")
WARM = 2.0  # seconds before anything is counted
decode = msgspec.json.decode
encode = msgspec.json.encode


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextlib.asynccontextmanager
async def running(command: list[str], at: int) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Run a server pinned to the first core."""
    pinned = ["taskset", "-c", "0"] if (os.cpu_count() or 1) > 1 else []
    process = subprocess.Popen([*pinned, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", at)
                writer.close()
                break
            await asyncio.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait(20)


class Seat:
    """A player at a table: a websocket, and the last update that came."""

    def __init__(self, socket: ClientConnection, times: dict[int, float], seen: list[float]) -> None:
        self.socket = socket
        self.update: Any = None
        self.fresh = asyncio.Event()
        self._times = times  # when each ply was sent, by ply: shared with the other seat
        self._seen = seen

    async def read(self) -> None:
        async for message in self.socket:
            told = decode(message)
            if told["type"] == "update":
                self.update = told
                sent = self._times.get(told["ply"])
                if sent is not None and told["move"] and told["move"]["seat"] != told["eyes"][0]["seat"]:
                    self._seen.append(time.perf_counter() - sent)
                self.fresh.set()


class Table:
    """Two seats that play random moves, table after table, at a given pace."""

    def __init__(self, urls: list[str], number: int, count: list[int], seen: list[float]) -> None:
        self.urls = [urls[number % len(urls)], urls[(number + 1) % len(urls)]]  # each seat at a process of its own
        self.chance = random.Random(number)
        self.count = count
        self.seen = seen
        self.pause = 0.0
        self.clients = [httpx.AsyncClient(base_url=url, timeout=60) for url in self.urls]

    async def open(self) -> None:
        for client in self.clients:
            await client.get("/api/me")

    async def play(self) -> None:
        while True:
            wish = {"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}
            id = (await self.clients[0].post("/api/tables", json=wish)).json()["id"]
            await self.clients[1].post(f"/api/tables/{id}/join", json={})
            times: dict[int, float] = {}
            seats = []
            tasks = []
            for client, url in zip(self.clients, self.urls, strict=True):
                address = f"{url.replace('http', 'ws')}/api/tables/{id}/live"
                cookie = {"cookie": f"sevenhues={client.cookies['sevenhues']}"}
                socket = await connect(address, additional_headers=cookie, compression=None, max_queue=None)
                seat = Seat(socket, times, self.seen)
                seats.append(seat)
                tasks.append(asyncio.create_task(seat.read()))
                await socket.send('{"type":"ready","id":"r","entropy":"0123456789abcdef"}')
            await self._game(seats, times)
            for seat, task in zip(seats, tasks, strict=True):
                await seat.socket.close()
                task.cancel()

    async def _game(self, seats: list[Seat], times: dict[int, float]) -> None:
        ply = 0
        while True:
            for seat in seats:
                while seat.update is None or seat.update["ply"] < ply:
                    seat.fresh.clear()
                    await seat.fresh.wait()
            if seats[0].update["result"] is not None:
                return
            mover = seats[seats[0].update["turn"][0]]
            if self.pause:
                await asyncio.sleep(self.pause * self.chance.uniform(0.5, 1.5))
            text = self.chance.choice(mover.update["eyes"][0]["legal"])
            move = {"type": "move", "id": f"m{ply}", "seat": mover.update["eyes"][0]["seat"], "ply": ply, "text": text}
            times[ply + 1] = time.perf_counter()
            await mover.socket.send(encode(move).decode())
            ply += 1
            self.count[0] += 1


async def load(python: str, tables: int, seconds: float, processes: int, more: list[str]) -> dict[str, float]:
    """Play at many tables, first as fast as it goes, then at half that pace."""
    async with contextlib.AsyncExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        servers, urls = [], []
        for number in range(processes):
            at = port()
            command = [str(Path(python).with_name("sevenhues")), "serve", "--port", str(at), "--no-limits"]
            where = ["--data", f"{data}/{number}", "--keys", f"{data}/keys", "--log-level", "error"]
            servers.append(await stack.enter_async_context(running([*command, *where, *more], at)))
            urls.append(f"http://127.0.0.1:{at}")
        count = [0]
        seen: list[float] = []
        laid = [Table(urls, number, count, seen) for number in range(tables)]
        for table in laid:
            await table.open()
        empty = sum(memory(server.pid) for server in servers)
        tasks = [asyncio.create_task(table.play()) for table in laid]
        await asyncio.sleep(WARM)
        moves, used, began = count[0], sum(cpu(server.pid) for server in servers), time.perf_counter()
        await asyncio.sleep(seconds)
        moves, used = count[0] - moves, sum(cpu(server.pid) for server in servers) - used
        peak = moves / (time.perf_counter() - began)
        for table in laid:
            table.pause = tables / (peak / 2)
        await asyncio.sleep(WARM)
        seen.clear()
        await asyncio.sleep(seconds)
        waits = sorted(seen)
        held = sum(memory(server.pid) for server in servers)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "moves a second of CPU": moves / used,
        "moves a second": peak,
        "p50 ms": 1000 * statistics.median(waits),
        "p99 ms": 1000 * waits[int(len(waits) * 0.99)],
        "kB a table": 1000 * (held - empty) / tables,
    }


async def relay(python: str, tables: int, seconds: float) -> float:
    """Messages for each second of CPU through the bare relay, each to two clients as a move is."""
    at = port()
    async with running([python, str(Path(__file__).with_name("relay.py")), str(at)], at) as process:
        count = [0]

        async def pair(number: int) -> None:
            sockets = [
                await connect(f"ws://127.0.0.1:{at}/{number}", compression=None, max_queue=None) for _ in range(2)
            ]
            text = '{"type":"move","id":"m12","seat":0,"ply":12,"text":"S1"}'
            while True:
                await sockets[count[0] % 2].send(text)
                for socket in sockets:
                    await socket.recv()
                count[0] += 1

        tasks = [asyncio.create_task(pair(number)) for number in range(tables)]
        await asyncio.sleep(WARM)
        moves, used = count[0], cpu(process.pid)
        await asyncio.sleep(seconds)
        moves, used = count[0] - moves, cpu(process.pid) - used
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return moves / used


class Patient:
    """A person who thinks for some seconds before each move, against the game's best bot; notes how long that took."""

    def __init__(self, url: str, number: int, waits: list[float]) -> None:
        self.url = url
        self.chance = random.Random(number)
        self.game, self.level = GAMES[number % len(GAMES)], "master"
        self.waits = waits

    async def play(self) -> None:
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as client:
            await client.get("/api/me")
            await asyncio.sleep(self.chance.uniform(0, THOUGHT[1]))
            while True:
                seats = [{"kind": "me"}, {"kind": "bot", "level": self.level}]
                answer = await client.post("/api/tables", json={"game": self.game, "seats": seats})
                address = f"{self.url.replace('http', 'ws')}/api/tables/{answer.json()['id']}/live"
                cookie = {"cookie": f"sevenhues={client.cookies['sevenhues']}"}
                async with connect(address, additional_headers=cookie, compression=None, max_queue=None) as socket:
                    await socket.send('{"type":"ready","id":"r","entropy":"0123456789abcdef"}')
                    await self._game(socket)

    async def _game(self, socket: ClientConnection) -> None:
        since = time.perf_counter()  # the bot has had the turn
        async for message in socket:
            told = decode(message)
            if told["type"] != "update":
                continue
            if told["move"] and told["move"]["seat"] == 1:
                self.waits.append(time.perf_counter() - since)
            since = time.perf_counter()
            if told["result"] is not None:
                return
            if told["turn"] == [0]:
                await asyncio.sleep(self.chance.uniform(*THOUGHT))
                text = self.chance.choice(told["eyes"][0]["legal"])
                move = {"type": "move", "id": f"m{told['ply']}", "seat": 0, "ply": told["ply"], "text": text}
                since = time.perf_counter()
                await socket.send(encode(move).decode())


async def answers(python: str, tables: int, seconds: float) -> list[float]:
    """How long the best bots take to answer while many tables live, server and bots on one core; sorted seconds."""
    at = port()
    with tempfile.TemporaryDirectory() as data:
        command = [str(Path(python).with_name("sevenhues")), "serve", "--port", str(at), "--data", data, "--no-limits"]
        async with running([*command, "--log-level", "error", "--workers", "1"], at):
            waits: list[float] = []
            tasks = [
                asyncio.create_task(Patient(f"http://127.0.0.1:{at}", number, waits).play()) for number in range(tables)
            ]
            await asyncio.sleep(THOUGHT[1] + 2)
            waits.clear()
            await asyncio.sleep(seconds)
            found = sorted(waits)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return found


async def idle(python: str, sockets: int) -> float:
    """Megabytes of a server with many idle websockets."""
    at = port()
    with tempfile.TemporaryDirectory() as data:
        command = [str(Path(python).with_name("sevenhues")), "serve", "--port", str(at), "--data", data, "--no-limits"]
        async with running([*command, "--log-level", "error"], at) as process:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{at}", timeout=60) as http:
                await http.get("/api/me")
                ids = []
                for _ in range(sockets // 20):
                    wish = {"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}
                    ids.append((await http.post("/api/tables", json=wish)).json()["id"])
            held = []
            for number in range(sockets):
                address = f"ws://127.0.0.1:{at}/api/tables/{ids[number % len(ids)]}/live"
                socket = await connect(address, compression=None, ping_interval=None, max_queue=1)
                held.append(socket)
            await asyncio.sleep(2)
            found = memory(process.pid)
            for socket in held:
                socket.transport.abort()
            return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="of the environment whose server is measured")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--many", type=int, default=500, help="tables at which waits are measured")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--people", type=int, default=200, help="who play against the best bots")
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("more", nargs="*", help="more options of the server, after --")
    given = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setaffinity(0, {max(0, (os.cpu_count() or 1) - 1)})
    gc.disable()  # a pause of the clients' own is no wait for the server
    bare = asyncio.run(relay(given.python, given.tables, given.seconds))
    print(f"bare relay: {bare:,.0f} messages to two clients, a second of CPU")
    for tables in dict.fromkeys((given.tables, given.many)):
        report(f"SQLite, {tables} tables", bare, asyncio.run(load(given.python, tables, given.seconds, 1, given.more)))
    with shared() as more:
        found = asyncio.run(load(given.python, given.tables, given.seconds, 2, more))
        report(f"two processes, PostgreSQL and Redis, {given.tables} tables", bare, found)
    waits = asyncio.run(answers(given.python, given.people, 3 * given.seconds))
    median, late = 1000 * statistics.median(waits), 1000 * waits[int(len(waits) * 0.95)]
    print(f"{given.people} people against masters, bots and server on one core, {len(waits):,} answers:")
    print(f"  p50 {median:.0f} ms, p95 {late:.0f} ms, the least that a bot takes included (--pace, 700 ms)")
    if given.idle:
        print(f"{given.idle:,} idle sockets: {asyncio.run(idle(given.python, given.idle)):,.0f} MB")


def report(title: str, bare: float, found: dict[str, float]) -> None:
    rate = found["moves a second of CPU"]
    print(f"{title}, {found['moves a second']:,.0f} moves a second:")
    print(f"  {rate:,.0f} durable moves a second of the server's CPU, {bare / rate:.1f} times the relay's work")
    print(f"  at half that pace, to the opponent: p50 {found['p50 ms']:.1f} ms, p99 {found['p99 ms']:.1f} ms")
    print(f"  {found['kB a table']:.0f} kB a table, those that ended a minute ago or less included")


@contextlib.contextmanager
def shared() -> Iterator[list[str]]:
    """Run the PostgreSQL and the Redis of the tests, the database writing to disk as it should."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.server.services import Postgres, Redis

    with (
        tempfile.TemporaryDirectory() as folder,
        Postgres(fsync=True) as postgres,
        Redis(Path(folder) / "redis") as redis,
    ):
        yield ["--store", postgres.database("bench"), "--bus", redis.address]


if __name__ == "__main__":
    main()
