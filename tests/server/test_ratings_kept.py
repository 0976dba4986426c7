"""Ratings in the store: each game counts once whatever dies, and all of it can be worked out anew."""

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from sevenhues.client import Client, Live, Refused
from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.server import events
from sevenhues.server.events import Entry
from sevenhues.server.protocol import Clock
from sevenhues.server.rating import Contest, Skill, player_of
from sevenhues.server.rerate import rerate
from sevenhues.server.store import Store, Summary, ratings
from sevenhues.server.store.postgres import SCHEMA, PostgresStore
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.store.steps import Steps
from tests.cli.command import complaint, sevenhues
from tests.server.conftest import shared
from tests.server.process import ServerProcess
from tests.server.rated import ADA, BEN, ZOE, begun, everything, resigned
from tests.server.services import Postgres

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "s.db")
    address = request.getfixturevalue("postgres").database(f"r{uuid4().hex}")
    return lambda: PostgresStore(address)


async def lay(store: Store, table: str, *persons: str) -> None:
    """Store a game between two persons in which one move was made."""
    game = registry.load("rainbow")
    position = deal(game, table.encode())
    seat = position.to_act()[0]
    log: list[events.Event] = [
        events.Created("rainbow", {}, 2, persons[0], True, Clock(), False, False, "00" * 32),
        *[events.Sat(seat, person, person) for seat, person in enumerate(persons)],
        events.Started(game.setup(position), 1),
        events.Played(seat, game.legal_texts(position, seat)[0]),
    ]
    summary = Summary("rainbow", "playing", True, tuple(sorted(persons)))
    await store.create(table, [Entry(1, event) for event in log], summary)


async def end(store: Store, table: str, at: int, loser: int, *persons: str) -> None:
    players = tuple(player_of(person) for person in persons)
    contest = Contest("rainbow", players, tuple(2 if seat == loser else 1 for seat in range(2)))
    summary = Summary("rainbow", "finished", True, tuple(sorted(persons)), True, contest)
    await store.append(table, 5, at, events.Resigned(loser), summary)


async def test_many_games_that_end_at_once_are_folded_one_after_the_other(make_store: Callable[[], Store]) -> None:
    chance = random.Random(7)
    stores = [make_store() for _ in range(2 if make_store().__class__ is PostgresStore else 1)]
    for store in stores:
        await store.open()
    pairs = [tuple(chance.sample([ADA, BEN, ZOE], 2)) for _ in range(40)]
    for number, pair in enumerate(pairs):
        await lay(stores[0], f"table-{number}", *pair)
    ends = [
        end(stores[number % len(stores)], f"table-{number}", chance.randrange(1000, 1010), chance.randrange(2), *pair)
        for number, pair in enumerate(pairs)
    ]
    await asyncio.gather(*ends)
    found = await stores[0].ask(everything())
    assert len(found["rated"]) == 40
    assert len({row[2] for row in found["rated"]}) == 40, "they have an order"
    assert sum(row[-1] for row in found["ratings"]) == 80
    # What each was at the end of one game is what they were at the beginning of the next.
    steps = sorted((row[4], row[3], row[6], row[7]) for row in found["changes"])
    last: dict[str, float] = {}
    for _, player, was, became in steps:
        assert was == last.get(player, Skill().mu)
        last[player] = became
    assert {row[1]: row[3] for row in found["ratings"]} == last
    for store in stores:
        await store.close()
    done = await rerate(make_store())
    assert (done.rated, done.finished, done.unread) == (40, 40, 0)
    await stores[0].open()
    assert await stores[0].ask(everything()) == found
    await stores[0].close()


async def test_a_game_ends_and_counts_in_one_commit_or_neither(
    make_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store()
    await store.open()
    await lay(store, "t", ADA, BEN)

    def spoilt(*_: Any) -> Steps[None]:
        yield "INSERT INTO rated (table_id, game, at) VALUES ('t', 'rainbow', 1)", ()
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(ratings, "_fold", spoilt)
        with pytest.raises(ZeroDivisionError):
            await end(store, "t", 9, 0, ADA, BEN)
    assert len(await store.log("t")) == 5
    assert (await store.ask(everything()))["rated"] == []
    await end(store, "t", 9, 0, ADA, BEN)
    assert len(await store.log("t")) == 6
    before = await store.ask(everything())
    assert [row[0] for row in before["rated"]] == ["t"]
    # Whoever counts it again counts nothing.
    await store.change(ratings.count("t", 99, Contest("rainbow", (player_of(ADA), player_of(BEN)), (1, 2))))
    assert await store.ask(everything()) == before
    await store.close()


async def test_who_is_forgotten_leaves_no_rating_and_others_keep_theirs(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    for number in range(4):
        await lay(store, f"table-{number}", ADA, BEN)
        await end(store, f"table-{number}", 10 + number, number % 2, ADA, BEN)
    await lay(store, "going", ADA, BEN)
    before = await store.ask(ratings.standings(player_of(BEN).id))
    # The clock of whoever deletes is behind: what counted before the deletion still counts as before it.
    await store.delete_identity(ADA, 5)
    assert await store.ask(ratings.standings(player_of(ADA).id)) == []
    assert await store.ask(ratings.history(player_of(ADA).id, 99, 9)) == []
    assert await store.ask(ratings.standings(player_of(BEN).id)) == before
    past = await store.ask(ratings.history(player_of(BEN).id, 99, 9))
    assert [one.table for one in past] == [f"table-{number}" for number in (3, 2, 1, 0)]
    assert {one.changes[0][2:5] + one.changes[0][6:] for one in past} == {(None,) * 5}
    # A game that ends afterwards counts for the other alone.
    await end(store, "going", 6, 0, ADA, BEN)
    assert await store.ask(ratings.standings(player_of(ADA).id)) == []
    (after,) = await store.ask(ratings.standings(player_of(BEN).id))
    assert after.games == 5
    assert after.mu > before[0].mu
    found = await store.ask(everything())
    assert ADA not in str(found)
    assert player_of(ADA).id not in str(found)
    await store.close()
    await rerate(store)
    await store.open()
    assert await store.ask(everything()) == found
    await store.close()


async def test_a_leaderboard_and_a_history_go_page_by_page(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    for number in range(12):
        await lay(store, f"table-{number}", ADA, BEN)
        await end(store, f"table-{number}", 10 + number, 1, ADA, BEN)
    await lay(store, "zoe", ZOE, BEN)
    await end(store, "zoe", 99, 1, ZOE, BEN)
    await store.name_identity(BEN, "Ben", 1)
    board = await store.ask(ratings.leaderboard("rainbow", 0, 9))
    # Zoe has won all of her one game: nobody knows yet.
    assert [one.identity for one in board] == [ADA, BEN, ZOE]
    assert [one.name for one in board] == [None, "Ben", None]
    assert [one.games for one in board] == [12, 13, 1]
    assert await store.ask(ratings.leaderboard("rainbow", 1, 1)) == board[1:2]
    assert await store.ask(ratings.leaderboard("nimble", 0, 9)) == []
    ada = player_of(ADA).id
    first = await store.ask(ratings.history(ada, 2**53, 5))
    second = await store.ask(ratings.history(ada, first[-1].at, 50))
    assert [one.at for one in first + second] == list(range(21, 9, -1))
    points = await store.ask(ratings.curve(ada, "rainbow", 5))
    assert [at for at, _ in points] == [17, 18, 19, 20, 21]
    assert points[-1][1] == board[0].mu
    assert points == sorted(points, key=lambda point: point[1]), "who only wins, rises"
    await store.close()


@pytest.mark.slow
async def test_a_postgresql_of_an_older_release_is_brought_up_to_date(postgres: Postgres) -> None:
    address = postgres.database(f"o{uuid4().hex}")
    db = await asyncpg.connect(address)
    await db.execute(SCHEMA)
    await db.execute("INSERT INTO identities (id, name, created) VALUES ($1, $2, 1)", ADA, "Ada")
    await db.close()
    stores = [PostgresStore(address) for _ in range(3)]
    await asyncio.gather(*[store.open() for store in stores])
    await lay(stores[0], "t", ADA, BEN)
    await end(stores[1], "t", 9, 1, ADA, BEN)
    (ada,) = await stores[2].ask(ratings.standings(player_of(ADA).id))
    assert (ada.name, ada.games) == ("Ada", 1)
    for store in stores:
        await store.close()


async def test_rerating_gives_what_was_there_and_what_older_games_add(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
            for pair in ((ada, ben), (ben, ada), (ada, ben)):
                await resigned(*pair)
            await resigned(ada, ben, hints=True)
            assert "another server is using" in complaint(
                await asyncio.to_thread(sevenhues, "rerate", "--data", str(data)), 2
            )
    store = SqliteStore(data / "sevenhues.db")
    await store.open()
    before = await store.ask(everything())
    assert len(before["rated"]) == 3
    # As if they had been played under a release that knew nothing of ratings.
    await store.change(_wipe())
    await store.close()
    done = await asyncio.to_thread(sevenhues, "rerate", "--data", str(data))
    assert done.stdout == "3 of 4 finished games count.\n"
    await store.open()
    assert await store.ask(everything()) == before
    await store.close()


def _wipe() -> Steps[None]:
    for name in ratings.TABLES:
        yield f"DELETE FROM {name}", ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_kill_9_while_games_end_and_each_counts_once(
    request: pytest.FixtureRequest, data: Path, kind: str
) -> None:
    chance = random.Random(11)
    more = shared(request) if kind == "postgres" else ()
    names = ["one"] if kind == "sqlite" else ["one", "two"]
    servers = [ServerProcess(data / name, *more, "--keys", str(data / "signing.keys")) for name in names]
    async with AsyncExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        ada = await stack.enter_async_context(Client(servers[0].url, "Ada"))
        ben = await stack.enter_async_context(Client(servers[-1].url, "Ben"))
        lives: list[tuple[str, Live, Live]] = []
        for _ in range(24):
            table = (await ada.lay("rainbow", ["me", "open"])).id
            await ben.join(table)
            first = await stack.enter_async_context(ada.live(table))
            second = await stack.enter_async_context(ben.live(table))
            await asyncio.gather(begun(first), begun(second))
            live = next(live for live in (first, second) if live.eye().legal)
            await live.move(live.eye().legal[0])
            lives.append((table, first, second))

        async def give_up(first: Live, second: Live) -> None:
            seat = chance.randrange(2)
            await asyncio.sleep(chance.uniform(0, 0.05))
            while True:
                try:
                    await (first, second)[seat].resign(seat)
                except Refused as error:
                    if error.key != "store-failed":
                        raise
                    await asyncio.sleep(0.1)
                else:
                    return

        for kill in range(6):
            ending = asyncio.gather(*[give_up(*pair) for _, *pair in lives[4 * kill : 4 * kill + 4]])
            await asyncio.sleep(chance.uniform(0, 0.05))
            victim = servers[kill % len(servers)]
            await asyncio.to_thread(victim.kill)
            await asyncio.to_thread(victim.start)
            async with asyncio.timeout(60):
                await ending
        for table, _, _ in lives:
            changes = (await ada.rating_changes(table)).seats
            assert len(changes) == 2
            assert None not in changes
        assert (await ada.profile(ada.me.player)).ratings[0].games == 24
    store: Store = SqliteStore(data / "one" / "sevenhues.db") if kind == "sqlite" else PostgresStore(more[1])
    await store.open()
    before = await store.ask(everything())
    assert sorted(row[0] for row in before["rated"]) == sorted(table for table, _, _ in lives)
    await store.close()
    assert (await rerate(store)).rated == 24
    await store.open()
    assert await store.ask(everything()) == before
    await store.close()
