"""Live tables in this process, without a server: stores that fail and clocks that tests set."""

from collections.abc import Callable
from pathlib import Path

from sevenhues.server.accounts.cookies import Keys
from sevenhues.server.live.live_tables import House
from sevenhues.server.settings import Settings
from sevenhues.server.store import StoreFailed, Summary
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table.events import Event


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

    async def append(self, table: str, number: int, at: int, event: Event, summary: Summary | None) -> None:
        if isinstance(event, self.failing):
            self.failures += 1
            raise StoreFailed("the disk is full")
        await super().append(table, number, at, event, summary)


async def open_house(
    data: Path,
    now: Callable[[], int] | None = None,
    store: Callable[[Path], SqliteStore] = SqliteStore,
    pace: int = 0,
) -> House:
    settings = Settings(data, pace=pace, workers=1)
    house = House(settings, store(settings.database), Keys(["aa" * 32]), now=now)
    await house.open()
    return house
