"""Bot accounts over two server processes: challenges, revoked tokens, and games of the arena's levels."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing

import pytest

from sevenhues import protocol
from sevenhues.arena.players import parse_players
from sevenhues.bot_runner.choosing import Workers
from sevenhues.bot_runner.runner import BotRunner, RunnerSettings
from sevenhues.client import Client, Refused
from sevenhues.core import record, registry
from sevenhues.server.accounts.bot_accounts import MAX_BOTS
from tests.server.bot_accounts import listening, wait_for_challenge, wait_until_online
from tests.server.conftest import OPTIONS
from tests.server.play import start_game, wait_until
from tests.server.process import ServerProcess, two_processes

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
Servers = tuple[ServerProcess, ServerProcess]
GAME = "rainbow-road"  # the shortest games
BUDGET = "4"  # simulations per move
GAMES_AT_ONCE = 24


@pytest.fixture(scope="module")
def shared_options(new_shared_store: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    return new_shared_store()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, shared_options: tuple[str, ...]) -> Iterator[Servers]:
    with two_processes(tmp_path_factory.mktemp("two"), *OPTIONS, *shared_options) as servers:
        yield servers


async def test_bot_hears_of_a_challenge_at_the_other_process(servers: Servers) -> None:
    one, two = servers
    async with Client(one.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        async with Client(two.url, token=new.token) as bot, listening(bot) as listener:
            await wait_until_online(ada, new.bot.player)
            table = await ada.create_table("rainbow", ["me", f"challenge:{new.bot.player}"])
            await wait_for_challenge(listener, table.id)
            await bot.join(table.id)
            async with ada.live(table.id) as own, bot.live(table.id) as live:
                await start_game(own, live)
                assert own.table is not None
                assert own.table.seats[1].bot_account


async def test_token_revoked_at_one_process_closes_connections_at_the_other(servers: Servers) -> None:
    one, two = servers
    async with Client(one.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        table = await ada.create_table(GAME, ["me", "open"], bots_welcome=True)
        async with Client(two.url, token=new.token) as bot, listening(bot) as listener:
            await bot.join(table.id)
            async with bot.live(table.id) as live:
                await ada.revoke_bot_token(new.bot.player)
                await wait_until(lambda: live._closed is not None and listener.ended is not None)
                assert "revoked" in str(live._closed)
            with pytest.raises(Refused) as refused:
                await bot.tables("mine")
            assert refused.value.key == "bad-token"


@pytest.mark.parametrize(
    ("bots", "games", "levels"),
    [
        (6, 12, ["seedling"]),
        pytest.param(64, 1000, ["random", "greedy", "seedling", "player", "expert"], marks=pytest.mark.long),
    ],
)
async def test_bots_play_each_other_over_two_processes(
    servers: Servers, bots: int, games: int, levels: list[str]
) -> None:
    """Every game is finished and rated, its record is valid, and its seats are marked."""
    rng = random.Random(bots)
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(client) for client in await bot_clients(servers, bots)]
        workers = [stack.enter_context(closing(workers_of(level))) for level in levels]
        for number, client in enumerate(clients):
            await stack.enter_async_context(running(client, workers[number % len(workers)]))
        for client in clients:
            await wait_until_online(client, client.me.player)
        turn = asyncio.Semaphore(GAMES_AT_ONCE)

        async def play(challenger: Client, challenged: Client) -> protocol.TableInfo:
            async with turn:
                return await play_challenge(challenger, challenged)

        # Games between two bots of one person do not count.
        owners = owner_count(bots)
        numbers = [rng.sample(range(bots), 2) for _ in range(games * bots)]
        apart = [(first, second) for first, second in numbers if first % owners != second % owners]
        pairs = [[clients[first], clients[second]] for first, second in apart[:games]]
        tables = await asyncio.gather(*(play(*pair) for pair in pairs))
        for table, (challenger, challenged) in zip(tables, pairs, strict=True):
            assert [seat.bot_account for seat in table.seats] == [True, True]
            assert [seat.player for seat in table.seats] == [challenger.me.player, challenged.me.player]
            assert table.by_bot
            await check_result(challenger, table)
        await check_ratings(clients[0], clients, pairs)


def owner_count(bots: int) -> int:
    """Return the number of persons who own so many bots."""
    return max(2, -(-bots // MAX_BOTS))


async def bot_clients(servers: Servers, count: int) -> list[Client]:
    """Create bot accounts of several persons in turn; return their clients, at both servers in turn."""
    async with AsyncExitStack() as stack:
        persons = [Client(servers[0].url, f"Owner {number}") for number in range(owner_count(count))]
        owners = [await stack.enter_async_context(person) for person in persons]
        tokens = [
            (await owners[number % len(owners)].create_bot(f"Bot {number}", [GAME], may_create=True)).token
            for number in range(count)
        ]
    return [Client(servers[number % 2].url, token=token) for number, token in enumerate(tokens)]


def workers_of(level: str) -> Workers:
    """Return a process in which a level of the arena chooses moves."""
    (player,) = parse_players(registry.load(GAME), level)
    return Workers(1, player, BUDGET)


@asynccontextmanager
async def running(client: Client, workers: Workers) -> AsyncIterator[None]:
    """Keep a bot online."""
    settings = RunnerSettings([GAME], max_tables=32, min_move_seconds=0.0, finish_seconds=0.0)
    runner = BotRunner(client, workers, settings, lambda line: None)
    task = asyncio.create_task(runner.run())
    try:
        yield
    finally:
        runner.stop()
        await task


async def play_challenge(challenger: Client, challenged: Client) -> protocol.TableInfo:
    """Have a bot challenge another one, and wait for the end of their game."""
    table = await challenger.create_table(GAME, ["me", f"challenge:{challenged.me.player}"])
    async with challenger.live(table.id) as live:
        await wait_until(lambda: live.update is not None and live.update.result is not None, 600)
        assert live.table is not None
        return await challenger.table(table.id)


async def check_result(client: Client, table: protocol.TableInfo) -> None:
    """Check the record of a game: its moves lead to the result, and the bots are marked."""
    finished = record.read(await client.record(table.id))
    *_, last = record.replay(finished)
    assert table.result is not None
    assert record.result_of(last) == {
        "reason": table.result.reason,
        "scores": table.result.scores,
        "winners": table.result.winners,
    }
    assert finished.extra[record.BOT_ACCOUNTS] == [0, 1]
    changes = (await client.rating_changes(table.id)).seats
    assert len([change for change in changes if change is not None]) == 2


async def check_ratings(client: Client, clients: list[Client], pairs: list[list[Client]]) -> None:
    """Check that each bot is rated for each of its games, among bots alone."""
    played = {one.me.player: 0 for one in clients}
    for pair in pairs:
        for one in pair:
            played[one.me.player] += 1
    listed: dict[str, int] = {}
    after: int | None = 0
    while after is not None:
        page = await client.leaderboard(GAME, after, "bots")
        listed |= {one.player: one.games for one in page.players if one.bot_account}
        after = page.more
    assert {player: games for player, games in listed.items() if player in played} == {
        player: games for player, games in played.items() if games
    }
    assert [one for one in (await client.leaderboard(GAME)).players if one.bot_account] == []
