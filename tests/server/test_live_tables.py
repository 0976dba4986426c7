"""What a house sees to by itself: expiry, rooms nobody is in, bots whose processes die, stores that fail."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from sevenhues.client import Client, Refused
from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.server import botseat, events, judge
from sevenhues.server import socket as conversation
from sevenhues.server.events import Entry, Event
from sevenhues.server.house import DAY, UNUSED, House, steady_clock
from sevenhues.server.identity import Keys
from sevenhues.server.protocol import Clock, NewTable, SeatWish
from sevenhues.server.settings import Settings
from sevenhues.server.store import StoreFailed, Summary
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.workers import processes
from tests.server.play import play_on, until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


class FullStore(SqliteStore):
    """A store whose disk is full for events of some kinds, as long as the test says so."""

    full: tuple[type, ...] = ()
    tried = 0

    async def append(self, table: str, number: int, at: int, event: Event, summary: Summary | None) -> None:
        if isinstance(event, self.full):
            self.tried += 1
            raise StoreFailed("the disk is full")
        await super().append(table, number, at, event, summary)


class Time:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.at = 1_000_000_000_000

    def __call__(self) -> int:
        return self.at


async def open_house(data: Path, clock: Time) -> House:
    settings = Settings(data, pace=0)
    house = House(settings, SqliteStore(settings.database), Keys(["aa" * 32]), now=clock)
    await house.open()
    return house


PAIR = NewTable("rainbow", [SeatWish("me"), SeatWish("me")], public=True)


async def test_what_nobody_starts_expires_and_what_nobody_goes_on_with_is_abandoned(data: Path) -> None:
    clock = Time()
    house = await open_house(data, clock)
    waiting = (await house.lay(PAIR, "ada", "Ada")).table.id
    room = await house.lay(PAIR, "ada", "Ada")
    await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    assert room.table.status == "playing"
    clock.at += 2 * DAY - 1
    await house.sweep()
    assert (await house.room(waiting)).table.status == "waiting"
    clock.at += 2
    await house.sweep()
    assert await house.store.log(waiting) == []
    assert [one.id for one in await house.store.list_public("waiting", None, None, 9)] == []
    assert room.table.status == "playing"
    clock.at += 29 * DAY
    await house.sweep()
    found = (await house.room(room.table.id)).table
    assert found.result is not None
    assert found.result.reason == "abandoned"
    clock.at += 1000 * DAY
    await house.sweep()
    assert (await house.room(room.table.id)).table.record().result is not None, "finished games stay"
    await house.close()


async def test_a_room_nobody_is_in_is_let_go_and_found_again_as_it_was(data: Path) -> None:
    clock = Time()
    house = await open_house(data, clock)
    room = await house.lay(PAIR, "ada", "Ada")
    await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    seat = room.table.turn()[0]
    await room.act(lambda table, now: judge.move(table, "ada", seat, 0, "S1", "m", now))
    clock.at += UNUSED + 1
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


async def test_times_never_go_back_though_the_clock_does(data: Path) -> None:
    clock = Time()
    house = await open_house(data, clock)
    room = await house.lay(PAIR, "ada", "Ada")
    clock.at -= 3_600_000
    await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    times = [entry.at for entry in await house.store.log(room.table.id)]
    assert times == sorted(times)
    await house.close()


def test_the_servers_time_goes_on_steadily_when_the_machines_clock_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    now = steady_clock()
    before = now()
    for step in (3600, -3600):
        true = time.time()
        monkeypatch.setattr(time, "time", lambda true=true, step=step: true + step)
        assert 0 <= now() - before < 1000
        monkeypatch.undo()


async def test_a_game_goes_on_when_the_process_its_bot_thinks_in_dies(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            table = await ada.lay("rainbow", ["me", "bot:player"])
            async with ada.live(table.id) as live:
                playing = asyncio.create_task(play_on(live, random.Random(5)))
                for _ in range(3):
                    ply = live.update.ply if live.update else 0
                    await until(lambda ply=ply: live.update is not None and live.update.ply > ply, 20)
                    for worker in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split():
                        os.kill(int(worker), signal.SIGKILL)
                await asyncio.wait_for(playing, 60)
                assert live.update is not None
                assert live.update.result is not None


async def test_when_nothing_can_be_stored_moves_fail_loudly_and_nothing_is_told(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            table = await ada.lay("rainbow", ["me", "me"])
            async with ada.live(table.id) as live:
                await live.ready()
                await until(lambda: live.update is not None)
                assert live.update is not None
                seat = live.update.turn[0]
                database = data / "sevenhues.db"
                database.rename(data / "elsewhere")
                with pytest.raises(Refused) as refused:
                    await live.move("S1", seat)
                assert refused.value.key == "store-failed"
                assert live.update.ply == 0
                assert (await ada._http.get("/healthz")).status_code == 503
                (data / "elsewhere").rename(database)
                assert await live.move("S1", seat) == 1
                assert (await ada._http.get("/healthz")).status_code == 200


async def test_a_flag_that_cannot_be_stored_is_tried_again_in_a_while(data: Path) -> None:
    settings = Settings(data, pace=0)
    store = FullStore(settings.database)
    house = House(settings, store, Keys(["aa" * 32]))
    await house.open()
    clocked = NewTable("rainbow", [SeatWish("me"), SeatWish("me")], clock=Clock("move", 1))
    room = await house.lay(clocked, "ada", "Ada")
    await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    store.full = (events.TimedOut,)
    await until(lambda: store.tried > 0, 5)
    await asyncio.sleep(0.5)
    assert store.tried == 1, "not again and again without a pause"
    assert room.table.result is None
    store.full = ()
    await until(lambda: room.table.result is not None, 5)
    await house.close()


async def test_a_start_that_cannot_be_stored_comes_later_by_itself(data: Path) -> None:
    settings = Settings(data, pace=0)
    store = FullStore(settings.database)
    house = House(settings, store, Keys(["aa" * 32]))
    await house.open()
    room = await house.lay(PAIR, "ada", "Ada")
    store.full = (events.Started,)
    done = await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    assert isinstance(done, events.Added), "what was wished is done"
    assert room.table.started is None
    store.full = ()
    await until(lambda: room.table.started is not None, 5)
    await house.close()


async def test_a_table_that_cannot_be_read_keeps_nobody_from_the_others(data: Path) -> None:
    settings = Settings(data, pace=0)
    store = SqliteStore(settings.database)
    await store.open()
    unknown = events.Created("whist", {}, 2, "00" * 16, True, Clock(), False, False, "00" * 32)
    for status in ("waiting", "playing", "finished"):
        await store.create(f"no-{status}", [Entry(1, unknown)], Summary("whist", status, True, ()))
    await store.close()
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            table = await ada.lay("rainbow", ["me", "open"], public=True)
            assert [one.id for one in await ada.tables("open")] == [table.id]
            assert await ada.tables("live") == []
            assert (await ada._http.get("/api/tables/no-playing")).status_code == 500
    house = await open_house(data, Time())
    await house.sweep()
    assert await house.store.log("no-waiting") == []
    await house.close()


async def test_a_room_somebody_is_about_to_enter_is_not_let_go(data: Path) -> None:
    clock = Time()
    house = await open_house(data, clock)
    id = (await house.lay(PAIR, "ada", "Ada")).table.id
    clock.at += UNUSED + 1
    room = await house.room(id)
    await house.sweep()
    assert await house.room(id) is room
    await house.close()


async def test_one_new_pool_takes_the_place_of_a_broken_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[ProcessPoolExecutor] = []

    def counted(number: int) -> ProcessPoolExecutor:
        made.append(processes(number))
        return made[-1]

    monkeypatch.setattr(botseat, "processes", counted)
    house = await open_house(data, Time())
    game = registry.load("rainbow")
    position = deal(game, b"pool")
    seat = position.to_act()[0]
    chosen = [asyncio.create_task(house.bots._choose(game, position, seat, "random")) for _ in range(4)]
    await until(lambda: made and made[0]._processes)
    for worker in list(made[0]._processes.values()):
        worker.kill()
    assert set(await asyncio.gather(*chosen)) <= set(position.legal(seat))
    assert len(made) == 2
    await house.close()


async def test_a_mistake_in_a_conversation_is_logged_and_ends_it_whole(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = await open_house(data, Time())
    room = await house.lay(PAIR, "ada", "Ada")
    socket = AsyncMock()
    monkeypatch.setattr(conversation, "_answer", AsyncMock(side_effect=KeyError("oops")))
    await conversation.converse(socket, house, room, "ada")
    assert (house.conversations, room.viewers) == (0, set())
    assert house.metrics.sockets._value.get() == 0
    assert "a mistake of ours" in caplog.text
    await house.close()


async def test_the_example_bot_sits_down_by_a_link(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "open"])
        link = f"{server.url}/t/{table.id}"
        bot = await asyncio.create_subprocess_exec(
            sys.executable, str(ROOT / "examples" / "table_bot.py"), link, stdout=subprocess.PIPE
        )
        async with ada.live(table.id) as live:
            await asyncio.wait_for(play_on(live, random.Random(1)), 60)
        told, _ = await bot.communicate()
        assert bot.returncode == 0
        assert b"Result(reason=" in told
