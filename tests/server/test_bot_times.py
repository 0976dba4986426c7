"""The time of a bot's move: it does not tell how long the bot searched, and it is what the opponents waited."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sevenhues.core.bot_support import Level
from sevenhues.server.live import bot_player
from sevenhues.server.live.bot_player import RETRY_SECONDS
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.metrics import Metrics
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.events import Event, MovePlayed
from tests.server.live_tables import RAINBOW, FailingStore, open_live_tables
from tests.server.play import wait_until

pytestmark = pytest.mark.anyio
BOT = SeatSpec("bot", level="random")
BUDGET_SECONDS, MIN_MOVE_SECONDS = 0.2, 0.7


class Searching(Metrics):
    """A time that passes while bots search and wait alone, their searches, and the times of their moves."""

    def __init__(self, queued_seconds: float = 0.0, searches: tuple[float, ...] = (BUDGET_SECONDS,)) -> None:
        self.now = 0.0
        self.moves: list[float] = []
        self._stored_moves = 0
        self._queued_seconds = queued_seconds
        self._searches = searches

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def count_event(self, event: Event) -> None:
        self._stored_moves += isinstance(event, MovePlayed)

    def count_bot_move(self, seconds: float) -> None:
        self.moves.append(round(seconds, 6))

    def count(self) -> int:
        return 0

    def budget(self, level: Level, owner: str, background: bool = False) -> str:
        return f"{BUDGET_SECONDS * 1000:.0f}ms"

    async def run(self, owner: str, function: Callable[..., Any], *values: Any, background: bool = False) -> Any:
        await wait_until(lambda: len(self.moves) == self._stored_moves)  # so that the other bot's time stands still
        _, position, seat, *_ = values
        spent = self._searches[len(self.moves) % len(self._searches)]
        self.now += self._queued_seconds + spent
        return position.legal(seat)[0], spent

    async def close(self) -> None:
        pass


async def play(
    data: Path, monkeypatch: pytest.MonkeyPatch, searching: Searching, min_seconds: float, store: Any = SqliteStore
) -> LiveTables:
    """Let two bots play until they have made ten moves."""
    monkeypatch.setattr(bot_player, "time", searching)
    monkeypatch.setattr(bot_player, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": searching.sleep}))
    live_tables = await open_live_tables(
        data, store=store, min_move_ms=round(min_seconds * 1000), metrics=searching, searches=searching
    )
    await live_tables.create(RAINBOW, TableSpec((BOT, BOT)), "ada", "Ada")
    await wait_until(lambda: len(searching.moves) >= 10)
    return live_tables


@pytest.mark.parametrize("queued_seconds", [0.0, 0.4, 0.6, 5.0])
async def test_time_of_a_bots_move_does_not_tell_how_long_it_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, queued_seconds: float
) -> None:
    # One legal move, an early end, and a search of the whole budget.
    searching = Searching(queued_seconds, searches=(0.0, 0.003, BUDGET_SECONDS))
    live_tables = await play(tmp_path, monkeypatch, searching, MIN_MOVE_SECONDS)
    assert set(searching.moves) == {max(MIN_MOVE_SECONDS, queued_seconds + BUDGET_SECONDS)}
    await live_tables.close()


async def test_bot_does_not_wait_without_a_minimum_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searching = Searching(searches=(0.1,))
    live_tables = await play(tmp_path, monkeypatch, searching, 0.0)
    assert set(searching.moves) == {0.1}
    await live_tables.close()


async def test_time_of_a_move_that_could_not_be_stored_at_first_is_all_that_opponents_waited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FailingOnce(FailingStore):
        """A store that fails to append the first move."""

        async def append(self, *values: Any) -> None:
            self.failing = () if self.failures else (MovePlayed,)
            await super().append(*values)

    searching = Searching()
    live_tables = await play(tmp_path, monkeypatch, searching, MIN_MOVE_SECONDS, FailingOnce)
    assert searching.moves[:2] == [2 * MIN_MOVE_SECONDS + RETRY_SECONDS, MIN_MOVE_SECONDS]
    await live_tables.close()


async def test_every_move_of_a_bot_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searching = Searching()
    live_tables = await play(tmp_path, monkeypatch, searching, MIN_MOVE_SECONDS)
    (live_table,) = live_tables.tables.values()
    await wait_until(lambda: live_table.table.result is not None and not live_tables.bots.busy(live_table.table))
    assert len(searching.moves) == live_table.table.ply
    await live_tables.close()
