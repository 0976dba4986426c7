"""Attack a server, and measure what its other users notice and how much memory it takes.

`python -m tests.server.attack_figures` makes all attacks, `… connects schema` some of them. The attacker has a process
and the address 127.0.0.2; the other user has 127.0.0.1. Without an attack (`idle`) the same is measured.
"""

import asyncio
import os
import random
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from sevenhues.client import Client
from sevenhues.core import record
from sevenhues.core.errors import BadRecord
from tests.server.play import play_on, start_game
from tests.server.process import ServerProcess
from tests.server.test_transport import HANDSHAKE, MESSAGE, REQUEST

ATTACKER = "127.0.0.2"
SECONDS = 5.0  # of an attack
SOCKETS = 600
BOT_TABLES = 300
MEBIBYTE = 1024 * 1024
PING = b"\x89\xfd\0\0\0\0" + b"x" * 125


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10, (ATTACKER, 0))


def wait(port: int) -> None:
    time.sleep(SECONDS)


def open_and_flood(port: int, path: str) -> None:
    """Open websockets, send too many messages at each, and neither read nor close any."""
    sockets = []
    for _ in range(SOCKETS):
        with suppress(OSError):
            sockets.append(connect(port))
            sockets[-1].sendall(HANDSHAKE.format(path=path, headers="").encode() + MESSAGE * 200)
    time.sleep(2 * SECONDS)


def open_and_close(port: int, path: str) -> None:
    """Open websockets as fast as possible, and print how many per second were accepted after the first seconds."""
    accepted: list[float] = []
    end = time.monotonic() + 6 * SECONDS
    while time.monotonic() < end:
        with suppress(OSError), connect(port) as client:
            client.sendall(HANDSHAKE.format(path=path, headers="").encode())
            received = b""
            while b'"table"' not in received and b"too-many" not in received:
                received += client.recv(65536) or b"too-many"
            if b'"table"' in received:
                accepted.append(time.monotonic())
    late = sum(moment > end - SECONDS for moment in accepted)
    print(f"{len(accepted)} accepted in {6 * SECONDS:.0f} s, at last {late / SECONDS:.0f} a second", flush=True)


def send_without_end(port: int, beginning: bytes, repeated: bytes) -> None:
    """Send data without end, and read nothing, on one connection after the other."""
    end, sent, connections = time.monotonic() + SECONDS, 0, 0
    while time.monotonic() < end:
        connections += 1
        with suppress(OSError), connect(port) as client:
            client.sendall(beginning)
            while time.monotonic() < end:
                sent += client.send(repeated)
    print(f"{sent / MEBIBYTE:.0f} MB were sent over {connections} connections, one at a time", flush=True)


def request_schema(port: int) -> None:
    end = time.monotonic() + SECONDS
    with httpx.Client(transport=httpx.HTTPTransport(local_address=ATTACKER)) as http:
        while time.monotonic() < end:
            http.get(f"http://127.0.0.1:{port}/api/schema")
            time.sleep(1 / 30)


def upload_repeated_keys(port: int) -> None:
    body = repeated_keys()
    with httpx.Client(transport=httpx.HTTPTransport(local_address=ATTACKER)) as http:
        http.get(f"http://127.0.0.1:{port}/api/me")
        headers = {"content-type": "application/json"}
        for _ in range(20):
            answer = http.post(f"http://127.0.0.1:{port}/api/records", content=body, headers=headers)
            assert answer.json()["key"] == "bad-record", answer.text


def delete_accounts(port: int) -> None:
    """Create accounts and delete them at once, as many as the server allows."""
    end, deleted = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", transport=httpx.HTTPTransport(local_address=ATTACKER)
        ) as http:
            http.get("/api/me")
            deleted += http.delete("/api/me").status_code == 200
    print(f"{deleted} accounts were deleted in {SECONDS:.0f} s", flush=True)


def repeated_keys() -> str:
    keys = [f"k{number}" for number in range(3200)]
    return "{" + ",".join(f'"{key}":0' for key in (*keys, *reversed(keys))) + "}"


@asynccontextmanager
async def measured_server(*options: str, bot_min_move_ms: int = 0) -> AsyncIterator[tuple[ServerProcess, str]]:
    """Start a server; yield it, and the path of a table's websocket."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder, "data"), *options, bot_min_move_ms=bot_min_move_ms) as server,
    ):
        async with Client(server.url) as ada:
            table = await ada.create_table("rainbow", ["me", "open"])
        yield server, f"/api/tables/{table.id}/live"


async def attack(
    what: str, server: ServerProcess, target: Callable[..., None], *values: Any, path: str = "/api/server"
) -> None:
    """Run an attack in a process, and print what another user noticed and how the server's memory grew."""
    attacker = get_context("spawn").Process(target=target, args=(server.port, *values))
    waits, descriptors, memory = [], [0], [resident_bytes(server)]
    async with httpx.AsyncClient(base_url=server.url) as http:
        await http.get(path)
        attacker.start()
        while attacker.is_alive():
            began = time.perf_counter()
            assert (await http.get(path)).status_code == 200
            waits.append((time.perf_counter() - began) * 1000)
            descriptors.append(len(os.listdir(f"/proc/{server.pid}/fd")))
            memory.append(resident_bytes(server))
            await asyncio.sleep(0.02)
    attacker.join()
    assert attacker.exitcode == 0
    percentile = sorted(waits)[len(waits) * 99 // 100]
    print(
        f"{what}: another user waits {median(waits):.1f} ms (median), {percentile:.1f} ms (p99), {max(waits):.1f} ms"
        f" (longest of {len(waits)}); descriptors: {max(descriptors)} at most, {descriptors[-1]} at last;"
        f" memory grows by {(max(memory) - memory[0]) / MEBIBYTE:.1f} MB at most",
        flush=True,
    )


def resident_bytes(server: ServerProcess) -> int:
    return int(Path(f"/proc/{server.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def measure_idle() -> None:
    async with measured_server() as (server, _):
        await attack("no attack", server, wait)
        await attack("no attack, data stored", server, wait, path="/healthz")


async def measure_sockets() -> None:
    async with measured_server() as (server, path):
        await attack(f"{SOCKETS} flooding websockets", server, open_and_flood, path)


async def measure_connects() -> None:
    async with measured_server() as (server, path):
        await attack("connects", server, open_and_close, path)


async def measure_memory() -> None:
    async with measured_server() as (server, path):
        handshake = HANDSHAKE.format(path=path, headers="").encode()
        await attack("pings", server, send_without_end, handshake, PING * 500)
    async with measured_server() as (server, _):
        await attack("headers", server, send_without_end, REQUEST, b"A: b\r\n" * 10_000)


async def measure_schema() -> None:
    async with measured_server() as (server, _):
        await attack("30 requests of the schema a second", server, request_schema)


async def measure_records() -> None:
    text = repeated_keys()
    began = time.process_time()
    with suppress(BadRecord):
        record.read(text)
    print(f"a record of {len(text)} bytes with repeated keys takes {(time.process_time() - began) * 1000:.1f} ms")
    async with measured_server() as (server, _):
        await attack("20 uploads of it", server, upload_repeated_keys)


async def measure_deletions() -> None:
    async with measured_server() as (server, _):
        await attack("deletions of accounts, data stored", server, delete_accounts, path="/healthz")


async def measure_bots() -> None:
    """Play against a bot, first alone, then beside tables of bots only."""
    async with measured_server("--no-limits", bot_min_move_ms=700) as (server, _), Client(server.url) as ada:
        for tables in (0, BOT_TABLES):
            async with Client(server.url) as owner:
                for _ in range(tables):
                    await owner.create_table("rainbow-road", ["bot:master", "bot:master"])
            waits = await waits_for_a_bot(ada)
            print(
                f"beside {tables} tables of bots a person waits {median(waits):.0f} ms for a master (median),"
                f" {max(waits):.0f} ms (longest of {len(waits)})",
                flush=True,
            )


async def waits_for_a_bot(ada: Client) -> list[float]:
    """Play random moves against a master, and return how long each of its moves took."""
    table = await ada.create_table("rainbow-road", ["me", "bot:master"])
    moments: list[tuple[int, float]] = []  # the seat, and when its move was seen
    async with ada.live(table.id) as live:
        await start_game(live)
        playing = asyncio.create_task(play_on(live, random.Random(1), max_moves=15))
        ply = 0
        while not playing.done():
            if live.update is not None and live.update.ply > ply:
                ply = live.update.ply
                assert live.update.move is not None
                moments.append((live.update.move.seat, time.monotonic()))
            await asyncio.sleep(0.002)
        await playing
    return [(moment - before) * 1000 for (_, before), (seat, moment) in pairwise(moments) if seat]


MEASURES: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
    "idle": measure_idle,
    "sockets": measure_sockets,
    "connects": measure_connects,
    "memory": measure_memory,
    "schema": measure_schema,
    "records": measure_records,
    "deletions": measure_deletions,
    "bots": measure_bots,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or MEASURES:
        asyncio.run(MEASURES[name]())
