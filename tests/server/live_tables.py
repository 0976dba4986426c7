"""Live tables in this process, without a server: stores that fail and clocks that tests set."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sevenhues.core import registry
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.notifications.notices import Notice
from sevenhues.server.settings import Settings
from sevenhues.server.store import StoreFailed, Summary
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.events import Event

RAINBOW = registry.load("rainbow")
PAIR = TableSpec((SeatSpec("me"), SeatSpec("me")), public=True)  # two seats of one user


class FakeClock:
    """A clock that stands still until a test sets it."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000_000_000

    def __call__(self) -> int:
        return self.now_ms


class FailingStore(SqliteStore):
    """A store that fails to append events of the types in `failing`."""

    failing: tuple[type, ...] = ()
    failures = 0

    async def append(
        self, table: str, number: int, at: int, event: Event, summary: Summary | None, notices: Sequence[Notice] = ()
    ) -> None:
        if isinstance(event, self.failing):
            self.failures += 1
            raise StoreFailed("the disk is full")
        await super().append(table, number, at, event, summary, notices)


async def open_live_tables(
    data: Path,
    now: Callable[[], int] | None = None,
    store: Callable[[Path], SqliteStore] = SqliteStore,
    min_move_ms: int = 0,
    **services: Any,
) -> LiveTables:
    settings = Settings(data, bot_min_move_ms=min_move_ms, bot_workers=1)
    live_tables = LiveTables(settings, store(settings.database), now=now, **services)
    await live_tables.open()
    return live_tables
