"""Connections of a page to tables: what websockets are to a server."""

import asyncio
import logging
from typing import Any

from sevenhues import protocol
from sevenhues.offline.device import Page
from sevenhues.server.answers.statuses import close_code
from sevenhues.server.live import client_messages, messages
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.store import StoreFailed
from sevenhues.server.table.errors import Refused

log = logging.getLogger("sevenhues")


class Connections:
    """The open connections, by the numbers that the page gives them."""

    def __init__(self, live_tables: LiveTables, page: Page) -> None:
        self._live_tables = live_tables
        self._page = page
        self._received: dict[int, asyncio.Queue[str]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def open(self, number: int, table_id: str, user_id: str) -> None:
        """Connect to a table; messages may be sent at once."""
        self._received[number] = asyncio.Queue()
        self._tasks[number] = asyncio.create_task(self._serve(number, table_id, user_id))

    def send(self, number: int, text: str) -> None:
        """Carry out a message of the page, after those before it."""
        if number in self._received:
            self._received[number].put_nowait(text)

    async def close(self, number: int) -> None:
        """Close a connection at the page's request; a message that is being carried out is carried out to its end."""
        self._received.pop(number, None)
        task = self._tasks.pop(number, None)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def _serve(self, number: int, table_id: str, user_id: str) -> None:
        code, reason = 1011, "internal-error"
        try:
            live_table = await self._live_tables.get_current(table_id)
            self._page.opened(number)
            reason = await self._run(number, live_table, Viewer(user_id))
            code = messages.CLOSE_CODES[reason]
        except Refused as error:
            code, reason = close_code(error.key), error.key
        except StoreFailed as error:
            log.error("a connection was refused: %s", error)
            code, reason = close_code("store-failed"), "store-failed"
        except Exception:
            log.exception("internal error in a connection", extra={"table": table_id})
        self._received.pop(number, None)
        self._tasks.pop(number, None)
        self._page.closed(number, code, reason)

    async def _run(self, number: int, live_table: LiveTable, viewer: Viewer) -> str:
        """Serve a connection until the server closes it; return the reason."""
        services = self._live_tables.services
        live_table.enter(viewer)
        services.open_connections += 1
        sending = asyncio.create_task(self._send(number, viewer))
        receiving = asyncio.create_task(self._receive(number, live_table, viewer))
        ends: list[asyncio.Future[Any]] = [sending, receiving, viewer.dropped]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for task in (sending, receiving):
                if task.done():
                    task.result()
            reason: Any = viewer.dropped.result()
            self._page.message(number, messages.encoder.encode(protocol.Closing(reason)).decode())
            return str(reason)
        finally:
            live_table.leave(viewer)
            services.open_connections -= 1
            sending.cancel()
            receiving.cancel()

    async def _send(self, number: int, viewer: Viewer) -> None:
        while True:
            for message in await viewer.next_messages():
                self._page.message(number, message.decode())

    async def _receive(self, number: int, live_table: LiveTable, viewer: Viewer) -> None:
        received = self._received[number]
        while True:
            text = await received.get()
            services = self._live_tables.services
            answering = asyncio.create_task(client_messages.answer(text, services, live_table, viewer))
            try:
                await asyncio.shield(answering)
            except asyncio.CancelledError:
                await answering
                raise
