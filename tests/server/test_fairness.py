"""Users take turns for bots, analyses and replays: one with many requests does not delay the others."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sevenhues import bots
from sevenhues.core.position import Position
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.answers.replays import PageKey
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.http import replay_pages
from sevenhues.server.http.context import AppContext
from sevenhues.server.http.replay_pages import Page, ReplayPages
from sevenhues.server.jobs.analysis_worker import MAX_QUEUED_OF_ONE, AnalysisWorker
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.table import commands
from sevenhues.server.table.commands import SeatSpec
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.state import Decision, Table
from tests.server.live_tables import PAIR, RAINBOW, FakeClock, open_live_tables
from tests.server.play import wait_until

pytestmark = pytest.mark.anyio
BOT = SeatSpec("bot", level="random")
LEVEL = bots.find(RAINBOW, "random")


@asynccontextmanager
async def opened(data: Path) -> AsyncIterator[LiveTables]:
    live_tables = await open_live_tables(data, FakeClock())
    try:
        yield live_tables
    finally:
        await live_tables.close()


def end_turn(table: Table, now_ms: int) -> Decision | None:
    """Make the last of the legal moves for seat 0."""
    assert table.position is not None
    text = RAINBOW.text(table.position, 0, table.position.legal(0)[-1])
    return commands.move(table, "ada", 0, table.ply, text, None, now_ms)


async def finished_table(live_tables: LiveTables) -> Table:
    live_table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    await live_table.act(lambda table, now_ms: commands.resign(table, "ada", 0))
    return live_table.table


async def test_searches_of_users_take_turns_and_background_searches_come_last(data: Path) -> None:
    async with opened(data) as live_tables:
        finished: list[str] = []

        async def search(owner: str, background: bool = False) -> None:
            await live_tables.searches.run(owner, time.sleep, 0.001, background=background)
            finished.append(owner)

        bots_alone = [asyncio.create_task(search("greedy", background=True)) for _ in range(20)]
        await asyncio.sleep(0)
        await asyncio.gather(*[search(owner) for owner in ("ada", "ada", "ada", "ben")])
        # The search that had begun is not interrupted, and the next one may have ended by now.
        assert finished[:5] == ["greedy", "ada", "ben", "ada", "ada"]
        await asyncio.gather(*bots_alone)


async def test_tables_of_bots_alone_are_searched_in_the_background(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: set[tuple[str, bool]] = set()

    async def run(
        owner: str, function: Any, game: str, position: Position, seat: int, *_: Any, background: bool = False
    ) -> tuple[int, float]:
        searches.add((owner, background))
        await asyncio.sleep(0)
        return position.legal(seat)[0], 0.0

    async with opened(data) as live_tables:
        monkeypatch.setattr(live_tables.searches, "run", run)
        await live_tables.create(RAINBOW, PAIR._replace(seats=(BOT, BOT)), "greedy", "Greedy")
        live_table = await live_tables.create(RAINBOW, PAIR._replace(seats=(SeatSpec("me"), BOT)), "ada", "Ada")
        await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
        while ("ada", False) not in searches:
            if live_table.table.to_act() == [0]:
                await live_table.act(end_turn)
            await asyncio.sleep(0.001)
    assert searches == {("greedy", True), ("ada", False)}


async def test_searches_of_one_user_do_not_shorten_those_of_others(data: Path) -> None:
    async with opened(data) as live_tables:
        pool = live_tables.searches
        alone = pool.budget(LEVEL, "ada")
        assert pool.budget(LEVEL, "greedy") == alone
        searches = [asyncio.create_task(pool.run("greedy", time.sleep, 0.001, background=True)) for _ in range(30)]
        await asyncio.sleep(0)
        assert pool.budget(LEVEL, "ada") == alone
        assert pool.budget(LEVEL, "greedy", background=True) != alone
        await asyncio.gather(*searches)


async def test_addresses_take_turns_for_analyses(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    analysed: list[str] = []
    released = asyncio.Event()

    async def analyse(table_id: str, record_text: str) -> bytes:
        await released.wait()
        analysed.append(table_id)
        return b"{}"

    async with opened(data) as live_tables:
        worker = AnalysisWorker(live_tables.store, 1)
        monkeypatch.setattr(worker, "_analyse", analyse)
        tables = [await finished_table(live_tables) for _ in range(MAX_QUEUED_OF_ONE + 2)]
        *greedy, too_many, other = tables
        for table in greedy:
            await worker.start(table, "1.1.1.1")
        await wait_until(lambda: worker._queue.jobs_of("1.1.1.1") == MAX_QUEUED_OF_ONE)
        with pytest.raises(Refused) as refused:
            await worker.start(too_many, "1.1.1.1")
        assert refused.value.key == "too-many"
        await worker.start(other, "2.2.2.2")
        await wait_until(lambda: worker._queue.jobs_of("2.2.2.2") == 1)
        released.set()
        await wait_until(lambda: len(analysed) == MAX_QUEUED_OF_ONE + 1)
        assert analysed.index(other.id) == 2, "after the one that ran, and one that waited"
        await worker.close()


async def test_addresses_take_turns_for_replays(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    built: list[int] = []

    def page(table: Table, key: PageKey) -> Page:
        released.wait()
        built.append(key.limit)
        return Page(b"", b"", "")

    async with opened(data) as live_tables:
        monkeypatch.setattr(replay_pages, "_page", page)
        pages, table = ReplayPages(FairQueue(1)), await finished_table(live_tables)

        async def request(limit: int, address: str) -> None:
            await pages.page(table, PageKey(table.id, "watcher", 0, limit, False), address)

        requests = [asyncio.create_task(request(limit, "1.1.1.1")) for limit in range(1, 11)]
        await asyncio.sleep(0)
        requests.append(asyncio.create_task(request(100, "2.2.2.2")))
        await asyncio.sleep(0)
        released.set()
        await asyncio.gather(*requests)
        assert built.index(100) == 2
        await request(5, "1.1.1.1")
        assert len(built) == 11, "a page is built once"


async def test_addresses_take_turns_for_odds_and_replays(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    computed: list[str] = []

    def beliefs(name: str) -> None:
        released.wait()
        computed.append(name)

    async with opened(data) as live_tables:
        context, table = AppContext(live_tables, SigningKeys(["unused"])), await finished_table(live_tables)
        monkeypatch.setattr(replay_pages, "_page", lambda table, key: computed.append("page"))

        async def request(ply: int) -> None:
            await context.beliefs.get((table.id, ply, 0), "1.1.1.1", lambda: beliefs("odds"))

        requests = [asyncio.create_task(request(ply)) for ply in range(10)]
        await asyncio.sleep(0)
        key = PageKey(table.id, "watcher", 0, 1, False)
        page = asyncio.create_task(context.replay_pages.page(table, key, "2.2.2.2"))
        await asyncio.sleep(0)
        released.set()
        await asyncio.gather(*requests, page)
        assert computed.index("page") == 2
        await request(5)
        assert len(computed) == 11, "odds are computed once"
