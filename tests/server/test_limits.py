"""Rate limits: excess is refused with a time to wait, and others are not affected."""

import asyncio
from collections.abc import Iterator

import pytest
from websockets import ConnectionClosed
from websockets.asyncio.client import ClientConnection, connect

from sevenhues.client import Client, Refused
from sevenhues.server.errors import Declined
from sevenhues.server.http import rate_limits
from sevenhues.server.http.rate_limits import Allowance, Limits, Rate
from tests.server.play import DEADLINE_SECONDS
from tests.server.process import ServerProcess

MAX_SOCKETS = 3


def test_allowance_is_spent_and_refilled(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(rate_limits, "monotonic", lambda: now[0])
    allowance = Allowance(Rate(2, 0.5))
    allowance.spend("ada")
    allowance.spend("ada")
    with pytest.raises(Declined) as declined:
        allowance.spend("ada")
    assert (declined.value.key, declined.value.parameters) == ("too-many", {"seconds": 2})
    allowance.spend("ben")
    now[0] += 2
    allowance.spend("ada")
    with pytest.raises(Declined):
        allowance.spend("ada")


def test_allowances_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_KNOWN", 10)
    allowance = Allowance(Rate(1, 1))
    for i in range(1000):
        allowance.spend(str(i))
    assert len(allowance._left) == 10


def test_connections_are_counted_until_they_close() -> None:
    limited = Limits(2)
    first = limited.connect("ada", "1.2.3.4")
    limited.connect(None, "1.2.3.4")
    with pytest.raises(Declined) as declined:
        limited.connect("ben", "1.2.3.4")
    assert declined.value.key == "too-many-sockets"
    limited.connect("ben", "5.6.7.8")
    limited.part(first)
    limited.connect("ben", "1.2.3.4")


@pytest.fixture(scope="module")
def limited_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with its default limits, and few connections for one address."""
    data = tmp_path_factory.mktemp("limited-server")
    with ServerProcess(data, "--sockets-of-address", str(MAX_SOCKETS)) as running:
        yield running


@pytest.mark.slow
@pytest.mark.anyio
async def test_user_who_creates_too_many_tables_has_to_wait(limited_server: ServerProcess) -> None:
    async with Client(limited_server.url) as greedy, Client(limited_server.url) as ben:
        for _ in range(int(rate_limits.TABLES.burst)):
            await greedy.lay("rainbow", ["me", "open"])
        body = {"game": "rainbow", "seats": [{"kind": "me"}] * 2}
        async with asyncio.timeout(DEADLINE_SECONDS):
            # On a slow machine the allowance may be refilled by one while the others are created.
            while (answer := await greedy._http.post("/api/tables", json=body)).status_code == 201:
                pass
        assert answer.status_code == 429
        assert answer.json()["key"] == "too-many"
        assert 0 < int(answer.headers["retry-after"]) <= 1 / rate_limits.TABLES.a_second
        assert (await ben.lay("rainbow", ["me", "open"])).status == "waiting"


@pytest.mark.slow
@pytest.mark.anyio
async def test_transfer_codes_cannot_be_guessed_by_trying(limited_server: ServerProcess) -> None:
    keys: list[str] = []
    async with Client(limited_server.url) as thief, asyncio.timeout(DEADLINE_SECONDS):
        while "too-many" not in keys:
            with pytest.raises(Refused) as refused:
                await thief.claim(f"guess-{len(keys)}")
            keys.append(refused.value.key)
    burst = int(rate_limits.CLAIMS.burst)
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
        table = await ada.lay("rainbow", ["me", "open"])
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
