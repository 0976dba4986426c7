"""Rematches: one for every agreement, however many processes see it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store import Conflict, Store, Summary
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands, events
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.events import ClockSettings, Entry
from tests.server.live_tables import RAINBOW

pytestmark = pytest.mark.anyio
TWO_USERS = TableSpec((SeatSpec("me"), SeatSpec("open")))
CREATED = events.Created("rainbow", {}, 2, "ada", True, ClockSettings(), False, False, "00" * 32)
SUMMARY = Summary("rainbow", "waiting", True, ("ada",))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Return a function that makes stores over one database."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "s.db")
    address = request.getfixturevalue("postgres").database(f"m{uuid4().hex}")
    return lambda: PostgresStore(address)


async def finished_table(live_tables: LiveTables) -> str:
    """Play a game of two users, Ada and Ben, that Ben resigns; return the table's id."""
    live_table = await live_tables.create(RAINBOW, TWO_USERS, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.take_seat(table, "ben", "Ben", 1))
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ben", "x" * 20))
    await live_table.act(lambda table, now_ms: commands.resign(table, "ben", 1))
    return live_table.id


async def test_two_processes_create_one_rematch(data: Path, make_store: Callable[[], Store]) -> None:
    processes = [LiveTables(Settings(data), make_store()) for _ in range(2)]
    for process in processes:
        await process.open()
    first, second = processes
    agreed = [await finished_table(first) for _ in range(10)]
    for id in agreed:
        for process in processes:
            await process.get(id)
        log = await first.store.log(id)
        for number, user_id in enumerate(("ada", "ben"), len(log)):
            await first.store.append(id, number, log[-1].at_ms, events.RematchOffered(user_id), None)
    await asyncio.gather(*[(await process.get(id)).wake() for id in agreed for process in processes])
    for id in agreed:
        tables = [(await process.get(id)).table for process in processes]
        assert tables[0].rematch_table is not None
        assert tables[0].rematch_table == tables[1].rematch_table
        assert (await second.get(tables[0].rematch_table)).table.config.previous_table == id
    made = len(await first.store.list_of_user("ada", None, 50)) - len(agreed)
    print(f"{len(agreed)} rematches agreed, {made} created by two processes")
    assert made == len(agreed)
    for process in processes:
        await process.close()


async def test_rematch_is_stored_with_the_event_of_its_table_or_not_at_all(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    log = [Entry(1, CREATED)]
    await store.create("t", log, SUMMARY)
    await store.create_rematch("t", 1, 2, "rematch", log, SUMMARY)
    for number, rematch_id in ((1, "another"), (2, "rematch")):
        with pytest.raises(Conflict):
            await store.create_rematch("t", number, 3, rematch_id, log, SUMMARY)
    assert [entry.event for entry in await store.log("t")] == [CREATED, events.RematchCreated("rematch")]
    assert await store.log("another") == []
    assert len(await store.list_of_user("ada", None, 50)) == 2
    await store.close()
