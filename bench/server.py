"""Measure live tables under load, with the server on one core and its clients on the other. Part of `make bench`.

It measures stored moves per second of the server's CPU time, the latency from a player to the opponent at half the peak
rate, the latency of bots, and the memory of idle connections. The baseline is a server that only forwards messages.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import random
import resource
import socket
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

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
THINKING_SECONDS = (2.0, 8.0)  # of a player before a move
GAMES = ("rainbow", "rainbow-road", "flip-and-slide")
WARM_UP_SECONDS = 2.0
NEW_TABLE = {"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}
READY = '{"type":"ready","id":"r","entropy":"0123456789abcdef"}'
decode = msgspec.json.decode
encode = msgspec.json.encode


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextlib.asynccontextmanager
async def running(command: list[str], port: int) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Run a server pinned to the first core."""
    pinned = ["taskset", "-c", "0"] if (os.cpu_count() or 1) > 1 else []
    process = subprocess.Popen([*pinned, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            await asyncio.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait(20)


class Seat:
    """A player at a table: a websocket and the last update."""

    def __init__(self, connection: ClientConnection, sent_at: dict[int, float], latencies: list[float]) -> None:
        self.connection = connection
        self.update: Any = None
        self.updated = asyncio.Event()
        self._sent_at = sent_at  # when each move was sent, by ply; shared with the other seat
        self._latencies = latencies

    async def read(self) -> None:
        async for data in self.connection:
            message = decode(data)
            if message["type"] == "update":
                self.update = message
                sent_at = self._sent_at.get(message["ply"])
                if sent_at is not None and message["move"] and message["move"]["seat"] != message["views"][0]["seat"]:
                    self._latencies.append(time.perf_counter() - sent_at)
                self.updated.set()


class Table:
    """Two players who make random moves, table after table, with a pause before each move."""

    def __init__(self, urls: list[str], number: int, latencies: list[float]) -> None:
        self.urls = [urls[number % len(urls)], urls[(number + 1) % len(urls)]]  # each player at another process
        self.rng = random.Random(number)
        self.moves = 0
        self.latencies = latencies
        self.pause_seconds = 2.0  # until all tables are played at
        # The server closes idle connections after five seconds, perhaps while a request is on its way.
        limits = httpx.Limits(keepalive_expiry=1)
        # Without HTTPS there is nothing to verify; loading the certificates takes 30 ms a client.
        self.clients = [httpx.AsyncClient(base_url=url, timeout=60, limits=limits, verify=False) for url in self.urls]

    async def open(self) -> None:
        for client in self.clients:
            await client.get("/api/me")

    async def play(self) -> None:
        while True:
            id = (await self.clients[0].post("/api/tables", json=NEW_TABLE)).json()["id"]
            await self.clients[1].post(f"/api/tables/{id}/join", json={})
            sent_at: dict[int, float] = {}
            seats = []
            tasks = []
            for client, url in zip(self.clients, self.urls, strict=True):
                address = f"{url.replace('http', 'ws')}/api/tables/{id}/live"
                cookie = {"cookie": f"sevenhues={client.cookies['sevenhues']}"}
                connection = await connect(
                    address, additional_headers=cookie, compression=None, max_queue=None, open_timeout=60
                )
                seat = Seat(connection, sent_at, self.latencies)
                seats.append(seat)
                tasks.append(asyncio.create_task(seat.read()))
                await connection.send(READY)
            await self._play_game(seats, sent_at)
            for seat, task in zip(seats, tasks, strict=True):
                await seat.connection.close()
                task.cancel()

    async def _play_game(self, seats: list[Seat], sent_at: dict[int, float]) -> None:
        ply = 0
        while True:
            for seat in seats:
                while seat.update is None or seat.update["ply"] < ply:
                    seat.updated.clear()
                    await seat.updated.wait()
            if seats[0].update["result"] is not None:
                return
            mover = seats[seats[0].update["turn"][0]]
            if self.pause_seconds:
                await asyncio.sleep(self.pause_seconds * self.rng.uniform(0.5, 1.5))
            view = mover.update["views"][0]
            text = self.rng.choice(view["legal"])
            move = {"type": "move", "id": f"m{ply}", "seat": view["seat"], "ply": ply, "text": text}
            sent_at[ply + 1] = time.perf_counter()
            await mover.connection.send(encode(move).decode())
            ply += 1
            self.moves += 1


async def measure_load(
    python: str, table_count: int, seconds: float, processes: int, options: list[str]
) -> dict[str, float]:
    """Play at many tables, first as fast as possible, then at half that rate."""
    async with contextlib.AsyncExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        servers, urls = [], []
        for number in range(processes):
            port = free_port()
            own = ["--data", f"{data}/{number}", "--key-file", f"{data}/keys"]
            servers.append(await stack.enter_async_context(running([*serve(python, port), *own, *options], port)))
            urls.append(f"http://127.0.0.1:{port}")
        latencies: list[float] = []
        tables = [Table(urls, number, latencies) for number in range(table_count)]
        for table in tables:
            await table.open()
        empty_mb = sum(memory_mb(server.pid) for server in servers)
        tasks = [asyncio.create_task(table.play()) for table in tables]
        while not all(table.moves for table in tables):  # creating many tables takes longer than the warm-up
            await asyncio.sleep(0.1)
            for task in tasks:
                if task.done():
                    task.result()  # raises why a table cannot be played at
        for table in tables:
            table.pause_seconds = 0.0
        await asyncio.sleep(WARM_UP_SECONDS)
        moves, cpu, began = total_moves(tables), total_cpu(servers), time.perf_counter()
        await asyncio.sleep(seconds)
        moves, cpu = total_moves(tables) - moves, total_cpu(servers) - cpu
        peak = moves / (time.perf_counter() - began)
        for table in tables:
            table.pause_seconds = table_count / (peak / 2)
        await asyncio.sleep(WARM_UP_SECONDS)
        latencies.clear()
        await asyncio.sleep(seconds)
        measured = sorted(latencies)
        used_mb = sum(memory_mb(server.pid) for server in servers) - empty_mb
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "moves per CPU second": moves / cpu,
        "moves per second": peak,
        "p50 ms": 1000 * statistics.median(measured),
        "p99 ms": 1000 * measured[int(len(measured) * 0.99)],
        "kB per table": 1000 * used_mb / table_count,
    }


def total_moves(tables: list[Table]) -> int:
    return sum(table.moves for table in tables)


def total_cpu(servers: list[subprocess.Popen[bytes]]) -> float:
    return sum(cpu_seconds(server.pid) for server in servers)


def serve(python: str, port: int) -> list[str]:
    """Return the command that starts a server without limits."""
    command = str(Path(python).with_name("sevenhues"))
    return [command, "serve", "--port", str(port), "--no-limits", "--log-level", "error"]


async def measure_baseline(python: str, pairs: int, seconds: float) -> float:
    """Return the messages per CPU second of the baseline server, which sends each to two clients like a move."""
    port = free_port()
    command = [python, str(Path(__file__).with_name("baseline_server.py")), str(port)]
    async with running(command, port) as process:
        messages = [0]

        async def exchange(number: int) -> None:
            address = f"ws://127.0.0.1:{port}/{number}"
            connections = [await connect(address, compression=None, max_queue=None) for _ in range(2)]
            text = '{"type":"move","id":"m12","seat":0,"ply":12,"text":"S1"}'
            while True:
                await connections[messages[0] % 2].send(text)
                for connection in connections:
                    await connection.recv()
                messages[0] += 1

        tasks = [asyncio.create_task(exchange(number)) for number in range(pairs)]
        await asyncio.sleep(WARM_UP_SECONDS)
        count, cpu = messages[0], cpu_seconds(process.pid)
        await asyncio.sleep(seconds)
        count, cpu = messages[0] - count, cpu_seconds(process.pid) - cpu
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return count / cpu


class BotOpponent:
    """A player who thinks for some seconds before each move against the game's best bot, and times its answers."""

    def __init__(self, url: str, number: int, latencies: list[float]) -> None:
        self.url = url
        self.rng = random.Random(number)
        self.game, self.level = GAMES[number % len(GAMES)], "master"
        self.latencies = latencies

    async def play(self) -> None:
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as client:
            await client.get("/api/me")
            await asyncio.sleep(self.rng.uniform(0, THINKING_SECONDS[1]))
            while True:
                seats = [{"kind": "me"}, {"kind": "bot", "level": self.level}]
                answer = await client.post("/api/tables", json={"game": self.game, "seats": seats})
                address = f"{self.url.replace('http', 'ws')}/api/tables/{answer.json()['id']}/live"
                cookie = {"cookie": f"sevenhues={client.cookies['sevenhues']}"}
                async with connect(address, additional_headers=cookie, compression=None, max_queue=None) as connection:
                    await connection.send(READY)
                    await self._play_game(connection)

    async def _play_game(self, connection: ClientConnection) -> None:
        bot_since = time.perf_counter()
        async for data in connection:
            message = decode(data)
            if message["type"] != "update":
                continue
            if message["move"] and message["move"]["seat"] == 1:
                self.latencies.append(time.perf_counter() - bot_since)
            bot_since = time.perf_counter()
            if message["result"] is not None:
                return
            if message["turn"] == [0]:
                await asyncio.sleep(self.rng.uniform(*THINKING_SECONDS))
                text = self.rng.choice(message["views"][0]["legal"])
                move = {"type": "move", "id": f"m{message['ply']}", "seat": 0, "ply": message["ply"], "text": text}
                bot_since = time.perf_counter()
                await connection.send(encode(move).decode())


async def measure_bots(python: str, players: int, seconds: float) -> list[float]:
    """Return how long the best bots take to answer many players, with server and bots on one core; sorted seconds."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        async with running([*serve(python, port), "--data", data, "--bot-workers", "1"], port):
            latencies: list[float] = []
            opponents = [BotOpponent(f"http://127.0.0.1:{port}", number, latencies) for number in range(players)]
            tasks = [asyncio.create_task(opponent.play()) for opponent in opponents]
            await asyncio.sleep(THINKING_SECONDS[1] + WARM_UP_SECONDS)
            latencies.clear()
            await asyncio.sleep(seconds)
            measured = sorted(latencies)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return measured


async def measure_idle(python: str, count: int) -> float:
    """Return the memory of a server with many idle connections, in megabytes."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        async with running([*serve(python, port), "--data", data], port) as process:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
                await http.get("/api/me")
                ids = [(await http.post("/api/tables", json=NEW_TABLE)).json()["id"] for _ in range(count // 20)]
            connections = []
            for number in range(count):
                address = f"ws://127.0.0.1:{port}/api/tables/{ids[number % len(ids)]}/live"
                connections.append(await connect(address, compression=None, ping_interval=None, max_queue=1))
            await asyncio.sleep(WARM_UP_SECONDS)
            used_mb = memory_mb(process.pid)
            for connection in connections:
                connection.transport.abort()
            return used_mb


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="Python of the environment whose server is measured")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--many", type=int, default=500, help="tables of a second measurement")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--players", type=int, default=200, help="players against the best bots; 0 for none")
    parser.add_argument("--idle", type=int, default=10_000, help="idle connections; 0 for none")
    parser.add_argument("--sqlite-only", action="store_true", help="do not measure PostgreSQL and Redis")
    parser.add_argument("options", nargs="*", help="more options of the server, after --")
    args = parser.parse_args()
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    os.sched_setaffinity(0, {max(0, (os.cpu_count() or 1) - 1)})
    gc.disable()  # so that pauses of the clients do not count as latency
    baseline = asyncio.run(measure_baseline(args.python, args.tables, args.seconds))
    print(f"baseline: {baseline:,.0f} messages to two clients per CPU second")
    for tables in dict.fromkeys((args.tables, args.many)):
        figures = asyncio.run(measure_load(args.python, tables, args.seconds, 1, args.options))
        report(f"SQLite, {tables} tables", baseline, figures)
    if not args.sqlite_only:
        with shared_services() as options:
            figures = asyncio.run(measure_load(args.python, args.tables, args.seconds, 2, options))
            report(f"two processes, PostgreSQL and Redis, {args.tables} tables", baseline, figures)
    if args.players:
        latencies = asyncio.run(measure_bots(args.python, args.players, 3 * args.seconds))
        median, late = 1000 * statistics.median(latencies), 1000 * latencies[int(len(latencies) * 0.95)]
        print(f"{args.players} players against masters, bots and server on one core, {len(latencies):,} answers:")
        print(f"  p50 {median:.0f} ms, p95 {late:.0f} ms, including the minimum time of a bot (--bot-min-move-ms, 700)")
    if args.idle:
        print(f"{args.idle:,} idle connections: {asyncio.run(measure_idle(args.python, args.idle)):,.0f} MB")


def report(title: str, baseline: float, figures: dict[str, float]) -> None:
    rate = figures["moves per CPU second"]
    print(f"{title}, {figures['moves per second']:,.0f} moves per second:")
    print(f"  {rate:,.0f} stored moves per CPU second of the server, {baseline / rate:.1f} times the baseline's work")
    print(
        f"  latency to the opponent at half that rate: p50 {figures['p50 ms']:.1f} ms, p99 {figures['p99 ms']:.1f} ms"
    )
    print(f"  {figures['kB per table']:.0f} kB per table, including tables that ended within the last minute")


@contextlib.contextmanager
def shared_services() -> Iterator[list[str]]:
    """Run the PostgreSQL and Redis of the tests, with a database that syncs to disk; yield the server's options."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.server.services import Postgres, Redis

    with (
        tempfile.TemporaryDirectory() as folder,
        Postgres(fsync=True) as postgres,
        Redis(Path(folder) / "redis") as redis,
    ):
        yield ["--database-url", postgres.database("bench"), "--redis-url", redis.address]


if __name__ == "__main__":
    main()
