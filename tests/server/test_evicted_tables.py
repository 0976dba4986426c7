"""Games in play that are evicted from memory, and loaded again when time is up or somebody comes."""

import asyncio
import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from sevenhues.server.cluster.lease import SoleLease
from sevenhues.server.live import live_tables as live_tables_module
from sevenhues.server.live.live_table import Viewer
from sevenhues.server.live.live_tables import EVICT_AFTER_MS, LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store import StoreFailed
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands, events
from sevenhues.server.table.events import ClockSettings, Entry
from sevenhues.server.table.state import restore
from tests.server.live_tables import PAIR, RAINBOW, FakeClock, open_live_tables
from tests.server.play import wait_until
from tests.server.test_cluster import FakeBus

pytestmark = pytest.mark.anyio
CLOCK_MS = EVICT_AFTER_MS + 1000
LEFT_MS = 50  # when the game is evicted
MOVE_CLOCK = ClockSettings("move", CLOCK_MS // 1000)
LONG_CLOCK = ClockSettings("move", 3600)
MAX_BYTES = 3000  # of an evicted game; one in memory takes three times as many, and its connections far more


async def evicted_game(live_tables: LiveTables, clock: FakeClock, settings: ClockSettings = MOVE_CLOCK) -> str:
    """Start a game, evict it, and return its id."""
    live_table = await live_tables.create(RAINBOW, PAIR._replace(clock=settings), "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    clock.now_ms += CLOCK_MS - LEFT_MS
    await live_tables.sweep()
    assert live_tables.tables == {}
    return live_table.id


async def timeouts(live_tables: LiveTables, id: str) -> int:
    return [type(entry.event) for entry in await live_tables.store.log(id)].count(events.TimedOut)


async def test_game_with_a_running_clock_is_evicted_and_times_out_once(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    id = await evicted_game(live_tables, clock)
    clock.now_ms += LEFT_MS
    await wait_until(lambda: id in live_tables.tables and live_tables.tables[id].table.result is not None)
    await wait_until(lambda: live_tables.tables[id].idle)
    clock.now_ms += CLOCK_MS
    await live_tables.sweep()
    assert live_tables.tables == {}
    assert live_tables._evicted == {}, "nothing is left to do for a finished game"
    assert await timeouts(live_tables, id) == 1
    await live_tables.close()


async def test_lease_is_released_when_a_game_is_over(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released: list[str] = []
    monkeypatch.setattr(SoleLease, "release", lambda lease, table_id: released.append(table_id))
    live_tables = await open_live_tables(data)
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    assert released == []
    await live_table.act(lambda table, now_ms: commands.resign(table, "ada", 0))
    assert set(released) == {live_table.id}
    await live_tables.close()


@pytest.mark.parametrize("status", ["waiting", "playing", "finished"])
async def test_tables_in_memory_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    monkeypatch.setattr(live_tables_module, "MANY_TABLES", 3)
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    ids = []
    for _ in range(5):
        live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
        if status != "waiting":
            await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
        if status == "finished":
            await live_table.act(lambda table, now_ms: commands.resign(table, "ada", 0))
        assert live_table.table.status == status
        ids.append(live_table.id)
    clock.now_ms += CLOCK_MS
    await live_tables.sweep()
    assert live_tables.tables == {}
    watched, again, *others = ids
    viewer = Viewer("ada")
    (await live_tables.get(watched)).enter(viewer)
    for id in (again, others[0], again, *others[1:]):
        clock.now_ms += live_tables_module.EVICT_SOON_AFTER_MS + 1
        await live_tables.get(id)
    assert set(live_tables.tables) == {watched, *others[1:]}
    assert not viewer.dropped.done()
    await asyncio.gather(*[live_tables.get(id) for id in (again, others[0])])
    assert set(live_tables.tables) == {watched, again, others[0], others[-1]}, "what was used just now stays"
    await live_tables.close()


async def test_evicted_game_is_loaded_for_a_player_with_its_clock(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    id = await evicted_game(live_tables, clock)
    table = (await live_tables.get(id)).table
    assert live_tables._evicted == {}
    assert commands.next_deadline(table) == clock.now_ms + LEFT_MS
    seat = table.to_act()[0]
    await live_tables.tables[id].act(lambda table, now_ms: commands.move(table, "ada", seat, 0, "S1", None, now_ms))
    assert commands.next_deadline(table) == clock.now_ms + CLOCK_MS
    await live_tables.close()


async def test_evicted_game_that_cannot_be_loaded_when_time_is_up_is_tried_again(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables_module, "RETRY_SECONDS", 0.01)
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    id = await evicted_game(live_tables, clock)
    read, failures = live_tables.store.log, 0

    async def fail_twice(table_id: str, start: int = 0) -> list[Entry]:
        nonlocal failures
        if failures < 2:
            failures += 1
            raise StoreFailed("the disk is broken")
        return await read(table_id, start)

    monkeypatch.setattr(live_tables.store, "log", fail_twice)
    clock.now_ms += LEFT_MS
    await wait_until(lambda: id in live_tables.tables and live_tables.tables[id].table.result is not None)
    assert failures == 2
    assert await timeouts(live_tables, id) == 1
    await live_tables.close()


async def open_beside_others(data: Path, clock: Callable[[], int]) -> tuple[LiveTables, FakeBus]:
    """Open live tables of a process that believes that there are others."""
    bus, settings = FakeBus(), Settings(data, bot_min_move_ms=0, bot_workers=1)
    live_tables = LiveTables(settings, SqliteStore(settings.database), bus, now=clock)
    await live_tables.open()
    return live_tables, bus


@pytest.mark.parametrize("settings", [LONG_CLOCK, ClockSettings("none")])
async def test_evicted_game_is_loaded_when_another_process_adds_an_event(data: Path, settings: ClockSettings) -> None:
    clock = FakeClock()
    live_tables, bus = await open_beside_others(data, clock)
    id = await evicted_game(live_tables, clock, settings)
    log = await live_tables.store.log(id)
    seat = restore(id, log).to_act()[0]
    await live_tables.store.append(id, len(log), clock.now_ms, events.MovePlayed(seat, "S1"), None)
    bus.receive(id, event_count=len(log))
    assert live_tables.tables == {}, "an event that is known changes nothing"
    bus.receive(id, event_count=len(log) + 1)
    await wait_until(lambda: id in live_tables.tables and id not in live_tables._evicted)
    table = live_tables.tables[id].table
    assert table.ply == 1
    assert commands.next_deadline(table) == (clock.now_ms + 3600 * 1000 if settings is LONG_CLOCK else None)
    await live_tables.close()


async def test_evicted_game_takes_little_memory(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    await evicted_game(live_tables, clock, LONG_CLOCK)  # what is loaded once is not counted
    tracemalloc.start()
    try:
        before, games = tracemalloc.get_traced_memory()[0], 20
        for _ in range(games):
            await evicted_game(live_tables, clock, LONG_CLOCK)
        gc.collect()
        taken = (tracemalloc.get_traced_memory()[0] - before) / games
    finally:
        tracemalloc.stop()
    assert len(live_tables._evicted) == games + 1
    print(f"{taken:.0f} bytes for a game that was evicted")
    assert taken < MAX_BYTES
    await live_tables.close()


async def test_game_is_not_evicted_while_a_client_of_one_of_several_servers_connects(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock, bus=FakeBus())
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    clock.now_ms += live_tables_module.EVICT_AFTER_MS + 1
    assert await live_tables.get_current(live_table.id) is live_table
    await live_tables.sweep()
    assert await live_tables.get(live_table.id) is live_table
    await live_tables.close()
