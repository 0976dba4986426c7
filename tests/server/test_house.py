"""What a house sees to by itself: expiry, rooms nobody is in, bots whose processes die, stores that fail."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sevenhues.client import Client, Refused
from sevenhues.server import judge
from sevenhues.server.house import DAY, UNUSED, House
from sevenhues.server.identity import Keys
from sevenhues.server.protocol import NewTable, SeatWish
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from tests.server.play import play_on, until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


class Time:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.at = 1_000_000_000_000

    def __call__(self) -> int:
        return self.at


async def open_house(data: Path, time: Time) -> House:
    settings = Settings(data, pace=0)
    house = House(settings, SqliteStore(settings.database), Keys(["aa" * 32]), now=time)
    await house.open()
    return house


PAIR = NewTable("rainbow", [SeatWish("me"), SeatWish("me")], public=True)


async def test_what_nobody_starts_expires_and_what_nobody_goes_on_with_is_abandoned(data: Path) -> None:
    time = Time()
    house = await open_house(data, time)
    waiting = (await house.lay(PAIR, "ada", "Ada")).table.id
    room = await house.lay(PAIR, "ada", "Ada")
    await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    assert room.table.status == "playing"
    time.at += 2 * DAY - 1
    await house.sweep()
    assert (await house.room(waiting)).table.status == "waiting"
    time.at += 2
    await house.sweep()
    assert await house.store.log(waiting) == []
    assert [one.id for one in await house.store.list_public("waiting", None, None, 9)] == []
    assert room.table.status == "playing"
    time.at += 29 * DAY
    await house.sweep()
    found = (await house.room(room.table.id)).table
    assert found.result is not None
    assert found.result.reason == "abandoned"
    time.at += 1000 * DAY
    await house.sweep()
    assert (await house.room(room.table.id)).table.record().result is not None, "finished games stay"
    await house.close()


async def test_a_room_nobody_is_in_is_let_go_and_found_again_as_it_was(data: Path) -> None:
    time = Time()
    house = await open_house(data, time)
    room = await house.lay(PAIR, "ada", "Ada")
    await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    seat = room.table.turn()[0]
    await room.act(lambda table, now: judge.move(table, "ada", seat, 0, "S1", "m", now))
    time.at += UNUSED + 1
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
    time = Time()
    house = await open_house(data, time)
    room = await house.lay(PAIR, "ada", "Ada")
    time.at -= 3_600_000
    await room.act(lambda table, now: judge.add(table, "ada", "x" * 20))
    times = [entry.at for entry in await house.store.log(room.table.id)]
    assert times == sorted(times)
    await house.close()


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
