"""The offline server, as JavaScript calls it."""

import asyncio
import logging
from collections.abc import Coroutine
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from sevenhues.nets import loading
from sevenhues.offline import networks
from sevenhues.offline.analyses import Analyses
from sevenhues.offline.connections import Connections
from sevenhues.offline.device import Device
from sevenhues.offline.requests import Requests
from sevenhues.offline.searches import InlineSearches
from sevenhues.offline.store import DeviceStore
from sevenhues.offline.tabs import TabBus, TabLease
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.table import ids

USER_ID_BYTES: Final = 16
# A device keeps a game as long as its player does.
SETTINGS: Final = Settings(Path(), unstarted_days=30.0, inactive_days=3650.0)


log = logging.getLogger("sevenhues")


class OfflineServer:
    """A server for the pages of one tab."""

    def __init__(self, device: Device, settings: Settings = SETTINGS) -> None:
        self._page = device.page
        self._store = DeviceStore(device.database)
        self._bus = TabBus(device.tabs, self._list_table)
        self._lease = TabLease(device.tabs)
        self.live_tables = LiveTables(
            settings, self._store, self._bus, self._lease, new_id=_table_id, searches=InlineSearches()
        )
        self._analyses = Analyses(self._store, self._playing)
        self._requests = Requests(self.live_tables, self._store, self._analyses)
        self._connections = Connections(self.live_tables, device.page)
        self._tasks: set[asyncio.Task[None]] = set()
        loading.use_reader(networks.reader(device))

    async def open(self) -> None:
        """Open the server; it answers nothing before."""
        await self._store.sign_in(token_hex(USER_ID_BYTES))
        await self.live_tables.open()
        self._start(self._store.refresh_list())

    async def close(self) -> None:
        await self._analyses.close()
        await self.live_tables.close()

    def request(self, id: int, method: str, address: str, body: str) -> None:
        """Answer a request by `Page.response`; a request without a body has an empty one."""
        self._start(self._respond(id, method, address, body))

    def connect(self, connection: int, table_id: str) -> None:
        self._connections.open(connection, table_id, self._store.user_id)

    def send(self, connection: int, text: str) -> None:
        self._connections.send(connection, text)

    def disconnect(self, connection: int) -> None:
        self._start(self._connections.close(connection))

    def receive(self, text: str) -> None:
        """Take what the worker of another tab has published."""
        self._bus.receive(text)

    def lock_granted(self, name: str) -> None:
        """Take a lock that was requested."""
        self._start(self._lease.granted(name))

    async def _respond(self, id: int, method: str, address: str, body: str) -> None:
        reply = await self._requests.answer(method, address, body)
        self._page.response(id, reply.status, reply.media_type, reply.body)

    def _list_table(self, table_id: str) -> None:
        live_table = self.live_tables.tables.get(table_id)
        if live_table is not None:
            self._start(self._store.list_table(live_table.table))

    def _playing(self) -> bool:
        """Tell whether somebody in this tab is connected to a game in play."""
        return any(one.watched and one.table.status == "playing" for one in self.live_tables.tables.values())

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("work in the background failed: %s", task.exception())


def _table_id() -> str:
    return ids.OFFLINE_PREFIX + ids.table_id()
