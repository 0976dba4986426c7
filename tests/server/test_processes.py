"""Many processes over one PostgreSQL and one Redis, and what they do when one of them all goes away."""

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from sevenhues.client import Client, Live, Refused
from sevenhues.core import record
from sevenhues.core.proof import prove
from tests.cli.command import complaint, sevenhues
from tests.server.conftest import shared
from tests.server.play import play_on, until
from tests.server.process import ServerProcess
from tests.server.proxy import Front
from tests.server.services import Postgres, Redis

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
TABLES = (("rainbow", ["me", "open"]), ("rainbow-road", ["open", "me"]), ("rainbow", ["me", "bot:seedling"]))
Stood = list[tuple[int, int, str]]


@pytest.fixture
def pair(request: pytest.FixtureRequest, data: Path) -> Iterator[list[ServerProcess]]:
    """Two servers that share a store, a bus and keys."""
    more = shared(request)
    keys = data / "signing.keys"
    servers = [ServerProcess(data / name, *more, "--keys", str(keys), pace=50) for name in ("one", "two")]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        if server.running:
            os.kill(server.pid, signal.SIGCONT)
        server.stop()


async def persistent(live: Live, chance: random.Random, rest: float) -> Stood:
    """Play to the end, trying again where the server could not store a move."""
    stood: Stood = []
    while live.update is None or live.update.result is None:
        try:
            stood += await play_on(live, chance, most=3, rest=rest)
        except Refused as error:
            if error.key != "store-failed":
                raise
            await asyncio.sleep(0.2)
    return stood


async def check(ada: Client, id: str, told: list[Stood]) -> None:
    """Every move that a client was told of stands where it was told it does, and there is no other of theirs."""
    found = record.read(await ada.record(id))
    assert [*record.replay(found)][-1].outcome() is not None
    assert prove(found)
    people = [seat for seat, name in enumerate(found.seats) if not name.startswith("bot:")]
    moves = [(ply + 1, move.seat, move.text) for ply, move in enumerate(found.moves)]
    stood = {move for moves in told for move in moves}
    mine = {move for move in moves if move[1] in people}
    assert stood <= mine
    # A move whose answer was lost with the store may stand without its client having been told.
    assert len(mine - stood) <= 3


async def test_two_people_meet_at_two_processes(pair: list[ServerProcess]) -> None:
    one, two = pair
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        table = await ada.lay("rainbow", ["me", "open"], public=True)
        assert table.id in [found.id for found in await ben.tables("open")]
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await until(lambda: first.table is not None and first.table.seats[1].here)
            await until(lambda: second.table is not None and second.table.seats[0].here)
            told = await asyncio.gather(play_on(first, random.Random(1)), play_on(second, random.Random(2)))
            await until(lambda: second.table is not None and second.table.proof is not None)
            assert first.proven()
            assert second.proven()
        found = record.read(await ben.record(table.id))
        assert sorted(told[0] + told[1]) == [(i + 1, m.seat, m.text) for i, m in enumerate(found.moves)]
        await ada.delete()
        await asyncio.sleep(0.5)
        assert (await ben.table(table.id)).seats[0].name == "Somebody"


async def test_kill_9_of_one_of_two_under_load(pair: list[ServerProcess]) -> None:
    chance = random.Random(12)
    async with AsyncExitStack() as stack:
        front = await stack.enter_async_context(Front([server.port for server in pair]))
        ada = await stack.enter_async_context(Client(front.url, "Ada"))
        ben = await stack.enter_async_context(Client(front.url, "Ben"))
        lives: list[tuple[str, Live]] = []
        for game, seats in TABLES:
            table = await ada.lay(game, seats, clock={"kind": "bank", "seconds": 3600})
            lives.append((table.id, await stack.enter_async_context(ada.live(table.id))))
            if "open" in seats:
                await ben.join(table.id)
                lives.append((table.id, await stack.enter_async_context(ben.live(table.id))))
        playing = asyncio.gather(*[persistent(live, random.Random(i), 0.05) for i, (_, live) in enumerate(lives)])
        kills = 0
        while not playing.done() and kills < 6:
            await asyncio.sleep(chance.uniform(0.4, 1.2))
            victim = pair[kills % 2]
            await asyncio.to_thread(victim.kill)
            await asyncio.sleep(chance.uniform(0.0, 0.5))
            await asyncio.to_thread(victim.start)
            kills += 1
        told = await asyncio.wait_for(playing, 240)
        assert kills >= 3
        for id in dict.fromkeys(id for id, _ in lives):
            await check(ada, id, [moves for (at, _), moves in zip(lives, told, strict=True) if at == id])


async def test_a_bot_and_a_clock_are_taken_up_when_their_process_dies(pair: list[ServerProcess]) -> None:
    one, two = pair
    async with Client(one.url, "Ada") as ada, Client(two.url, cookie=ada.cookie) as again:
        bots = await ada.lay("flip-and-slide", ["bot:random", "bot:random"])
        flag = await ada.lay("rainbow", ["me", "me"], clock={"kind": "bank", "seconds": 8})
        async with ada.live(flag.id) as live:
            await live.ready()
            await until(lambda: live.update is not None)
        async with ada.live(bots.id) as live:
            await until(lambda: live.update is not None and live.update.ply > 3, 20)
        await asyncio.to_thread(one.kill)
        async with again.live(bots.id) as live:
            assert live.update is not None
            ply = live.update.ply
            await until(lambda: live.update is not None and live.update.ply > ply + 3, 30)
        async with again.live(flag.id) as live:
            await until(lambda: live.table is not None and live.table.result is not None, 40)
            assert live.table is not None
            assert live.table.result is not None
            assert live.table.result.reason == "timeout"


async def test_a_process_that_was_asleep_does_no_harm(pair: list[ServerProcess]) -> None:
    one, two = pair
    async with Client(one.url, "Ada") as ada, Client(two.url, cookie=ada.cookie) as again:
        table = await ada.lay("flip-and-slide", ["bot:random", "bot:random"])
        async with ada.live(table.id) as live:
            await until(lambda: live.update is not None and live.update.ply > 3, 20)
        os.kill(one.pid, signal.SIGSTOP)
        async with again.live(table.id) as live:
            assert live.update is not None
            ply = live.update.ply
            await until(lambda: live.update is not None and live.update.ply > ply + 5, 30)
            os.kill(one.pid, signal.SIGCONT)
            await until(lambda: live.update is not None and live.update.ply > ply + 40, 60)
            assert live.update is not None
        async with Client(one.url) as zoe, zoe.live(table.id) as behind:
            await until(lambda: behind.update is not None and behind.update.ply > ply + 40, 20)
            assert behind.update is not None


async def test_postgresql_and_redis_restart_in_the_middle_of_a_game(
    pair: list[ServerProcess], postgres: Postgres, redis: Redis
) -> None:
    one, two = pair
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        table = await ada.lay("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            playing = asyncio.gather(
                persistent(first, random.Random(1), 0.1), persistent(second, random.Random(2), 0.1)
            )
            for service in (redis, postgres, redis):
                await asyncio.sleep(1)
                await asyncio.to_thread(service.stop)
                await asyncio.sleep(0.5)
                await asyncio.to_thread(service.start)
            assert not playing.done(), "all of that happened in the middle of the game"
            told = await asyncio.wait_for(playing, 120)
        await check(ada, table.id, list(told))


async def test_sqlite_tables_move_to_postgresql_and_go_on(data: Path, postgres: Postgres) -> None:
    address = postgres.database("moved")
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada 🌈") as ada:
            going = await ada.lay("rainbow", ["me", "me"])
            done = await ada.lay("rainbow", ["me", "bot:random"])
            async with ada.live(done.id) as live:
                await play_on(live, random.Random(1))
            async with ada.live(going.id) as live:
                await live.ready()
                await until(lambda: live.update is not None)
                assert live.update is not None
                await live.move("S1", live.update.turn[0])
            kept = await ada.record(done.id)
            assert "another server is using" in complaint(
                await asyncio.to_thread(sevenhues, "migrate", "--data", str(data), "--store", address), 2
            )
            server.stop()
            moved = await asyncio.to_thread(sevenhues, "migrate", "--data", str(data), "--store", address)
            assert moved.returncode == 0, moved.stderr
            assert "2 tables with" in moved.stdout
            again = await asyncio.to_thread(sevenhues, "migrate", "--data", str(data), "--store", address)
            assert "give an empty one" in complaint(again, 2)
            with ServerProcess(data, "--store", address) as grown:
                async with Client(grown.url, cookie=ada.cookie) as same:
                    assert same.me.name == "Ada 🌈"
                    assert await same.record(done.id) == kept
                    async with same.live(going.id) as live:
                        await until(lambda: live.update is not None)
                        assert live.update is not None
                        assert live.update.ply == 1
                        await live.move("E", live.update.turn[0])
                        await until(lambda: live.update is not None and live.update.ply == 2)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--store", "mysql://x"), "--store is postgresql://"),
        (("--store", "postgresql://hues@127.0.0.1:1/x"), "cannot open the database"),
        (("--bus", "redis://127.0.0.1:1"), "need a --store that they share"),
    ],
)
def test_a_store_or_bus_that_cannot_be_is_told(data: Path, given: tuple[str, ...], told: str) -> None:
    assert told in complaint(sevenhues("serve", "--port", "0", "--data", str(data), *given), 2)


async def test_a_full_disk_fails_loudly_and_loses_nothing(data: Path) -> None:
    server = ServerProcess(data, most_bytes=600_000)
    with server:
        async with Client(server.url, "Ada") as ada:
            tables = [await ada.lay("flip-and-slide", ["me", "me"]) for _ in range(2)]
            stood: dict[str, Stood] = {table.id: [] for table in tables}
            failed = False
            for table in tables:
                async with ada.live(table.id) as live:
                    try:
                        await live.ready()
                        await until(lambda live=live: live.update is not None)
                        await live.look(0, 1)
                        stood[table.id] = []
                        chance = random.Random(4)
                        await until(lambda live=live: live.update is not None and len(live.update.eyes) == 2)
                        while live.update is not None and live.update.result is None:
                            eye = live.eye(live.update.turn[0])
                            text = chance.choice(eye.legal)
                            ply = await live.move(text, eye.seat)
                            assert ply is not None
                            stood[table.id].append((ply, eye.seat, text))
                    except Refused as error:
                        failed = error.key == "store-failed"
                if failed:
                    break
            assert failed, "the disk never was full"
            await asyncio.to_thread(server.stop)
            server.most_bytes = None
            server.start()
            for table in tables:
                async with ada.live(table.id) as live:
                    history = (live.update.history or []) if live.update is not None else []
                    moves = [(i + 1, move.seat, move.text) for i, move in enumerate(history)]
                    assert moves[: len(stood[table.id])] == stood[table.id]
