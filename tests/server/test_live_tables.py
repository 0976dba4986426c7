"""Live tables: expiry, eviction, bot workers that die, stores that fail."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from sevenhues.client import Client, Refused
from sevenhues.core.moves import parse
from sevenhues.core.play import deal, play_text
from sevenhues.server.live import client_messages, search_pool
from sevenhues.server.live import connection as connection_module
from sevenhues.server.live import live_table as live_table_module
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.live_tables import DAY_MS, EVICT_AFTER_MS, LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store import Summary
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands, events, state
from sevenhues.server.table.events import ClockSettings, Entry
from sevenhues.workers import worker_pool
from tests.server.live_tables import PAIR, RAINBOW, FailingStore, FakeClock, open_live_tables
from tests.server.play import DEADLINE_SECONDS, play_on, seat_to_act, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


async def test_table_never_started_is_removed_and_game_not_continued_is_abandoned(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    waiting = (await live_tables.create(RAINBOW, PAIR, "ada", "Ada")).table.id
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    assert live_table.table.status == "playing"
    clock.now_ms += 2 * DAY_MS - 1
    await live_tables.sweep()
    assert (await live_tables.get(waiting)).table.status == "waiting"
    clock.now_ms += 2
    await live_tables.sweep()
    assert await live_tables.store.log(waiting) == []
    assert [one.id for one in await live_tables.store.list_public("waiting", None, None, 9)] == []
    assert live_table.table.status == "playing"
    clock.now_ms += 29 * DAY_MS
    await live_tables.sweep()
    table = (await live_tables.get(live_table.table.id)).table
    assert table.result is not None
    assert table.result.reason == "abandoned"
    clock.now_ms += 1000 * DAY_MS
    await live_tables.sweep()
    assert (await live_tables.get(live_table.table.id)).table.record().result is not None, "a finished game is kept"
    await live_tables.close()


async def test_idle_table_is_evicted_and_reloaded(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    seat = live_table.table.to_act()[0]
    await live_table.act(lambda table, now_ms: commands.move(table, "ada", seat, 0, "S1", "m", now_ms))
    clock.now_ms += EVICT_AFTER_MS + 1
    await live_tables.sweep()
    assert live_tables.tables == {}
    again = await live_tables.get(live_table.table.id)
    assert again is not live_table
    assert again.table.moves == live_table.table.moves
    assert again.table.request_plies == live_table.table.request_plies
    assert again.table.position is not None
    assert live_table.table.position is not None
    assert again.table.position.key() == live_table.table.position.key()
    await live_tables.close()


async def test_move_is_parsed_once_and_played_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_tables = await open_live_tables(data, FakeClock())
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    live_table.enter(Viewer("ada"))
    calls: list[str] = []
    monkeypatch.setattr(commands, "parse", counted(calls, "parse", parse))
    monkeypatch.setattr(state, "play_text", counted(calls, "parse and play", play_text))
    seat = live_table.table.to_act()[0]
    decision = await live_table.act(lambda table, now_ms: commands.move(table, "ada", seat, 0, "S1", "m", now_ms))
    assert calls == ["parse"]
    assert decision is not None
    assert live_table.table.position is decision.position, "the position of the decision is not played again"
    assert live_table.table.ply == 1
    monkeypatch.undo()
    restored = state.restore(live_table.table.id, await live_tables.store.log(live_table.table.id))
    assert restored.position is not None
    assert live_table.table.position is not None
    assert restored.position.key() == live_table.table.position.key()
    await live_tables.close()


def counted(calls: list[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that notes its name before it calls another one."""

    def call(*arguments: Any) -> Any:
        calls.append(name)
        return function(*arguments)

    return call


async def test_event_times_do_not_decrease_when_the_clock_is_set_back(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    clock.now_ms -= 3_600_000
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    times = [entry.at_ms for entry in await live_tables.store.log(live_table.table.id)]
    assert times == sorted(times)
    await live_tables.close()


async def create_unreadable_tables(data: Path) -> None:
    """Store tables of a game that is not installed, one of each status."""
    store = SqliteStore(Settings(data).database)
    await store.open()
    unknown = events.Created("whist", {}, 2, "00" * 16, True, ClockSettings(), False, False, "00" * 32)
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
        table = await ada.create_table("rainbow", ["me", "open"], public=True)
        assert [one.id for one in await ada.tables("open")] == [table.id]
        assert await ada.tables("live") == []
        assert (await ada._http.get("/api/tables/no-playing")).status_code == 500


async def test_unreadable_table_never_started_is_removed(data: Path) -> None:
    await create_unreadable_tables(data)
    live_tables = await open_live_tables(data, FakeClock())
    await live_tables.sweep()
    assert await live_tables.store.log("no-waiting") == []
    assert len(await live_tables.store.log("no-finished")) == 1
    await live_tables.close()


@pytest.mark.slow
async def test_game_continues_when_the_worker_of_its_bot_is_killed(damaged_server: ServerProcess) -> None:
    async with Client(damaged_server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:player"])
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
        table = await ada.create_table("rainbow", ["me", "me"])
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


async def table_whose_timeout_cannot_be_stored(data: Path) -> tuple[LiveTables, FailingStore, LiveTable]:
    """Start a game whose first player's time is up, in a store that fails to append that."""
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock, FailingStore)
    store = live_tables.store
    assert isinstance(store, FailingStore)
    store.failing = (events.TimedOut,)
    spec = PAIR._replace(clock=ClockSettings("move", 1))
    live_table = await live_tables.create(RAINBOW, spec, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    clock.now_ms += 1000
    await wait_until(lambda: store.failures > 0)
    return live_tables, store, live_table


async def test_timeout_that_cannot_be_stored_is_retried(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table_module, "RETRY_SECONDS", 0.01)
    live_tables, store, live_table = await table_whose_timeout_cannot_be_stored(data)
    await wait_until(lambda: store.failures > 1)
    assert live_table.table.result is None
    store.failing = ()
    await wait_until(lambda: live_table.table.result is not None)
    await live_tables.close()


async def test_timeout_is_retried_after_a_pause(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table_module, "RETRY_SECONDS", 3600.0)
    live_tables, store, live_table = await table_whose_timeout_cannot_be_stored(data)
    await wait_until(lambda: live_table._alarm is not None)
    assert live_table._alarm is not None
    assert live_table._alarm.when() > asyncio.get_running_loop().time() + 1800
    assert store.failures == 1
    await live_tables.close()


async def test_start_that_cannot_be_stored_is_retried(data: Path) -> None:
    live_tables = await open_live_tables(data, store=FailingStore)
    store = live_tables.store
    assert isinstance(store, FailingStore)
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    store.failing = (events.Started,)
    decision = await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    assert decision is not None
    assert isinstance(decision.event, events.EntropyAdded), "the command itself is stored"
    assert live_table.table.started_at is None
    store.failing = ()
    await wait_until(lambda: live_table.table.started_at is not None)
    await live_tables.close()


async def test_table_about_to_be_entered_is_not_evicted(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    id = (await live_tables.create(RAINBOW, PAIR, "ada", "Ada")).table.id
    clock.now_ms += EVICT_AFTER_MS + 1
    live_table = await live_tables.get(id)
    await live_tables.sweep()
    assert await live_tables.get(id) is live_table
    await live_tables.close()


async def test_broken_pool_is_replaced_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[ProcessPoolExecutor] = []

    def create_pool(number: int, *prepare: Any) -> ProcessPoolExecutor:
        pools.append(worker_pool(number, *prepare))
        return pools[-1]

    monkeypatch.setattr(search_pool, "worker_pool", create_pool)
    live_tables = await open_live_tables(data, FakeClock())
    table = (await live_tables.create(RAINBOW, PAIR, "ada", "Ada")).table
    position = deal(RAINBOW, b"pool")
    seat = position.to_act()[0]
    choices = [asyncio.create_task(live_tables.bots._choose(table, position, seat, "random")) for _ in range(4)]
    await wait_until(lambda: pools and pools[0]._processes)
    for worker in list(pools[0]._processes.values()):
        worker.kill()
    assert {choice.move for choice in await asyncio.gather(*choices)} <= set(position.legal(seat))
    assert len(pools) == 2
    await live_tables.close()


async def test_command_in_progress_completes_when_its_connection_is_dropped(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_tables = await open_live_tables(data, FakeClock())
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    append, released = live_tables.store.append, asyncio.Event()

    async def append_later(*arguments: Any) -> None:
        await released.wait()
        await append(*arguments)

    monkeypatch.setattr(live_tables.store, "append", append_later)
    move = {"type": "move", "id": "m", "seat": live_table.table.to_act()[0], "ply": 0, "text": "S1"}
    socket = AsyncMock(scope={}, receive_data=AsyncMock(side_effect=[json.dumps(move)]))
    serving = asyncio.create_task(connection_module.serve(socket, live_tables.services, live_table, Viewer("ada")))
    await wait_until(lambda: live_table._lock.locked())
    (viewer,) = live_table.viewers
    viewer.drop("stopping")
    await wait_until(lambda: not live_table.viewers)
    assert not serving.done()
    released.set()
    await serving
    assert live_table.table.ply == 1
    await live_tables.close()


async def test_internal_error_in_a_connection_is_logged_and_closes_it(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    live_tables = await open_live_tables(data, FakeClock())
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    socket = AsyncMock(scope={})
    monkeypatch.setattr(client_messages, "answer", AsyncMock(side_effect=KeyError("oops")))
    await connection_module.serve(socket, live_tables.services, live_table, Viewer("ada"))
    assert (live_tables.services.open_connections, live_table.viewers) == (0, set())
    assert "internal error in a connection" in caplog.text
    await live_tables.close()


async def test_example_bot_joins_by_a_link(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        link = f"{server.url}/t/{table.id}"
        bot = await asyncio.create_subprocess_exec(
            sys.executable, str(ROOT / "examples" / "table_bot.py"), link, stdout=subprocess.PIPE
        )
        async with ada.live(table.id) as live:
            await asyncio.wait_for(play_on(live, random.Random(1)), 2 * DEADLINE_SECONDS)
        output, _ = await bot.communicate()
        assert bot.returncode == 0
        assert b"Result(reason=" in output


async def test_lease_of_a_game_is_given_up_when_it_ends(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_tables = await open_live_tables(data, FakeClock())
    released: list[str] = []
    monkeypatch.setattr(live_tables._lease, "release", released.append)
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    assert released == []
    await live_table.act(lambda table, now_ms: commands.resign(table, "ada", 0))
    assert released == [live_table.id]
    await live_tables.close()
