"""Clients that send or read nothing, or without end, are disconnected, and use little memory until then."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Literal
from unittest.mock import AsyncMock

import pytest

from sevenhues.client import Client
from sevenhues.server import transport
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.client_address import network_of
from sevenhues.server.garbage_collection import FullCollections
from sevenhues.server.http import rate_limits
from sevenhues.server.http.context import AppContext
from sevenhues.server.http.rate_limits import Rate, RateLimit
from sevenhues.server.live import client_messages, connection
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.main import SEND_BUFFER_BYTES, Server, schema_document, web_config
from sevenhues.server.prometheus_metrics import PrometheusMetrics
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.transport import Connections, WebSocketProtocol
from tests.server.live_tables import PAIR, RAINBOW
from tests.server.play import DEADLINE_SECONDS, seat_to_act, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
CONNECTIONS = "sevenhues_websocket_connections"
MAX_SENT = 32 * 1024 * 1024  # bytes: much more than the kernel buffers for a connection
LONG_BODY = 4 * 1024 * 1024  # bytes: more than the kernel buffers for a client with a small buffer
REQUEST = b"GET /api/server HTTP/1.1\r\nHost: x\r\n"
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{headers}\r\n"
)
TEXT_FRAME, CLOSE_FRAME = b"\x81", b"\x88"
MESSAGE = b"\x81\x82\0\0\0\0{}"  # a text frame whose mask is 0
Scope = dict[str, Any]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("beginning", "repeated"),
    [
        pytest.param(REQUEST, b"A: b\r\n", id="headers"),
        pytest.param(REQUEST + b"A: ", b"x", id="header"),
        pytest.param(b"GET /", b"x", id="path"),
        pytest.param(REQUEST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"A: b\r\n", id="trailers"),
        pytest.param(b"", REQUEST + b"\r\n", id="requests"),
    ],
)
def test_request_without_end_is_cut_off(sqlite_server: ServerProcess, beginning: bytes, repeated: bytes) -> None:
    with socket.create_connection(("127.0.0.1", sqlite_server.port), DEADLINE_SECONDS) as client:
        client.sendall(beginning)
        with pytest.raises(ConnectionError):
            send_repeatedly(client, repeated)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("beginning", "repeated"),
    [
        pytest.param(b"", b"\x89\xfd\0\0\0\0" + b"x" * 125, id="pings"),
        pytest.param(b"", b"\x8a\x80\0\0\0\0", id="pongs"),
        pytest.param(b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0", id="continuations"),
    ],
)
async def test_control_frames_without_end_are_cut_off(
    sqlite_server: ServerProcess, beginning: bytes, repeated: bytes
) -> None:
    async with Client(sqlite_server.url) as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
    with socket.create_connection(("127.0.0.1", sqlite_server.port), DEADLINE_SECONDS) as client:
        client.sendall(HANDSHAKE.format(path=f"/api/tables/{table.id}/live", headers="").encode() + beginning)
        assert client.recv(12) == b"HTTP/1.1 101"
        with pytest.raises(ConnectionError):
            send_repeatedly(client, repeated)


def send_repeatedly(client: socket.socket, data: bytes) -> None:
    """Send data again and again, and read nothing."""
    block = data * (65536 // len(data))
    for _ in range(MAX_SENT // len(block)):
        client.sendall(block)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "status"), [(transport.MAX_HEAD_BYTES - 1000, b"200"), (transport.MAX_HEAD_BYTES + 1000, b"400")]
)
def test_headers_are_limited(sqlite_server: ServerProcess, length: int, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", sqlite_server.port), DEADLINE_SECONDS) as client:
        client.sendall(REQUEST + b"A: " + b"x" * length + b"\r\n\r\n")
        assert client.recv(12) == b"HTTP/1.1 " + status


@pytest.mark.slow
@pytest.mark.parametrize("headers", ["A: b\r\n" * 150, f"Cookie: {'x' * 9000}\r\n"])
def test_unreadable_handshake_is_answered(sqlite_server: ServerProcess, headers: str) -> None:
    with socket.create_connection(("127.0.0.1", sqlite_server.port), DEADLINE_SECONDS) as client:
        client.sendall(HANDSHAKE.format(path="/api/tables/none/live", headers=headers).encode())
        assert client.recv(12) == b"HTTP/1.1 400"


@pytest.mark.slow
async def test_client_cannot_fill_the_log(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url) as ada:
            table = await ada.create_table("rainbow", ["me", "open"])
        handshake = HANDSHAKE.format(path=f"/api/tables/{table.id}/live", headers="").encode()
        begin = server.log_size
        for sent in (
            b"\xff\r\n\r\n",
            REQUEST + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            handshake + b"\x81\x82\0\0\0\0\xff\xfe",  # a text frame that is not UTF-8
        ):
            with socket.create_connection(("127.0.0.1", server.port), DEADLINE_SECONDS) as client:
                client.sendall(sent)
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):
                    pass
        assert server.logged(begin) == ""


@asynccontextmanager
async def serving(app: Any, connections: Connections, lifespan: Literal["on", "off"] = "off") -> AsyncIterator[int]:
    """Serve an application in this process, and return the port."""
    ready = asyncio.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        server = Server(web_config(app, lifespan=lifespan), connections, AsyncMock(), FullCollections(), ready.set)
        running = asyncio.create_task(server._serve([listener]))
        await ready.wait()
        try:
            yield listener.getsockname()[1]
        finally:
            for connection in list(connections.open.values()):
                connection.abort()
            server.should_exit = True
            await running


async def answer_at_length(scope: Scope, receive: Callable[[], Awaitable[Any]], send: AsyncMock) -> None:
    """Read the request, and answer with more than the kernel buffers."""
    while (await receive()).get("more_body"):
        pass
    body = b"x" * LONG_BODY
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def connect_with_small_buffer(port: int) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    return client


@pytest.mark.parametrize(
    ("sent", "limit"),
    [
        pytest.param(b"", "REQUEST_SECONDS", id="nothing"),
        pytest.param(REQUEST, "REQUEST_SECONDS", id="half a head"),
        pytest.param(REQUEST + b"Content-Length: 5\r\n\r\n{", "REQUEST_SECONDS", id="half a body"),
        pytest.param(REQUEST + b"\r\n", "STALL_SECONDS", id="response not read"),
        pytest.param(REQUEST + b"Connection: close\r\n\r\n", "STALL_SECONDS", id="last response not read"),
    ],
)
async def test_client_that_sends_or_reads_nothing_is_disconnected(
    monkeypatch: pytest.MonkeyPatch, sent: bytes, limit: str
) -> None:
    monkeypatch.setattr("sevenhues.server.main.TICKS_PER_SECOND", 1)
    connections = Connections(0, lambda address: False)
    async with serving(answer_at_length, connections) as port:
        with connect_with_small_buffer(port) as client:
            await wait_until(lambda: connections.open)
            client.sendall(sent)
            monkeypatch.setattr(transport, limit, 0.0)
            await wait_until(lambda: not connections.open)


async def test_client_that_reads_slowly_gets_its_response(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sevenhues.server.main.TICKS_PER_SECOND", 10**9)  # only this test checks
    connections = Connections(0, lambda address: False)
    async with serving(answer_at_length, connections) as port:
        with connect_with_small_buffer(port) as client:
            reader, writer = await asyncio.open_connection(sock=client)
            writer.write(REQUEST + b"\r\n")
            await reader.readuntil(b"\r\n\r\n")
            (connection,) = connections.open.values()
            now = monotonic()
            connection.check(now)
            for _ in range(3):
                unsent = connection.transport.get_write_buffer_size()
                await reader.readexactly(LONG_BODY // 4)
                await wait_until(lambda unsent=unsent: connection.transport.get_write_buffer_size() < unsent)
                now += transport.STALL_SECONDS - 1
                connection.check(now)
            await reader.readexactly(LONG_BODY // 4)
            writer.close()


async def test_connections_of_a_network_are_limited() -> None:
    connections = Connections(2, lambda address: False)
    async with serving(answer_at_length, connections) as port:
        clients = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        await wait_until(lambda: len(connections.open) == 2)
        assert await is_closed(await asyncio.open_connection("127.0.0.1", port))
        clients[0][1].close()
        await wait_until(lambda: len(connections.open) == 1)
        clients.append(await asyncio.open_connection("127.0.0.1", port))
        await wait_until(lambda: len(connections.open) == 2)
        for _, writer in clients:
            writer.close()


async def test_connections_of_a_proxy_are_not_limited() -> None:
    connections = Connections(1, lambda address: address == "127.0.0.1")
    async with serving(answer_at_length, connections) as port:
        clients = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        await wait_until(lambda: len(connections.open) == 3)
        for _, writer in clients:
            writer.close()


async def is_closed(streams: Streams) -> bool:
    """Tell whether the server closes a connection to which nothing is sent."""
    try:
        return not await streams[0].read(1)
    except ConnectionError:
        return True


@asynccontextmanager
async def serving_tables(
    data: Path, max_websockets: int, allowed_hosts: tuple[str, ...] = ()
) -> AsyncIterator[tuple[LiveTables, int, str]]:
    """Serve tables in this process; return them, the port, and the path of a table's websocket."""
    settings = Settings(data, bot_workers=1, max_connections_per_address=max_websockets, allowed_hosts=allowed_hosts)
    data.mkdir()
    live_tables = LiveTables(settings, SqliteStore(settings.database), metrics=PrometheusMetrics())
    app = make_app(AppContext(live_tables, SigningKeys(["unused"])))
    async with serving(app, Connections(0, lambda address: False), "on") as port:
        table = await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
        yield live_tables, port, f"/api/tables/{table.id}/live"


async def open_websocket(port: int, path: str) -> Streams:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HANDSHAKE.format(path=path, headers="").encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def measured(live_tables: LiveTables, metric: str, **labels: str) -> float:
    """Return the value of a metric."""
    assert isinstance(live_tables.metrics, PrometheusMetrics)
    return live_tables.metrics.registry.get_sample_value(metric, labels) or 0.0


async def flood(live_tables: LiveTables, streams: Streams) -> None:
    """Send messages until the server drops the connection, and do not close it."""

    def dropped() -> float:
        return measured(live_tables, f"{CONNECTIONS}_dropped_total", reason="flood")

    before = dropped()
    streams[1].write(MESSAGE * 5000)
    await wait_until(lambda: dropped() == before + 1)


@pytest.mark.slow
async def test_dropped_connection_counts_until_it_is_gone(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "CLOSE_SECONDS", DEADLINE_SECONDS)
    async with serving_tables(data, 1) as (live_tables, port, path):
        first = await open_websocket(port, path)
        await flood(live_tables, first)
        assert measured(live_tables, CONNECTIONS) == 1
        second = await open_websocket(port, path)
        assert b"too-many-sockets" in await second[0].readuntil(b"sockets")
        first[1].close()
        await wait_until(lambda: measured(live_tables, CONNECTIONS) == 0)
        third = await open_websocket(port, path)
        assert b'"type":"table"' in await third[0].readuntil(b'"table"')
        for _, writer in (second, third):
            writer.close()


@pytest.mark.slow
async def test_connection_that_waits_for_its_limit_counts_until_it_is_gone(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    def delay(self: RateLimit, address: str) -> float:
        asked.set()
        return 3600.0

    monkeypatch.setattr(RateLimit, "delay", delay)
    async with serving_tables(data, 1) as (live_tables, port, path):
        reader, writer = await open_websocket(port, path)
        for _ in range(2):  # the second tells who is connected: nothing else is sent, which would fail
            await reader.readuntil(b'"type":"table"')
        writer.write(MESSAGE)
        await asked.wait()
        assert measured(live_tables, CONNECTIONS) == 1
        writer.close()
        await wait_until(lambda: measured(live_tables, CONNECTIONS) == 0)


@pytest.mark.slow
async def test_dropped_connection_is_aborted_if_its_client_does_not_close_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "CLOSE_SECONDS", 0.0)
    async with serving_tables(data, 1) as (live_tables, port, path):
        for _ in range(3):  # each is counted no more when the next connects
            streams = await open_websocket(port, path)
            await flood(live_tables, streams)
            await wait_until(lambda: measured(live_tables, CONNECTIONS) == 0)
            with pytest.raises(ConnectionError):
                await streams[0].read(-1)
            streams[1].close()


@pytest.mark.slow
async def test_connects_of_one_address_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "CONNECTS", Rate(2, 0.001))
    async with serving_tables(data, 0) as (_, port, path):
        first_frames = []
        for _ in range(3):
            reader, writer = await open_websocket(port, path)
            first_frames.append(await reader.readexactly(1))
            writer.close()
        assert first_frames == [TEXT_FRAME, TEXT_FRAME, CLOSE_FRAME]
        reader, writer = await open_websocket(port, path)
        assert (await reader.read(100)).endswith(b"too-many")
        writer.close()


@pytest.mark.slow
@pytest.mark.parametrize(("allowed", "first_frame"), [("x", TEXT_FRAME), ("games.example", CLOSE_FRAME)])
async def test_websocket_of_a_host_that_is_not_allowed_is_refused(data: Path, allowed: str, first_frame: bytes) -> None:
    async with serving_tables(data, 0, (allowed,)) as (_, port, path):
        reader, writer = await open_websocket(port, path)
        assert await reader.readexactly(1) == first_frame
        writer.close()


@pytest.mark.slow
async def test_seat_changes_of_one_address_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "SEAT_CHANGES", Rate(2, 0.001))
    async with serving_tables(data, 0) as (_, port, _), Client(f"http://127.0.0.1:{port}") as ada:
        table = await ada.create_table("rainbow", ["open", "open"])
        changes: tuple[tuple[str, Any], ...] = (
            ("join", {}),
            ("seats/0/leave", None),
            ("seats/1/bot", {"level": "random"}),
        )
        for change, body in changes:
            answer = await ada._http.post(f"/api/tables/{table.id}/{change}", json=body)
            assert answer.status_code == (429 if change == "seats/1/bot" else 200), answer.text
        for change, body in changes:
            assert (await ada._http.post(f"/api/tables/{table.id}/{change}", json=body)).status_code == 429


@pytest.mark.slow
async def test_changes_of_accounts_of_one_address_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "ACCOUNT_CHANGES", Rate(3, 0.001))
    changes = (("PATCH", "", {"name": "Ada"}), ("POST", "/transfer-code", None), ("DELETE", "", None))
    statuses = []
    async with serving_tables(data, 0) as (_, port, _):
        for method, path, body in changes * 2:
            async with Client(f"http://127.0.0.1:{port}") as user:  # another one each time
                statuses.append((await user._http.request(method, f"/api/me{path}", json=body)).status_code)
    assert statuses == [200, 201, 200, 429, 429, 429]


@pytest.mark.slow
async def test_hints_of_one_address_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "HINTS_OF_ADDRESS", Rate(1, 0.001))
    statuses = []
    async with serving_tables(data, 0) as (_, port, _):
        for _ in range(2):
            async with Client(f"http://127.0.0.1:{port}") as user:  # another one each time
                table = await user.create_table("rainbow", ["me", "me:Ben"], hints=True)
                async with user.live(table.id) as live:
                    await start_game(live)
                    path = f"/api/tables/{table.id}/seats/{seat_to_act(live)}/hint"
                    statuses.append((await user._http.post(path)).status_code)
    assert statuses == [200, 429]


@pytest.mark.slow
async def test_tables_read_for_lists_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "TABLES_READ", Rate(2, 0.001))
    async with serving_tables(data, 0) as (live_tables, port, _), Client(f"http://127.0.0.1:{port}") as ada:
        await live_tables.create(RAINBOW, PAIR, "ada", "Ada")
        for evicted, status in ((False, 200), (True, 200), (False, 200), (True, 429)):
            if evicted:
                live_tables.tables.clear()
            assert (await ada._http.get("/api/tables?which=open")).status_code == status


@pytest.mark.slow
async def test_tables_read_by_any_route_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "TABLES_READ", Rate(0, 0.001))
    bodies: dict[str, dict[str, Any]] = {
        "seats/{seat}/bot": {"level": "random"},
        "branch": {"ply": 0, "seat": 0},
    }
    prefix = "/api/tables/{table}"
    for_bots = (f"{prefix}/decline", f"{prefix}/seats/{{seat}}/sample")  # refused to people before a table is read
    paths = {path: list(item) for path, item in schema_document()["paths"].items() if path.startswith(prefix)}
    assert len(paths) > 8
    assert set(for_bots) < set(paths)
    async with serving_tables(data, 0) as (live_tables, port, live), Client(f"http://127.0.0.1:{port}") as ada:
        live_tables.tables.clear()
        for path, methods in paths.items():
            for method in methods:
                body = bodies.get(path.removeprefix(f"{prefix}/"), {}) if method == "post" else None
                address = path.format(table="amber-otter-41", seat=0)
                answer = await ada._http.request(method, address, json=body, params={"ply": 0})
                key = "bots-only" if path in for_bots else "too-many"
                assert answer.json()["key"] == key, f"{method} {path}"
        streams = await open_websocket(port, live)
        assert b"too-many" in await streams[0].readuntil(b"many")
        streams[1].close()


@pytest.mark.slow
async def test_messages_that_come_together_are_parsed_as_they_are_answered(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = 0
    handle_text = WebSocketProtocol.handle_text

    def count_message(protocol: WebSocketProtocol, event: Any) -> None:
        nonlocal parsed
        parsed += 1
        handle_text(protocol, event)

    monkeypatch.setattr(WebSocketProtocol, "handle_text", count_message)
    monkeypatch.setattr(connection, "MESSAGES_PER_SECOND", 0.0)
    async with serving_tables(data, 0) as (live_tables, port, path):
        streams = await open_websocket(port, path)
        await flood(live_tables, streams)
        per_part = transport.PART_BYTES // len(MESSAGE) + 1
        allowed = connection.MAX_BURST + transport.MAX_UNREAD + per_part
        assert connection.MAX_BURST < parsed <= allowed + transport.MAX_BYTES_AFTER_END // len(MESSAGE)
        streams[1].close()


@pytest.mark.slow
async def test_connection_has_its_turn_while_another_is_flooded(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages that came together are answered one in a turn of the event loop."""
    answered: list[bool] = []  # whether a message of the flood was, in each turn
    answer = client_messages.answer

    async def note_answer(*arguments: Any) -> Any:
        answered.append(True)
        asyncio.get_running_loop().call_soon(answered.append, False)
        return await answer(*arguments)

    monkeypatch.setattr(client_messages, "answer", note_answer)
    async with serving_tables(data, 0) as (live_tables, port, path):
        streams = await open_websocket(port, path)
        await flood(live_tables, streams)
        streams[1].close()
    assert answered.count(True) >= connection.MAX_BURST
    assert answered[: int(connection.MAX_BURST)] == [True, False] * (int(connection.MAX_BURST) // 2)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("not:an:address", "not:an:address"),
    ],
)
def test_ipv6_addresses_of_one_site_are_one_network(address: str, network: str) -> None:
    assert network_of(address) == network
