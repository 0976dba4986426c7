"""Ratings in the store: each game is rated once whatever is killed, and ratings can be rebuilt."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from sevenhues.client import Client, Live, Refused
from sevenhues.core import registry
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import deal, play_text
from sevenhues.server.jobs.rating_rebuild import rebuild_ratings
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings import contests, queries, rating_model
from sevenhues.server.ratings.contests import Contest, Player, bot, player_of
from sevenhues.server.ratings.queries import PlayerRating
from sevenhues.server.ratings.rating_model import DAY_MS, Skill
from sevenhues.server.store import Store, Summary
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import events
from sevenhues.server.table.events import ClockSettings, Entry
from tests.cli.command import error_message, sevenhues
from tests.server.play import DEADLINE_SECONDS, play_and_resign, play_one_turn_each, start_game
from tests.server.process import ServerProcess
from tests.server.rated_games import ADA, BEN, ZOE, all_rating_rows

pytestmark = pytest.mark.anyio
GAMES_PER_KILL = 4


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "s.db")
    address = request.getfixturevalue("postgres").database(f"r{uuid4().hex}")
    return lambda: PostgresStore(address)


async def create_table(store: Store, table: str, *user_ids: str) -> None:
    """Store a game of two users that began long before time 0, and in which nobody gives up soon any more."""
    game = registry.load("rainbow")
    position = deal(game, table.encode())
    setup, moves = game.setup(position), list[events.MovePlayed]()
    while min(Counter(move.seat for move in moves)[seat] for seat in range(2)) < contests.QUICK_MOVES:
        (seat,) = position.to_act()
        text = legal_texts(game, position, seat)[-1]
        play_text(game, position, seat, text)
        moves.append(events.MovePlayed(seat, text))
    log: list[events.Event] = [
        events.Created("rainbow", {}, 2, user_ids[0], True, ClockSettings(), False, False, "00" * 32),
        *[events.SeatTaken(seat, user_id, user_id) for seat, user_id in enumerate(user_ids)],
        events.Started(setup, -DAY_MS),
        *moves,
    ]
    summary = Summary("rainbow", "playing", True, tuple(sorted(user_ids)))
    await store.create(table, [Entry(1, event) for event in log], summary)


async def end_game(store: Store, table: str, at: int, loser: int, *user_ids: str) -> None:
    players = tuple(player_of(user_id) for user_id in user_ids)
    contest = Contest("rainbow", players, tuple(2 if seat == loser else 1 for seat in range(2)))
    summary = Summary("rainbow", "finished", True, tuple(sorted(user_ids)), True, contest)
    await store.append(table, len(await store.log(table)), at, events.Resigned(loser), summary)


async def test_games_that_end_at_once_are_rated_one_after_the_other(make_store: Callable[[], Store]) -> None:
    rng = random.Random(7)
    stores = [make_store() for _ in range(2 if make_store().__class__ is PostgresStore else 1)]
    for store in stores:
        await store.open()
    pairs = [tuple(rng.sample([ADA, BEN, ZOE], 2)) for _ in range(40)]
    for number, pair in enumerate(pairs):
        await create_table(stores[0], f"table-{number}", *pair)
    ends = [
        end_game(stores[number % len(stores)], f"table-{number}", rng.randrange(1000, 1010), rng.randrange(2), *pair)
        for number, pair in enumerate(pairs)
    ]
    await asyncio.gather(*ends)
    rows = await stores[0].read(all_rating_rows())
    assert len(rows["rated_games"]) == 40
    assert len({row[2] for row in rows["rated_games"]}) == 40, "the games are in an order"
    assert sum(row[5] for row in rows["ratings"]) == 80
    # A rating after one game is the rating before the next.
    steps = sorted((row[4], row[3], row[6], row[7]) for row in rows["rating_changes"])
    last: dict[str, float] = {}
    for _, player, before, after in steps:
        assert before == last.get(player, Skill().mu)
        last[player] = after
    assert {row[1]: row[3] for row in rows["ratings"]} == last
    for store in stores:
        await store.close()
    done = await rebuild_ratings(make_store())
    assert (done.rated, done.finished, done.unreadable) == (40, 40, 0)
    await stores[0].open()
    assert await stores[0].read(all_rating_rows()) == rows
    await stores[0].close()


class Game(NamedTuple):
    """A game of Rainbow at a time, with its winner and its loser."""

    at: int
    winner: Player
    loser: Player
    left_early: Player | None = None


async def rate(store: Store, *games: Game) -> list[list[float]]:
    """Rate games; return the changes of winner and loser for each, empty for a game without an effect."""

    def rate_all() -> QuerySteps[list[list[float]]]:
        changes = []
        for game in games:
            table = f"game-{game.at}"
            played = Contest("rainbow", (game.winner, game.loser), (1, 2), game.left_early)
            yield from queries.rate_game(table, game.at, played)
            seats = yield from queries.seat_changes(table)
            changes.append([(seat.rating_after or 0.0) - (seat.rating_before or 0.0) for seat in seats])
        return changes

    return await store.change_ratings(rate_all())


async def rating_of(store: Store, player: Player) -> PlayerRating:
    (rating,) = await store.read(queries.player_ratings(player.id))
    return rating


async def test_two_users_gain_little_from_many_games_within_a_day(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    ada, ben = player_of(ADA), player_of(BEN)
    gains = [won for won, _ in await rate(store, *[Game(10 + number, ada, ben) for number in range(60)])]
    assert gains == sorted(gains, reverse=True)
    assert sum(gains) < 2 * gains[0], "sixty games bring less than two"
    rating = await rating_of(store, ada)
    points = rating_model.rating_points(rating.mu)
    print(f"60 games won in a day against one new user: from 1500 to {points} points, without a rank")
    assert points < 1550
    assert (rating.games, rating.opponents) == (60, 1)
    assert rating.sigma == Skill().sigma, "games against a new user make no rating more certain"
    assert rating.provisional
    ((next_day, _),) = await rate(store, Game(100 + DAY_MS, ada, ben))
    assert next_day > gains[1]
    await store.close()


async def test_any_number_of_new_users_brings_no_rank_within_a_day(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    ada = player_of(ADA)
    await rate(store, *[Game(10 + number, ada, player_of(f"{number:032}")) for number in range(100)])
    rating = await rating_of(store, ada)
    assert (rating.games, rating.opponents) == (100, 100)
    assert rating.provisional
    # A game against a bot counts in full for a new user, and a quarter for the bot.
    ((won, lost),) = await rate(store, Game(1000, player_of(ZOE), bot("master")))
    assert won == pytest.approx(-4 * lost)
    await store.close()


async def test_rank_needs_three_different_opponents(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    ada, weak = player_of(ADA), bot("random")
    for day in range(10):
        await rate(store, Game(2 * day * DAY_MS + 1, ada, weak), Game((2 * day + 1) * DAY_MS + 1, weak, ada))
    rating = await rating_of(store, ada)
    assert rating.sigma < rating_model.MAX_SIGMA
    assert rating.provisional
    await rate(store, Game(50 * DAY_MS, ada, bot("player")), Game(51 * DAY_MS, ada, bot("master")))
    rating = await rating_of(store, ada)
    assert rating.opponents == rating_model.MIN_OPPONENTS
    assert not rating.provisional
    assert (await store.read(queries.leaderboard("rainbow", 0, 9)))[0] == rating
    await store.close()


async def test_player_is_excused_from_leaving_early_once_a_day(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    ada, ben = player_of(ADA), player_of(BEN)
    first, second, other, next_day = await rate(
        store,
        Game(10, ada, ben, left_early=ben),
        Game(20, ada, ben, left_early=ben),
        Game(30, ben, ada, left_early=ada),
        Game(10 + DAY_MS, ada, ben, left_early=ben),
    )
    assert first == []
    assert second[0] > 0 > second[1]
    assert other == [], "every player is excused once"
    assert next_day == []
    assert (await rating_of(store, ben)).games == 1
    await store.delete_user(BEN, 99)
    assert ben.id not in str(await store.read(all_rating_rows()))
    await store.close()


async def test_game_ends_and_is_rated_in_one_commit(
    make_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store()
    await store.open()
    await create_table(store, "t", ADA, BEN)
    events_before = len(await store.log("t"))

    def failing_step(*_: Any) -> QuerySteps[None]:
        yield "INSERT INTO rated_games (table_id, game, at) VALUES ('t', 'rainbow', 1)", ()
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(queries, "_apply", failing_step)
        with pytest.raises(ZeroDivisionError):
            await end_game(store, "t", 9, 0, ADA, BEN)
    assert len(await store.log("t")) == events_before
    assert (await store.read(all_rating_rows()))["rated_games"] == []
    await end_game(store, "t", 9, 0, ADA, BEN)
    assert len(await store.log("t")) == events_before + 1
    before = await store.read(all_rating_rows())
    assert [row[0] for row in before["rated_games"]] == ["t"]
    # Rating it once more changes nothing.
    await store.change_ratings(queries.rate_game("t", 99, Contest("rainbow", (player_of(ADA), player_of(BEN)), (1, 2))))
    assert await store.read(all_rating_rows()) == before
    await store.close()


async def test_deleted_user_has_no_rating_and_others_keep_theirs(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    for number in range(4):
        await create_table(store, f"table-{number}", ADA, BEN)
        await end_game(store, f"table-{number}", 10 + number, number % 2, ADA, BEN)
    await create_table(store, "unfinished", ADA, BEN)
    before = await store.read(queries.player_ratings(player_of(BEN).id))
    # The clock of the deleting process is behind: games rated before the deletion still count as before it.
    await store.delete_user(ADA, 5)
    assert await store.read(queries.player_ratings(player_of(ADA).id)) == []
    assert await store.read(queries.rated_games(player_of(ADA).id, 99, 9)) == []
    assert await store.read(queries.player_ratings(player_of(BEN).id)) == before
    history = await store.read(queries.rated_games(player_of(BEN).id, 99, 9))
    assert [one.table_id for one in history] == [f"table-{number}" for number in (3, 2, 1, 0)]
    assert {one.changes[0][2:5] + one.changes[0][6:8] for one in history} == {(None,) * 5}
    # A game that ends afterwards counts for the other player, without an effect: nobody else has a rating.
    await end_game(store, "unfinished", 6, 0, ADA, BEN)
    assert await store.read(queries.player_ratings(player_of(ADA).id)) == []
    (after,) = await store.read(queries.player_ratings(player_of(BEN).id))
    assert after == before[0]._replace(games=5)
    rows = await store.read(all_rating_rows())
    assert ADA not in str(rows)
    assert player_of(ADA).id not in str(rows)
    await store.close()
    await rebuild_ratings(store)
    await store.open()
    assert await store.read(all_rating_rows()) == rows
    await store.close()


async def test_leaderboard_and_history_are_paged(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    ada, ben = player_of(ADA), player_of(BEN)
    bots = cycle([bot("random"), bot("player"), bot("master")])
    for number in range(20):
        await create_table(store, f"game-{number * DAY_MS + 1}", ADA, BEN)
    await rate(store, *[Game(number * DAY_MS + 1, ada, next(bots)) for number in range(20)])
    for day in range(20, 40, 2):
        await rate(store, Game(day * DAY_MS, next(bots), ben), Game((day + 1) * DAY_MS, ben, next(bots)))
    await rate(store, Game(99 * DAY_MS, player_of(ZOE), ben))
    await store.rename_user(BEN, "Ben", 1)
    board = [one for one in await store.read(queries.leaderboard("rainbow", 0, 9)) if one.user_id is not None]
    # Zoe has won her only game: her rating is uncertain.
    assert [one.user_id for one in board] == [ADA, BEN, ZOE]
    assert [one.name for one in board] == [None, "Ben", None]
    assert [one.provisional for one in board] == [False, False, True]
    assert [one.games for one in board] == [20, 21, 1]
    assert await store.read(queries.leaderboard("rainbow", 0, 1)) == board[:1]
    assert await store.read(queries.leaderboard("nimble", 0, 9)) == []
    first = await store.read(queries.rated_games(ada.id, 2**53, 5))
    second = await store.read(queries.rated_games(ada.id, first[-1].at, 50))
    assert [one.at for one in first + second] == [day * DAY_MS + 1 for day in range(19, -1, -1)]
    points = await store.read(queries.rating_curve(ada.id, "rainbow", 5))
    assert [at for at, _ in points] == [day * DAY_MS + 1 for day in range(15, 20)]
    assert points[-1][1] == board[0].mu
    assert points == sorted(points, key=lambda point: point[1]), "every win raises the rating"
    await store.close()


@pytest.mark.slow
async def test_rebuilding_ratings_reproduces_them_and_adds_older_games(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
            for pair in ((ada, ben), (ben, ada), (ada, ben)):
                await play_and_resign(*pair)
            await play_and_resign(ada, ben, hints=True)
            assert "another server is using" in error_message(
                await asyncio.to_thread(sevenhues, "rebuild-ratings", "--data", str(data)), 2
            )
    store = SqliteStore(data / "sevenhues.db")
    await store.open()
    before = await store.read(all_rating_rows())
    assert len(before["rated_games"]) == 3
    # As if they had been played under a release without ratings.
    await store.change_ratings(_delete_ratings())
    await store.close()
    done = await asyncio.to_thread(sevenhues, "rebuild-ratings", "--data", str(data))
    assert done.stdout == "Rated 3 of 4 finished games.\n"
    await store.open()
    assert await store.read(all_rating_rows()) == before
    await store.close()


def _delete_ratings() -> QuerySteps[None]:
    for name in queries.TABLES:
        yield f"DELETE FROM {name}", ()


@pytest.mark.slow
@pytest.mark.parametrize("kills", [2, pytest.param(8, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
async def test_server_killed_while_games_end_rates_each_game_once(
    request: pytest.FixtureRequest, data: Path, kind: str, kills: int
) -> None:
    rng = random.Random(11)
    shared: tuple[str, ...] = request.getfixturevalue("new_shared_store")() if kind == "postgres" else ()
    names = ["one"] if kind == "sqlite" else ["one", "two"]
    servers = [ServerProcess(data / name, *shared, "--key-file", str(data / "signing.keys")) for name in names]
    games: list[tuple[str, Live, Live]] = []
    async with AsyncExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        ada = await stack.enter_async_context(Client(servers[0].url, "Ada"))
        for _ in range(GAMES_PER_KILL * kills):
            ben = await stack.enter_async_context(Client(servers[-1].url, "Ben"))  # another one: these games are short
            table = (await ada.create_table("rainbow", ["me", "open"])).id
            await ben.join(table)
            first = await stack.enter_async_context(ada.live(table))
            second = await stack.enter_async_context(ben.live(table))
            await start_game(first, second)
            await play_one_turn_each(first, second)
            games.append((table, first, second))

        async def resign(*players: Live) -> None:
            seat = rng.randrange(2)
            await asyncio.sleep(rng.uniform(0, 0.05))
            while True:
                try:
                    await players[seat].resign(seat)
                except Refused as error:
                    if error.key != "store-failed":
                        raise
                    await asyncio.sleep(0.1)
                else:
                    return

        for kill in range(kills):
            ending = games[GAMES_PER_KILL * kill : GAMES_PER_KILL * (kill + 1)]
            resigning = asyncio.gather(*[resign(first, second) for _, first, second in ending])
            await asyncio.sleep(rng.uniform(0, 0.05))  # at any moment while the games end
            killed = servers[kill % len(servers)]
            await asyncio.to_thread(killed.kill)
            await asyncio.to_thread(killed.start)
            async with asyncio.timeout(2 * DEADLINE_SECONDS):
                await resigning
        for table, _, _ in games:
            changes = (await ada.rating_changes(table)).seats
            assert len(changes) == 2
            assert None not in changes
        assert (await ada.profile(ada.me.player)).ratings[0].games == len(games)
    store: Store = SqliteStore(data / "one" / "sevenhues.db") if kind == "sqlite" else PostgresStore(shared[1])
    await store.open()
    before = await store.read(all_rating_rows())
    assert sorted(row[0] for row in before["rated_games"]) == sorted(table for table, _, _ in games)
    await store.close()
    assert (await rebuild_ratings(store)).rated == len(games)
    await store.open()
    assert await store.read(all_rating_rows()) == before
    await store.close()
