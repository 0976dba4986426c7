"""Rate limits: excess is refused with a time to wait, and others are not affected."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from websockets import ConnectionClosed
from websockets.asyncio.client import ClientConnection, connect

from sevenhues import client
from sevenhues.client import Client
from sevenhues.server.http import rate_limits
from sevenhues.server.http.rate_limits import Rate, RateLimit, RateLimits
from sevenhues.server.table.errors import Refused
from tests.server.play import DEADLINE_SECONDS, start_game, wait_until
from tests.server.process import ServerProcess

MAX_SOCKETS = 3
MAX_REMATCHES = 20  # far more than the limit allows while they are made


def test_tokens_are_taken_and_refilled(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(rate_limits, "monotonic", lambda: now[0])
    limit = RateLimit(Rate(2, 0.5))
    limit.take("ada")
    limit.take("ada")
    with pytest.raises(Refused) as refused:
        limit.take("ada")
    assert (refused.value.key, refused.value.parameters) == ("too-many", {"seconds": 2})
    limit.take("ben")
    now[0] += 2
    limit.take("ada")
    with pytest.raises(Refused):
        limit.take("ada")


def test_messages_over_a_limit_wait_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(rate_limits, "monotonic", lambda: now[0])
    limit = RateLimit(Rate(2, 0.5))
    limit.count("ada", 2)
    assert limit.delay("ada") == 0.0
    limit.count("ada", 1)
    assert limit.delay("ada") == 2.0
    assert limit.delay("ben") == 0.0
    now[0] += 4
    assert limit.delay("ada") == 0.0
    for _ in range(100):  # of as many connections at once
        limit.count("ada", 50)
    assert limit.delay("ada") == pytest.approx(100 * 50 / 0.5, rel=0.01), "all of them are paid for"


def test_rate_limit_uses_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 10)
    limit = RateLimit(Rate(1, 1))
    for i in range(1000):
        limit.take(str(i))
    assert len(limit._buckets) == 10


def test_connections_are_counted_until_they_close() -> None:
    limited = RateLimits(2)
    first = limited.open_connection("ada", "1.2.3.4")
    limited.open_connection(None, "1.2.3.4")
    with pytest.raises(Refused) as refused:
        limited.open_connection("ben", "1.2.3.4")
    assert refused.value.key == "too-many-sockets"
    limited.open_connection("ben", "5.6.7.8")
    limited.close_connection(first)
    limited.open_connection("ben", "1.2.3.4")


@pytest.fixture(scope="module")
def limited_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with its default limits, and few connections for one address."""
    data = tmp_path_factory.mktemp("limited-server")
    with ServerProcess(data, "--max-connections-per-address", str(MAX_SOCKETS)) as running:
        yield running


@pytest.mark.slow
@pytest.mark.anyio
async def test_user_who_creates_too_many_tables_has_to_wait(limited_server: ServerProcess) -> None:
    async with Client(limited_server.url) as greedy, Client(limited_server.url) as ben:
        for _ in range(int(rate_limits.TABLES.burst)):
            await greedy.create_table("rainbow", ["me", "open"])
        answer = await create_until_refused(greedy)
        assert answer.status_code == 429
        assert answer.json()["key"] == "too-many"
        assert 0 < int(answer.headers["retry-after"]) <= 1 / rate_limits.TABLES.per_second
        assert (await ben.create_table("rainbow", ["me", "open"])).status == "waiting"


async def create_until_refused(greedy: Client) -> httpx.Response:
    """Create tables until the server refuses one. On a slow machine the limit is refilled meanwhile."""
    body = {"game": "rainbow", "seats": [{"kind": "me"}] * 2}
    async with asyncio.timeout(DEADLINE_SECONDS):
        while (answer := await greedy._http.post("/api/tables", json=body)).status_code == 201:
            pass
    return answer


@pytest.mark.slow
@pytest.mark.anyio
async def test_rematches_count_as_tables_of_the_user_who_offers_them(limited_server: ServerProcess) -> None:
    async with Client(limited_server.url) as greedy:
        table, seat = (await greedy.create_table("rainbow", ["me", "bot:random"])).id, 0
        await create_until_refused(greedy)
        keys: list[str] = []
        for _ in range(MAX_REMATCHES):
            async with greedy.live(table) as live:
                await start_game(live)
                await live.resign(seat)
                try:
                    await live.rematch()
                except client.Refused as error:
                    keys.append(error.key)
                    break
                await wait_until(lambda live=live: live.table is not None and live.table.next)
                assert live.table is not None
                table, seat = str(live.table.next), 1 - seat
        assert keys == ["too-many"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_transfer_codes_cannot_be_guessed_by_trying(limited_server: ServerProcess) -> None:
    keys: list[str] = []
    async with Client(limited_server.url) as thief, asyncio.timeout(DEADLINE_SECONDS):
        while "too-many" not in keys:
            with pytest.raises(client.Refused) as refused:
                await thief.transfer(f"guess-{len(keys)}")
            keys.append(refused.value.key)
    burst = int(rate_limits.TRANSFERS.burst)
    assert keys[:burst] == ["no-code"] * burst


@pytest.mark.slow
@pytest.mark.anyio
async def test_connections_of_one_address_are_limited(limited_server: ServerProcess) -> None:
    async def connect_and_read() -> ClientConnection | None:
        """Connect, and return the connection; None if the server closes it as one too many."""
        socket = await connect(address)
        try:
            await socket.recv()
        except ConnectionClosed:
            assert (socket.close_code, socket.close_reason) == (4429, "too-many-sockets")
            return None
        return socket

    async with Client(limited_server.url) as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
    address = f"ws://127.0.0.1:{limited_server.port}/api/tables/{table.id}/live"
    sockets = [await connect_and_read() for _ in range(MAX_SOCKETS)]
    assert await connect_and_read() is None
    first = sockets.pop()
    assert first is not None
    await first.close()
    async with asyncio.timeout(DEADLINE_SECONDS):
        while (again := await connect_and_read()) is None:  # until the server has seen that the other is closed
            await asyncio.sleep(0.02)
    for socket in (again, *sockets):
        assert socket is not None
        await socket.close()
