"""Live tables: expiry, eviction, bot workers that die, stores that fail."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from sevenhues.client import Client, Refused
from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.protocol import Clock, NewTable, SeatWish
from sevenhues.server.live import bot_player
from sevenhues.server.live import connection as socket_module
from sevenhues.server.live import live_table as room_module
from sevenhues.server.live.live_table import Room
from sevenhues.server.live.live_tables import DAY, UNUSED, House, steady_clock
from sevenhues.server.settings import Settings
from sevenhues.server.store import Summary
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands, events
from sevenhues.server.table.events import Entry
from sevenhues.workers import processes
from tests.server.live_tables import FailingStore, FakeClock, open_house
from tests.server.play import DEADLINE_SECONDS, play_on, seat_to_act, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
PAIR = NewTable("rainbow", [SeatWish("me"), SeatWish("me")], public=True)


async def test_table_never_started_is_removed_and_game_not_continued_is_abandoned(data: Path) -> None:
    clock = FakeClock()
    house = await open_house(data, clock)
    waiting = (await house.lay(PAIR, "ada", "Ada")).table.id
    room = await house.lay(PAIR, "ada", "Ada")
    await room.act(lambda table, now: commands.add(table, "ada", "x" * 20))
    assert room.table.status == "playing"
    clock.now_ms += 2 * DAY - 1
    await house.sweep()
    assert (await house.room(waiting)).table.status == "waiting"
    clock.now_ms += 2
    await house.sweep()
    assert await house.store.log(waiting) == []
    assert [one.id for one in await house.store.list_public("waiting", None, None, 9)] == []
    assert room.table.status == "playing"
    clock.now_ms += 29 * DAY
    await house.sweep()
    table = (await house.room(room.table.id)).table
    assert table.result is not None
    assert table.result.reason == "abandoned"
    clock.now_ms += 1000 * DAY
    await house.sweep()
    assert (await house.room(room.table.id)).table.record().result is not None, "a finished game is kept"
    await house.close()


async def test_idle_table_is_evicted_and_reloaded(data: Path) -> None:
    clock = FakeClock()
    house = await open_house(data, clock)
    room = await house.lay(PAIR, "ada", "Ada")
    await room.act(lambda table, now: commands.add(table, "ada", "x" * 20))
    seat = room.table.turn()[0]
    await room.act(lambda table, now: commands.move(table, "ada", seat, 0, "S1", "m", now))
    clock.now_ms += UNUSED + 1
    await house.sweep()
    assert house.rooms == {}
    again = await house.room(room.table.id)
    assert again is not room
    assert again.table.moves == room.table.moves
    assert again.table.ids == room.table.ids
    assert again.table.position is not None
    assert room.table.position is not None
    assert again.table.position.key() == room.table.position.key()
    await house.close()


async def test_event_times_do_not_decrease_when_the_clock_is_set_back(data: Path) -> None:
    clock = FakeClock()
    house = await open_house(data, clock)
    room = await house.lay(PAIR, "ada", "Ada")
    clock.now_ms -= 3_600_000
    await room.act(lambda table, now: commands.add(table, "ada", "x" * 20))
    times = [entry.at for entry in await house.store.log(room.table.id)]
    assert times == sorted(times)
    await house.close()


def test_steady_clock_is_not_affected_when_the_system_clock_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {"time": 5000.0, "monotonic": 70.0}
    for name in machine:
        monkeypatch.setattr(time, name, lambda name=name: machine[name])
    now = steady_clock()
    assert now() == 5_000_000
    for step in (3600, -7200):
        machine["time"] += step
        assert now() == 5_000_000
    machine["monotonic"] += 2.5
    assert now() == 5_002_500


async def create_unreadable_tables(data: Path) -> None:
    """Store tables of a game that is not installed, one of each status."""
    store = SqliteStore(Settings(data).database)
    await store.open()
    unknown = events.Created("whist", {}, 2, "00" * 16, True, Clock(), False, False, "00" * 32)
    for status in ("waiting", "playing", "finished"):
        await store.create(f"no-{status}", [Entry(1, unknown)], Summary("whist", status, True, ()))
    await store.close()


@pytest.fixture(scope="module")
def damaged_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with tables that it cannot read, whose workers and files tests may damage further."""
    data = tmp_path_factory.mktemp("damaged-server")
    asyncio.run(create_unreadable_tables(data))
    with ServerProcess(data) as running:
        yield running


@pytest.mark.slow
async def test_unreadable_tables_are_left_out_of_lists(damaged_server: ServerProcess) -> None:
    async with Client(damaged_server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "open"], public=True)
        assert [one.id for one in await ada.tables("open")] == [table.id]
        assert await ada.tables("live") == []
        assert (await ada._http.get("/api/tables/no-playing")).status_code == 500


async def test_unreadable_table_never_started_is_removed(data: Path) -> None:
    await create_unreadable_tables(data)
    house = await open_house(data, FakeClock())
    await house.sweep()
    assert await house.store.log("no-waiting") == []
    assert len(await house.store.log("no-finished")) == 1
    await house.close()


@pytest.mark.slow
async def test_game_continues_when_the_worker_of_its_bot_is_killed(damaged_server: ServerProcess) -> None:
    async with Client(damaged_server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "bot:player"])
        async with ada.live(table.id) as live:
            playing = asyncio.create_task(play_on(live, random.Random(5)))
            for _ in range(2):
                ply = live.update.ply if live.update else 0
                await wait_until(lambda ply=ply: live.update is not None and live.update.ply > ply)
                for worker in children(damaged_server.pid):
                    os.kill(worker, signal.SIGKILL)
            await asyncio.wait_for(playing, 2 * DEADLINE_SECONDS)
            assert live.update is not None
            assert live.update.result is not None


def children(pid: int) -> list[int]:
    """Return the processes that the main thread of a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
async def test_move_that_cannot_be_stored_is_refused_and_not_shown(damaged_server: ServerProcess) -> None:
    database = damaged_server.data / "sevenhues.db"
    moved = damaged_server.data / "moved"
    async with Client(damaged_server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "me"])
        async with ada.live(table.id) as live:
            await start_game(live)
            assert live.update is not None
            seat = seat_to_act(live)
            database.rename(moved)
            with pytest.raises(Refused) as refused:
                await live.move("S1", seat)
            assert refused.value.key == "store-failed"
            assert live.update.ply == 0
            assert (await ada._http.get("/healthz")).status_code == 503
            moved.rename(database)
            assert await live.move("S1", seat) == 1
            assert (await ada._http.get("/healthz")).status_code == 200


async def table_whose_flag_cannot_be_stored(data: Path) -> tuple[House, FailingStore, Room]:
    """Start a game whose first player's time is up, in a store that fails to append that."""
    clock = FakeClock()
    house = await open_house(data, clock, FailingStore)
    store = house.store
    assert isinstance(store, FailingStore)
    store.failing = (events.TimedOut,)
    settings = NewTable("rainbow", [SeatWish("me"), SeatWish("me")], clock=Clock("move", 1))
    room = await house.lay(settings, "ada", "Ada")
    await room.act(lambda table, now: commands.add(table, "ada", "x" * 20))
    clock.now_ms += 1000
    await wait_until(lambda: store.failures > 0)
    return house, store, room


async def test_flag_that_cannot_be_stored_is_retried(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "RETRY", 0.01)
    house, store, room = await table_whose_flag_cannot_be_stored(data)
    await wait_until(lambda: store.failures > 1)
    assert room.table.result is None
    store.failing = ()
    await wait_until(lambda: room.table.result is not None)
    await house.close()


async def test_flag_is_retried_after_a_pause(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "RETRY", 3600.0)
    house, store, room = await table_whose_flag_cannot_be_stored(data)
    await wait_until(lambda: room._alarm is not None)
    assert room._alarm is not None
    assert room._alarm.when() > asyncio.get_running_loop().time() + 1800
    assert store.failures == 1
    await house.close()


async def test_start_that_cannot_be_stored_is_retried(data: Path) -> None:
    house = await open_house(data, store=FailingStore)
    store = house.store
    assert isinstance(store, FailingStore)
    room = await house.lay(PAIR, "ada", "Ada")
    store.failing = (events.Started,)
    done = await room.act(lambda table, now: commands.add(table, "ada", "x" * 20))
    assert isinstance(done, events.Added), "the command itself is stored"
    assert room.table.started is None
    store.failing = ()
    await wait_until(lambda: room.table.started is not None)
    await house.close()


async def test_table_about_to_be_entered_is_not_evicted(data: Path) -> None:
    clock = FakeClock()
    house = await open_house(data, clock)
    id = (await house.lay(PAIR, "ada", "Ada")).table.id
    clock.now_ms += UNUSED + 1
    room = await house.room(id)
    await house.sweep()
    assert await house.room(id) is room
    await house.close()


async def test_broken_pool_is_replaced_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[ProcessPoolExecutor] = []

    def create_pool(number: int) -> ProcessPoolExecutor:
        pools.append(processes(number))
        return pools[-1]

    monkeypatch.setattr(bot_player, "processes", create_pool)
    house = await open_house(data, FakeClock())
    game = registry.load("rainbow")
    position = deal(game, b"pool")
    seat = position.to_act()[0]
    choices = [asyncio.create_task(house.bots._choose(game, position, seat, "random")) for _ in range(4)]
    await wait_until(lambda: pools and pools[0]._processes)
    for worker in list(pools[0]._processes.values()):
        worker.kill()
    assert set(await asyncio.gather(*choices)) <= set(position.legal(seat))
    assert len(pools) == 2
    await house.close()


async def test_internal_error_in_a_connection_is_logged_and_closes_it(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = await open_house(data, FakeClock())
    room = await house.lay(PAIR, "ada", "Ada")
    socket = AsyncMock()
    monkeypatch.setattr(socket_module, "_answer", AsyncMock(side_effect=KeyError("oops")))
    await socket_module.converse(socket, house, room, "ada")
    assert (house.conversations, room.viewers) == (0, set())
    assert house.metrics.sockets._value.get() == 0
    assert "a mistake of ours" in caplog.text
    await house.close()


async def test_example_bot_joins_by_a_link(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "open"])
        link = f"{server.url}/t/{table.id}"
        bot = await asyncio.create_subprocess_exec(
            sys.executable, str(ROOT / "examples" / "table_bot.py"), link, stdout=subprocess.PIPE
        )
        async with ada.live(table.id) as live:
            await asyncio.wait_for(play_on(live, random.Random(1)), 2 * DEADLINE_SECONDS)
        output, _ = await bot.communicate()
        assert bot.returncode == 0
        assert b"Result(reason=" in output
