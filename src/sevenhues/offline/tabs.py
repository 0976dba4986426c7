"""The workers of several tabs as the processes of one server: a bus between them, and leases of tables."""

from collections.abc import Callable
from secrets import token_hex

import msgspec

from sevenhues.offline.device import Tabs
from sevenhues.server.cluster.bus import Connected, Message, Receive, SaidPhrase
from sevenhues.server.cluster.lease import OnLeased


class TabBus:
    """A bus between tabs. It also reports the tables whose log this tab has made grow."""

    alone = False

    def __init__(self, tabs: Tabs, on_growth: Callable[[str], None]) -> None:
        self.process = token_hex(8)
        self._tabs = tabs
        self._on_growth = on_growth
        self._receive: Receive | None = None

    async def open(self, receive: Receive) -> None:
        self._receive = receive

    async def close(self) -> None:
        self._receive = None

    def publish(
        self,
        table_id: str,
        event_count: int | None = None,
        connected: Connected | None = None,
        said: SaidPhrase | None = None,
    ) -> None:
        message = Message(self.process, table_id, event_count, connected, said)
        self._tabs.publish(msgspec.json.encode(message).decode())
        if event_count is not None:
            self._on_growth(table_id)

    def receive(self, text: str) -> None:
        """Take a message that another tab has published."""
        if self._receive is not None:
            self._receive(msgspec.json.decode(text, type=Message))


class TabLease:
    """Leases that end when their tab is closed: each is a lock of the browser."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._requested: set[str] = set()
        self._held: set[str] = set()
        self._on_leased: OnLeased | None = None

    def held(self, table_id: str) -> bool:
        if table_id not in self._requested:
            self._requested.add(table_id)
            self._tabs.lock(table_id)
        return table_id in self._held

    def renews(self, table_id: str) -> bool:
        return table_id in self._held

    def release(self, table_id: str) -> None:
        if table_id in self._requested:
            self._requested.discard(table_id)
            self._held.discard(table_id)
            self._tabs.unlock(table_id)

    async def open(self, on_leased: OnLeased) -> None:
        self._on_leased = on_leased

    async def close(self) -> None:
        self._on_leased = None
        for table_id in list(self._requested):
            self.release(table_id)

    async def granted(self, table_id: str) -> None:
        """Act for a table: the browser has granted its lock."""
        if table_id in self._requested and self._on_leased is not None:
            self._held.add(table_id)
            await self._on_leased(table_id)
