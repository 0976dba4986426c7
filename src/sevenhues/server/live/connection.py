"""A websocket of a table: carries out a client's messages and answers them, and sends the table's messages."""

import asyncio
import contextlib
import logging
from time import monotonic
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from sevenhues import protocol
from sevenhues.server import transport
from sevenhues.server.live import client_messages, messages
from sevenhues.server.live.client_messages import NO_LIMITS, ConnectionLimits
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.services import Services

MESSAGES_PER_SECOND = 40.0  # that a client may send in the long run
MAX_BURST = 120.0  # messages that a client may send at once
CLOSE_TIMEOUT_SECONDS = 1.0
DISCONNECTED = (WebSocketDisconnect, RuntimeError, OSError)  # errors that mean that the client has gone
log = logging.getLogger("sevenhues")


class MessageLimit:
    """A token bucket for the messages of one client."""

    def __init__(self) -> None:
        self._tokens = MAX_BURST
        self._updated = monotonic()

    def allow(self) -> bool:
        now = monotonic()
        self._tokens = min(MAX_BURST, self._tokens + (now - self._updated) * MESSAGES_PER_SECOND) - 1
        self._updated = now
        return self._tokens >= 0


async def serve(
    socket: WebSocket[Any, Any, Any],
    services: Services,
    live_table: LiveTable,
    viewer: Viewer,
    limits: ConnectionLimits = NO_LIMITS,
) -> None:
    """Serve an accepted connection until either side closes it."""
    live_table.enter(viewer)
    services.open_connections += 1
    receiver = Receiver(socket, services, live_table, viewer, limits)
    sending, receiving = asyncio.create_task(_send(socket, viewer)), asyncio.create_task(receiver.run())
    gone = asyncio.create_task(transport.wait_gone(socket.scope))  # while the receiver waits, it does not notice
    ends: list[asyncio.Future[Any]] = [sending, receiving, gone, viewer.dropped]
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        live_table.leave(viewer)
        gone.cancel()
        sending.cancel()
        receiver.stop(receiving)
        try:
            for error in await asyncio.gather(sending, receiving, return_exceptions=True):
                if isinstance(error, Exception) and not isinstance(error, DISCONNECTED):
                    log.error("internal error in a connection", exc_info=error, extra={"table": live_table.table.id})
            if viewer.dropped.done():
                services.metrics.count_dropped_connection(viewer.dropped.result())
                await close(socket, viewer.dropped.result())
        finally:
            services.open_connections -= 1


async def close(socket: WebSocket[Any, Any, Any], reason: Any) -> None:
    """Tell the client why the connection is closed, if it still listens, and close it."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
            await socket.send_data(messages.encoder.encode(protocol.Closing(reason)).decode(), mode="text")
            await socket.close(messages.CLOSE_CODES[reason], reason)


async def _send(socket: WebSocket[Any, Any, Any], viewer: Viewer) -> None:
    while True:
        await transport.send_texts(socket.scope, socket.send, await viewer.next_messages())


class Receiver:
    """Carries out the messages of a client one by one, each to its end even if the connection is closed meanwhile."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        services: Services,
        live_table: LiveTable,
        viewer: Viewer,
        limits: ConnectionLimits,
    ) -> None:
        self._socket = socket
        self._services = services
        self._live_table = live_table
        self._viewer = viewer
        self._limits = limits
        self._limit = MessageLimit()
        self._executing = False
        self._stopped = False

    async def run(self) -> None:
        while not self._stopped:
            data = await self._socket.receive_data(mode="text")
            if not self._limit.allow():
                self._viewer.drop("flood")
                return
            while (seconds := self._limits.delay()) > 0:  # again, because other connections share the limit
                await asyncio.sleep(seconds)
            self._executing = True
            cost = await client_messages.answer(data, self._services, self._live_table, self._viewer, self._limits)
            self._limits.count_messages(cost)
            self._executing = False

    def stop(self, task: "asyncio.Task[None]") -> None:
        """Cancel the task of `run`, unless it is executing a message: then it ends after that."""
        self._stopped = True
        if not self._executing:
            task.cancel()
