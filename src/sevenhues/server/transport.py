"""Limits and timeouts of TCP connections: the protocols of uvicorn, which have few of their own."""

import asyncio
import contextlib
import socket
import struct
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

from litestar.types import Scope, Send
from uvicorn._types import ASGIReceiveEvent
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from sevenhues.server.client_address import network_of

REQUEST_SECONDS = 30.0  # for a client to send a whole request; also to begin the first one
STALL_SECONDS = 30.0  # in which a client must read some of the data that waits for it
CLOSE_SECONDS = 4.0  # for a client to answer when its websocket is closed
MAX_HEAD_BYTES = 32 * 1024  # of a request: its line and headers, or its trailers
MAX_PIPELINED = 16  # requests that wait for the response to an earlier one
MAX_CONTROL_FRAMES = 200.0  # pings, pongs and continuations that a client may send at once
CONTROL_FRAMES_PER_SECOND = 20.0  # in the long run
MAX_UNREAD = 8  # messages of a websocket that wait; while there are as many, no more of its data is parsed
PART_BYTES = 256  # of a websocket's data that are parsed at a time; most messages are shorter
MAX_BYTES_AFTER_END = 16 * 1024  # that are parsed when the server has closed a websocket
EXTENSION = "sevenhues.connection"  # in the scope of a websocket
RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER: discard what was not sent


class Connection:
    """A TCP connection, from accept until the transport is gone."""

    def __init__(self, transport: asyncio.Transport, network: str | None) -> None:
        self.transport = transport
        self.network = network  # None if it is not limited
        self.request_began: float | None = monotonic()  # of an incomplete request; None while none is expected
        self.gone = asyncio.Event()
        self._unsent = 0
        self._sent_at = monotonic()  # when the client last read something, or nothing was waiting for it

    def check(self, now: float) -> None:
        """Abort the connection if its client sends or reads too slowly."""
        unsent = self.transport.get_write_buffer_size()
        if not unsent or unsent < self._unsent:
            self._sent_at = now
        self._unsent = unsent
        request_began = now if self.request_began is None else self.request_began
        if now - self._sent_at > STALL_SECONDS or now - request_began > REQUEST_SECONDS:
            self.abort()

    def abort(self) -> None:
        """Close the connection at once, and discard what the client has not read."""
        if self.gone.is_set():
            return
        with contextlib.suppress(OSError):
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        self.transport.abort()


class Connections(ServerState):
    """The open connections of a server, with a limit for each network."""

    def __init__(self, max_per_network: int, is_proxy: Callable[[str], bool]) -> None:
        super().__init__()
        self.open: dict[asyncio.BaseTransport, Connection] = {}
        self._max_per_network = max_per_network  # 0 for no limit
        self._is_proxy = is_proxy  # a proxy's address has no limit: it connects for many clients
        self._counts: Counter[str] = Counter()

    def add(self, transport: asyncio.Transport, client: tuple[str, int] | None) -> Connection:
        """Count a new connection; abort it if its network has too many."""
        network = None if client is None or self._is_proxy(client[0]) else network_of(client[0])
        connection = Connection(transport, network)
        self.open[transport] = connection
        if network is not None:
            self._counts[network] += 1
            if 0 < self._max_per_network < self._counts[network]:
                connection.abort()
        return connection

    def remove(self, connection: Connection) -> None:
        """Count a connection no more, when its transport is gone."""
        del self.open[connection.transport]
        connection.gone.set()
        network = connection.network
        if network is not None:
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]

    def check(self) -> None:
        """Abort the connections whose clients send or read too slowly."""
        now = monotonic()
        for connection in list(self.open.values()):
            connection.check(now)


class TooLarge(Exception):
    """A request is longer than allowed."""


class HttpProtocol(HttpToolsProtocol):
    """HTTP with limits on a request's size and time."""

    server_state: Connections
    connection: Connection

    def __init__(
        self,
        config: Config,
        server_state: Connections,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._head_bytes = 0  # received since the last complete part of a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.connection = self.server_state.add(transport, self.client)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.server_state.remove(self.connection)

    def data_received(self, data: bytes) -> None:
        if self.connection.request_began is None:
            self.connection.request_began = monotonic()
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The request has too long a head.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self.connection.request_began is None:
            self.connection.request_began = monotonic()

    def on_headers_complete(self) -> None:
        if len(self.pipeline) == MAX_PIPELINED:
            self.connection.abort()
            raise TooLarge
        # What was received may include a part of the body.
        if self._head_bytes > MAX_HEAD_BYTES and self._head_size() > MAX_HEAD_BYTES:
            raise TooLarge
        self._head_bytes = 0
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        websocket = self.transport.get_protocol()
        # The handshake has shorter limits, and uvicorn does not answer one that exceeds them.
        if not (isinstance(websocket, WebSocketProtocol) and websocket.handshake_initiated):
            self.send_400_response("The websocket handshake cannot be read.")

    def on_body(self, body: bytes) -> None:
        self._head_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        self.connection.request_began = None
        super().on_message_complete()

    def _head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) for name, value in self.headers)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Websockets with a limit on control frames, which reach no application.

    Data is parsed as the application takes messages: thousands of short messages that arrive together would keep all
    other connections waiting, although all but the first are more than a client may send.
    """

    connection: Connection

    def __init__(
        self,
        config: Config,
        server_state: Connections,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._server_state = server_state
        self._frames_left = MAX_CONTROL_FRAMES
        self._frames_counted = monotonic()
        self._unparsed = bytearray()
        self._left_after_end = MAX_BYTES_AFTER_END

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.connection = self._server_state.open[transport]  # which was opened for HTTP

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._server_state.remove(self.connection)

    def data_received(self, data: bytes) -> None:
        self._unparsed += data
        self._parse()

    def _parse(self) -> None:
        """Parse what was received until enough messages wait for the application.

        After the end no application takes messages, and the client's answer is looked for among little data alone.
        """
        while self._unparsed and not self.transport.is_closing():
            if self.close_sent:
                self._left_after_end -= PART_BYTES
                if self._left_after_end < 0:
                    self._unparsed.clear()
                    self.transport.pause_reading()
                    return
            elif self.queue.qsize() >= MAX_UNREAD:
                return
            part = bytes(self._unparsed[:PART_BYTES])
            del self._unparsed[:PART_BYTES]
            super().data_received(part)

    async def receive(self) -> ASGIReceiveEvent:
        """Wait for a message. Read from the client again when all that was received has been taken."""
        if not self.queue.empty():
            await asyncio.sleep(0)  # other connections have their turn before messages that came together
        event = await self.queue.get()
        if self.queue.empty():
            self._parse()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        return event

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"] = {**(self.scope["extensions"] or {}), EXTENSION: {"protocol": self}}

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; close the connection if it is not UTF-8, which uvicorn would log as an error."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not is_utf8(b"".join(self.frames)):
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        if self._allow_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._allow_frame():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._allow_frame():
            super().handle_cont(event)

    def _allow_frame(self) -> bool:
        """Count a frame; abort the connection if there are too many."""
        now = monotonic()
        refilled = self._frames_left + (now - self._frames_counted) * CONTROL_FRAMES_PER_SECOND
        self._frames_left = min(MAX_CONTROL_FRAMES, refilled) - 1
        self._frames_counted = now
        if self._frames_left < 0:
            self.connection.abort()
        return self._frames_left >= 0

    async def send_texts(self, texts: list[bytes]) -> None:
        """Send messages in one write. The `send` of ASGI encodes and writes each by itself."""
        await self.writable.wait()
        if self.disconnected or self.close_sent:
            raise ClientDisconnected
        try:
            for text in texts:
                self.conn.send_text(text)
        except InvalidState:
            raise ClientDisconnected from None
        self.transport.write(b"".join(self.conn.data_to_send()))

    async def wait_closed(self) -> None:
        """Wait until the connection is gone; abort it if the client does not answer in time."""
        if not self.close_sent:
            self.transport.close()
        self._parse()  # the client's answer may be among what was not parsed
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.connection.gone.wait()
        except TimeoutError:
            pass
        finally:
            self.connection.abort()


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


async def send_texts(scope: Scope, send: Send, texts: list[bytes]) -> None:
    """Send messages over a websocket; raise OSError if it is closed. Outside this server, as in tests, use `send`."""
    extension: Any = (scope.get("extensions") or {}).get(EXTENSION)
    if extension is not None:
        await extension["protocol"].send_texts(texts)
        return
    for text in texts:
        await send({"type": "websocket.send", "text": text.decode(), "bytes": None})


async def wait_gone(scope: Scope) -> None:
    """Wait until the connection of a websocket is gone; without end outside this server, as in tests."""
    extension: Any = (scope.get("extensions") or {}).get(EXTENSION)
    gone = asyncio.Event() if extension is None else extension["protocol"].connection.gone
    await gone.wait()


async def wait_closed(scope: Scope) -> None:
    """Close the connection of a websocket, and wait until it is gone; do nothing outside this server, as in tests."""
    extension: Any = (scope.get("extensions") or {}).get(EXTENSION)
    if extension is not None:
        await extension["protocol"].wait_closed()
