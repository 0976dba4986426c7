"""What is too much is refused, with how long to wait, and disturbs nobody else."""

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from sevenhues.client import Client, Refused
from sevenhues.server import limits
from sevenhues.server.declined import Declined
from sevenhues.server.limits import Allowance, Limits, Rate
from tests.server.process import ServerProcess


def test_an_allowance_is_spent_and_fills_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(limits, "monotonic", lambda: now[0])
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


def test_memory_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_KNOWN", 10)
    allowance = Allowance(Rate(1, 1))
    for i in range(1000):
        allowance.spend(str(i))
    assert len(allowance._left) == 10


def test_sockets_are_counted_and_given_back() -> None:
    counted = Limits(2)
    first = counted.connect("ada", "1.2.3.4")
    counted.connect(None, "1.2.3.4")
    with pytest.raises(Declined) as declined:
        counted.connect("ben", "1.2.3.4")
    assert declined.value.key == "too-many-sockets"
    counted.connect("ben", "5.6.7.8")
    counted.part(first)
    counted.connect("ben", "1.2.3.4")


@pytest.mark.anyio
async def test_who_lays_too_many_tables_waits_and_others_do_not(server: ServerProcess) -> None:
    async with Client(server.url) as greedy, Client(server.url) as ben:
        for _ in range(int(limits.TABLES.burst)):
            await greedy.lay("rainbow", ["me", "open"])
        answer = await greedy._http.post("/api/tables", json={"game": "rainbow", "seats": [{"kind": "me"}] * 2})
        assert answer.status_code == 429
        assert answer.json()["key"] == "too-many"
        assert 0 < int(answer.headers["retry-after"]) <= 5
        assert (await ben.lay("rainbow", ["me", "open"])).status == "waiting"


@pytest.mark.anyio
async def test_codes_cannot_be_guessed_by_trying(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url) as thief:
            keys = []
            for i in range(40):
                with pytest.raises(Refused) as refused:
                    await thief.claim(f"guess-{i}")
                keys.append(refused.value.key)
        assert keys[:20] == ["no-code"] * 20
        assert keys[-1] == "too-many"


@pytest.mark.anyio
async def test_one_address_has_so_many_sockets(data: Path) -> None:
    with ServerProcess(data, "--sockets-of-address", "3") as server:
        async with Client(server.url) as ada:
            table = await ada.lay("rainbow", ["me", "open"])
            address = f"ws://127.0.0.1:{server.port}/api/tables/{table.id}/live"
            held = [await connect(address) for _ in range(3)]
            async with connect(address) as one_more:
                await one_more.wait_closed()
                assert (one_more.close_code, one_more.close_reason) == (4429, "too-many-sockets")
            await held[0].close()
            await asyncio.sleep(0.2)
            async with connect(address) as again:
                await again.recv()
            for socket in held[1:]:
                await socket.close()
