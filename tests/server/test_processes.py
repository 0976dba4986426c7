"""Several server processes over one PostgreSQL and one Redis, and what they do when one of them all goes away."""

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from sevenhues import protocol
from sevenhues.client import Client, Live, Refused
from sevenhues.core import record
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.main import make_live_tables
from sevenhues.server.settings import Settings
from tests.cli.command import error_message, sevenhues
from tests.server.authenticator import Authenticator
from tests.server.kills import Rounds, check_moves
from tests.server.play import Moves, play_on, seat_to_act, select_view, start_game, wait_until
from tests.server.process import ServerProcess
from tests.server.proxy import Proxy
from tests.server.services import Postgres, Redis
from tests.server.test_passkeys import Browser
from tests.server.test_phrases import heard

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
TABLES = (("rainbow", ["me", "open"]), ("rainbow-road", ["open", "me"]), ("rainbow", ["me", "bot:seedling"]))


class Cluster(NamedTuple):
    """Two servers that share a store, a bus and signing keys."""

    postgres: Postgres
    redis: Redis
    servers: tuple[ServerProcess, ServerProcess]


@pytest.fixture(scope="module")
def started_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    data = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        postgres = stack.enter_context(Postgres())
        redis = stack.enter_context(Redis(data / "redis"))
        options = [
            "--database-url",
            postgres.database("shared"),
            "--redis-url",
            redis.address,
            "--key-file",
            str(data / "signing.keys"),
        ]
        one, two = [
            stack.enter_context(ServerProcess(data / name, *options, "--no-limits", bot_min_move_ms=50))
            for name in ("one", "two")
        ]
        yield Cluster(postgres, redis, (one, two))


@pytest.fixture
def cluster(started_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster with both servers running, whatever the test before did to them."""
    for server in started_cluster.servers:
        if not server.running:
            server.start()
    yield started_cluster
    for server in started_cluster.servers:
        if server.running:
            os.kill(server.pid, signal.SIGCONT)


async def test_phrases_reach_the_clients_of_both_processes_once(cluster: Cluster) -> None:
    one, two = cluster.servers
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben, Client(two.url) as zoe:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second, zoe.live(table.id) as watcher:
            # The processes hear each other, also if Redis was restarted just now.
            await wait_until(lambda: all(seats_are_connected(live) for live in (first, second)))
            said: tuple[protocol.Phrase, ...] = ("hello", "smile", "good-luck")
            for phrase in said:
                await first.say(phrase)
            expected = [(0, "hello"), (0, "smile"), (0, "good-luck")]
            for live in (first, second, watcher):
                assert await heard(live, "good-luck") == expected
            await second.say("thanks")
            for live in (first, second, watcher):
                assert await heard(live, "thanks") == [(1, "thanks")]


def seats_are_connected(live: Live) -> bool:
    return live.table is not None and all(seat.connected for seat in live.table.seats)


async def test_passkey_ceremonies_lead_through_two_processes(cluster: Cluster) -> None:
    one, two = cluster.servers
    async with Browser(one) as ada, Browser(two) as phone:
        key = Authenticator(ada.origin)
        # The same browser, whose requests a proxy distributes: the origin is the same at both processes.
        elsewhere = httpx.AsyncClient(base_url=two.url, headers=ada.http.headers, cookies=ada.http.cookies, timeout=60)
        registration = key.create(await ada.post("/api/me/passkeys/challenge"))
        answers = await asyncio.gather(
            *[http.post("/api/me/passkeys", json=registration) for http in (ada.http, elsewhere)]
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409]
        phone.http.headers.update(ada.http.headers)
        answer = key.sign(await phone.challenge())
        at_one = httpx.AsyncClient(base_url=one.url, headers=ada.http.headers, cookies=phone.http.cookies, timeout=60)
        answers = await asyncio.gather(
            *[http.post("/api/me/sign-in", json=answer) for http in (phone.http, at_one) for _ in range(3)]
        )
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
        code = (await elsewhere.post("/api/me/recovery-code")).json()["code"]
        answers = await asyncio.gather(
            *[http.post("/api/me/recover", json={"code": code}) for http in (elsewhere, ada.http) for _ in range(3)]
        )
        assert sorted(answer.status_code for answer in answers) == [200, *[404] * 5]
        for http in (elsewhere, at_one):
            await http.aclose()


async def test_players_at_two_processes_share_a_table(cluster: Cluster) -> None:
    one, two = cluster.servers
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"], public=True)
        assert table.id in [listed.id for listed in await ben.tables("open")]
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await wait_until(lambda: first.table is not None and first.table.seats[1].connected)
            await wait_until(lambda: second.table is not None and second.table.seats[0].connected)
            moves = await asyncio.gather(play_on(first, random.Random(1)), play_on(second, random.Random(2)))
            for live in (first, second):
                await wait_until(lambda live=live: live.table is not None and live.table.proof is not None)
                assert live.proven()
        played = record.read(await ben.record(table.id))
        assert sorted(moves[0] + moves[1]) == [(i + 1, move.seat, move.text) for i, move in enumerate(played.moves)]
        async with ben.live(table.id) as second:
            await ada.delete()
            await wait_until(lambda: second.table is not None and second.table.seats[0].name == "Somebody")


async def test_players_at_two_processes_get_one_rematch_for_each_agreement(cluster: Cluster) -> None:
    one, two = cluster.servers
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        tables = 5
        for _ in range(tables):
            table = await ada.create_table("rainbow", ["me", "open"])
            await ben.join(table.id)
            async with ada.live(table.id) as first, ben.live(table.id) as second:
                await start_game(first, second)
                await second.resign(1)
                await wait_until(lambda live=first: live.table is not None and live.table.result is not None)
                await asyncio.gather(first.rematch(), second.rematch())
                for live in (first, second):
                    await wait_until(lambda live=live: live.table is not None and live.table.next)
                assert first.table is not None
                assert second.table is not None
                assert first.table.next == second.table.next
        assert len(await ada.tables("mine")) == 2 * tables


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.long)])
async def test_killing_one_of_two_processes_loses_no_acknowledged_move(cluster: Cluster, kills: int) -> None:
    async with AsyncExitStack() as stack:
        proxy = await stack.enter_async_context(Proxy([server.port for server in cluster.servers]))
        ada = await stack.enter_async_context(Client(proxy.url, "Ada"))
        ben = await stack.enter_async_context(Client(proxy.url, "Ben"))
        players: list[tuple[str, Live]] = []
        for game, seats in TABLES:
            table = await ada.create_table(game, seats, clock={"kind": "bank", "seconds": 3600})
            players.append((table.id, await stack.enter_async_context(ada.live(table.id))))
            if "open" in seats:
                await ben.join(table.id)
                players.append((table.id, await stack.enter_async_context(ben.live(table.id))))

        async def kill(number: int) -> None:
            victim = cluster.servers[number % 2]
            await asyncio.to_thread(victim.kill)
            await asyncio.to_thread(victim.start)

        acknowledged = await Rounds([live for _, live in players], 12).play(kills, kill)
        for id in dict.fromkeys(id for id, _ in players):
            await check_moves(
                ada, id, [moves for (at, _), moves in zip(players, acknowledged, strict=True) if at == id], 3
            )


async def test_bot_and_clock_of_a_killed_process_are_taken_over(cluster: Cluster) -> None:
    one, two = cluster.servers
    async with Client(one.url, "Ada") as ada, Client(two.url, cookie=ada.cookie) as again:
        bots = await ada.create_table("flip-and-slide", ["bot:random", "bot:random"])
        flag = await ada.create_table("rainbow", ["me", "me"], clock={"kind": "bank", "seconds": 3})
        async with ada.live(bots.id) as live:
            await wait_until(lambda: live.update is not None and live.update.ply > 3)
        async with ada.live(flag.id) as live:
            await start_game(live)
        await asyncio.to_thread(one.kill)
        async with again.live(bots.id) as live:
            assert live.update is not None
            ply = live.update.ply
            await wait_until(lambda: live.update is not None and live.update.ply > ply + 3)
        async with again.live(flag.id) as live:
            await wait_until(lambda: live.table is not None and live.table.result is not None)
            assert live.table is not None
            assert live.table.result is not None
            assert live.table.result.reason == "timeout"


async def test_paused_process_does_no_harm_when_it_resumes(cluster: Cluster) -> None:
    one, two = cluster.servers
    async with Client(one.url, "Ada") as ada, Client(two.url, cookie=ada.cookie) as again:
        table = await ada.create_table("flip-and-slide", ["bot:random", "bot:random"])
        async with ada.live(table.id) as live:
            await wait_until(lambda: live.update is not None and live.update.ply > 3)
        os.kill(one.pid, signal.SIGSTOP)
        async with again.live(table.id) as live:
            assert live.update is not None
            ply = live.update.ply
            await wait_until(lambda: live.update is not None and live.update.ply > ply + 5)
            os.kill(one.pid, signal.SIGCONT)
            await wait_until(lambda: live.update is not None and live.update.ply > ply + 40)
        async with Client(one.url) as zoe, zoe.live(table.id) as resumed:
            await wait_until(lambda: resumed.update is not None and resumed.update.ply > ply + 40)


async def test_game_continues_when_postgresql_and_redis_restart(cluster: Cluster) -> None:
    one, two = cluster.servers
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:

            async def restart(number: int) -> None:
                service = (cluster.redis, cluster.postgres)[number % 2]
                await asyncio.to_thread(service.stop)
                await asyncio.to_thread(service.start)

            moves = await Rounds([first, second], 5).play(3, restart)
        await check_moves(ada, table.id, moves, 3)


async def test_sqlite_database_is_copied_to_postgresql_and_games_continue(data: Path, postgres: Postgres) -> None:
    address = postgres.database("migrated")
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada 🌈") as ada:
            unfinished = await ada.create_table("rainbow", ["me", "me"])
            finished = await ada.create_table("rainbow", ["me", "bot:random"])
            async with ada.live(finished.id) as live:
                await play_on(live, random.Random(1))
            async with ada.live(unfinished.id) as live:
                await start_game(live)
                await live.move("S1", seat_to_act(live))
            text = await ada.record(finished.id)
            assert "another server is using" in error_message(
                await asyncio.to_thread(sevenhues, "copy-to-postgres", "--data", str(data), "--database-url", address),
                2,
            )
            server.stop()
            done = await asyncio.to_thread(
                sevenhues, "copy-to-postgres", "--data", str(data), "--database-url", address
            )
            assert done.returncode == 0, done.stderr
            assert "Copied and compared 2 tables" in done.stdout
            again = await asyncio.to_thread(
                sevenhues, "copy-to-postgres", "--data", str(data), "--database-url", address
            )
            assert "give an empty one" in error_message(again, 2)
            with ServerProcess(data, "--database-url", address) as migrated:
                async with Client(migrated.url, cookie=ada.cookie) as same:
                    assert same.me.name == "Ada 🌈"
                    assert await same.record(finished.id) == text
                    async with same.live(unfinished.id) as live:
                        assert live.update is not None
                        assert live.update.ply == 1
                        seat = seat_to_act(live)
                        await select_view(live, seat)
                        await live.move(live.seat_view().legal[0], seat)
                        await wait_until(lambda: live.update is not None and live.update.ply == 2)


@pytest.mark.parametrize(
    ("database_url", "redis_url", "message"),
    [
        ("mysql://x", None, "--database-url must be postgresql://"),
        ("postgresql://hues@127.0.0.1:1/x", None, "cannot open the database"),
        (None, "redis://127.0.0.1:1", "need a --database-url that they share"),
    ],
)
def test_unusable_database_or_redis_url_is_reported(
    data: Path, database_url: str | None, redis_url: str | None, message: str
) -> None:
    with pytest.raises(SevenHuesError, match=message):
        make_live_tables(Settings(data, database_url=database_url, redis_url=redis_url))


async def play_until_refused(ada: Client, acknowledged: dict[str, Moves]) -> Refused:
    """Play games alone, one after the other, until the server refuses anything; return the refusal."""
    rng = random.Random(4)
    try:
        while True:
            table = await ada.create_table("flip-and-slide", ["me", "me"])
            acknowledged[table.id] = []
            async with ada.live(table.id) as live:
                await start_game(live)
                await live.select_views(0, 1)
                await wait_until(lambda live=live: live.update is not None and len(live.update.views) == 2)
                while live.update is not None and live.update.result is None:
                    view = live.seat_view(live.update.turn[0])
                    text = rng.choice(view.legal)
                    ply = await live.move(text, view.seat)
                    assert ply is not None
                    acknowledged[table.id].append((ply, view.seat, text))
    except Refused as error:
        return error


async def test_full_disk_is_reported_and_loses_no_acknowledged_move(data: Path) -> None:
    acknowledged: dict[str, Moves] = {}
    with ServerProcess(data, "--no-limits", max_file_bytes=600_000) as server:
        async with Client(server.url, "Ada") as ada:
            assert (await play_until_refused(ada, acknowledged)).key == "store-failed"
            await asyncio.to_thread(server.stop)
            server.max_file_bytes = None
            server.start()
            for id, moves in acknowledged.items():
                async with ada.live(id) as live:
                    history = (live.update.history or []) if live.update is not None else []
                    stored = [(i + 1, move.seat, move.text) for i, move in enumerate(history)]
                    assert stored[: len(moves)] == moves
