"""A game that was evicted from memory, and what this process must know to load it again in time."""

import asyncio
from collections.abc import Awaitable, Callable

from sevenhues.server.cluster.bus import SaidPhrase
from sevenhues.server.cluster.presence import Attention

Load = Callable[[str], Awaitable[object]]


class EvictedTable:
    """A game in play for which this process acts: it loads the game when time is up or another process adds events."""

    __slots__ = ("_alarm", "_load", "event_count", "id")
    watched = False
    idle = False

    def __init__(self, id: str, event_count: int, load: Load) -> None:
        self.id = id
        self.event_count = event_count
        self._load = load
        self._alarm: asyncio.TimerHandle | None = None

    def set_alarm(self, seconds: float, on_alarm: Callable[[str], object]) -> None:
        """Call a function with the table's id after a time."""
        self._alarm = asyncio.get_running_loop().call_later(max(0.0, seconds), on_alarm, self.id)

    def close(self) -> None:
        """Cancel the timer."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def connected(self) -> tuple[set[str], int]:
        return set(), 0

    def attention(self) -> dict[str, Attention]:
        return {}

    def presence_changed(self) -> None:
        """Do nothing: nobody is connected here."""

    def hear(self, said: SaidPhrase) -> None:
        """Do nothing: nobody is connected here."""

    async def wake(self) -> None:
        """Load the game with its new events."""
        await self._load(self.id)

    async def renew_names(self) -> None:
        """Do nothing: names are read when the game is loaded."""
