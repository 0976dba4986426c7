"""A process that missed the announcement of a move shows no earlier position than another process has shown."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from sevenhues import protocol
from sevenhues.server.live import client_messages
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands
from tests.server.live_tables import PAIR, RAINBOW
from tests.server.test_cluster import FakeBus

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def processes_without_announcements(data: Path) -> AsyncIterator[list[LiveTables]]:
    """Two processes that share a store, and a bus whose messages are all lost."""
    settings = Settings(data, bot_workers=1)
    processes = [LiveTables(settings, SqliteStore(settings.database), FakeBus()) for _ in range(2)]
    for process in processes:
        await process.open()
    try:
        yield processes
    finally:
        for process in processes:
            await process.close()


async def move(live_table: LiveTable) -> None:
    table = live_table.table
    assert table.position is not None
    seat = table.to_act()[0]
    text = RAINBOW.text(table.position, seat, table.position.legal(seat)[0])
    await live_table.act(lambda table, now_ms: commands.move(table, "ada", seat, table.ply, text, None, now_ms))


async def test_connection_begins_with_all_moves_of_other_processes(data: Path) -> None:
    async with processes_without_announcements(data) as (first, second):
        live_table = await first.create(RAINBOW, PAIR, "ada", "Ada")
        await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
        assert (await second.get_current(live_table.id)).table.ply == 0
        for ply in (1, 2):
            await move(live_table)
            assert (await second.get_current(live_table.id)).table.ply == ply


async def test_move_of_a_client_that_has_seen_more_than_the_process_is_accepted(data: Path) -> None:
    async with processes_without_announcements(data) as (first, second):
        live_table = await first.create(RAINBOW, PAIR, "ada", "Ada")
        await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
        behind = await second.get(live_table.id)
        await move(live_table)
        assert (behind.table.ply, live_table.table.ply) == (0, 1)
        position, seat = live_table.table.position, live_table.table.to_act()[0]
        assert position is not None
        text = RAINBOW.text(position, seat, position.legal(seat)[0])
        message = msgspec.json.encode(protocol.Move("m", seat, 1, text))
        viewer = Viewer("ada")
        await client_messages.answer(message, second.services, behind, viewer)
        assert await viewer.next_messages() == [msgspec.json.encode(protocol.Accepted("m", 2))]
