"""Websocket messages of an address share a limit, in which a message counts as much as it costs the server."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sevenhues import protocol
from sevenhues.server.http.rate_limits import RateLimit
from sevenhues.server.live import client_messages
from sevenhues.server.live.client_messages import BYTES_OF_COST, COMMIT_COST, VIEWERS_OF_COST, ConnectionLimits
from sevenhues.server.live.connection import Receiver
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.table import commands
from tests.server.live_tables import PAIR, RAINBOW, open_live_tables
from tests.server.play import wait_until
from tests.server.test_transport import MESSAGE, open_websocket, serving_tables

pytestmark = pytest.mark.anyio


async def cost(live_tables: LiveTables, live_table: LiveTable, message: protocol.FromClient) -> tuple[float, int]:
    """Send a message as Ada; return what it counts as, and the length of the answers."""
    viewer = Viewer("ada")
    data = msgspec.json.encode(message)
    counted = await client_messages.answer(data, live_tables.services, live_table, viewer)
    return counted, sum(map(len, await viewer.next_messages()))


async def test_message_counts_as_much_as_it_costs(tmp_path: Path) -> None:
    live_tables = await open_live_tables(tmp_path)
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    counted, size = await cost(live_tables, live_table, protocol.Ping(1))
    assert counted == 1 + size / BYTES_OF_COST
    watchers = [Viewer(None) for _ in range(30)]
    for watcher in watchers:
        live_table.enter(watcher)
    counted, size = await cost(live_tables, live_table, protocol.Commit("c", "0" * 64))
    assert counted == 1 + COMMIT_COST + 30 / VIEWERS_OF_COST + size / BYTES_OF_COST
    for watcher in watchers:
        live_table.leave(watcher)
    waiting = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await waiting.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    for message in (protocol.SelectViews([0], text=True), protocol.Move("m", 0, 99, "S1")):
        counted, size = await cost(live_tables, waiting, message)
        assert size > 500, "the whole position"
        assert counted == 1 + size / BYTES_OF_COST
    await live_tables.close()


class Pings:
    """A websocket whose client sends pings without end."""

    received = 0

    async def receive_data(self, mode: str) -> bytes:
        await asyncio.sleep(0)
        self.received += 1
        return b'{"type": "ping", "at": 1}'


@pytest.mark.parametrize(("seconds", "answered"), [(0.0, True), (3600.0, False)])
async def test_connection_whose_address_is_over_its_limit_waits(tmp_path: Path, seconds: float, answered: bool) -> None:
    live_tables = await open_live_tables(tmp_path)
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    pings: Any = Pings()
    limits, answers = ConnectionLimits(delay=lambda: seconds), Viewer("ada")
    receiver = Receiver(pings, live_tables.services, live_table, answers, limits)
    running = asyncio.create_task(receiver.run())
    for _ in range(20):
        await asyncio.sleep(0)
    assert (pings.received > 1) == answered
    assert bool(answers._queue) == answered, "also the first message waits"
    receiver.stop(running)
    await asyncio.wait([running])
    await live_tables.close()


@pytest.mark.slow
async def test_messages_are_counted_by_address(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, float]] = []

    def count_messages(self: RateLimit, address: str, count: float) -> None:
        counted.append((address, count))

    monkeypatch.setattr(RateLimit, "count", count_messages)
    async with serving_tables(data, 0) as (_, port, path):
        for number in (1, 2):
            streams = await open_websocket(port, path)
            streams[1].write(MESSAGE)
            await wait_until(lambda number=number: len(counted) == number)
            streams[1].close()
    assert {address for address, _ in counted} == {"127.0.0.1"}
