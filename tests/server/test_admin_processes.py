"""An act of an operator at one of two processes takes effect at both."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from websockets.asyncio.client import connect

from sevenhues import protocol
from sevenhues.client import Client, Disconnected, Refused
from tests.server.bot_accounts import Listener, listening
from tests.server.conftest import OPTIONS
from tests.server.operators import OPERATOR, TOKEN
from tests.server.play import DEADLINE_SECONDS, wait_until
from tests.server.process import ServerProcess, two_processes

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
Servers = tuple[ServerProcess, ServerProcess]


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory, new_shared_store: Callable[[], tuple[str, ...]]
) -> Iterator[Servers]:
    folder: Path = tmp_path_factory.mktemp("two")
    token = folder / "admin.token"
    token.write_text(TOKEN, encoding="ascii")
    token.chmod(0o600)
    with two_processes(folder, *OPTIONS, *new_shared_store(), "--admin-token-file", str(token)) as servers:
        yield servers


@asynccontextmanager
async def operator_at(server: ServerProcess) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.url, headers=OPERATOR, timeout=60) as http:
        yield http


async def answer_of(http: httpx.AsyncClient, method: str, path: str, body: Any = None) -> Any:
    answer = await http.request(method, f"/api/admin/{path}", json=body)
    assert answer.is_success, answer.text
    return answer.json()


async def test_ban_at_one_process_closes_connections_and_holds_at_the_other(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as http, Client(two.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"])
        async with ada.live(table.id) as own, ben.live(table.id) as other:
            await answer_of(http, "POST", f"people/{ada.me.id}/ban", {"reason": "insults", "seconds": 3600})
            async for _ in own.messages():
                pass  # until the connection is closed for good
            with pytest.raises(Disconnected, match="banned"):
                await own.resign(0)
            assert other.connected
            await wait_until(lambda: other.table is not None and not other.table.seats[0].connected)
        for url in (one.url, two.url):
            async with Client(url, cookie=ada.cookie) as again:
                assert again.me.banned is not None
                assert again.me.banned.reason == "insults"
                with pytest.raises(Refused) as refused:
                    await again.create_table("rainbow", ["me", "open"])
                assert refused.value.key == "banned"
                assert (await again.table(table.id)).your_seats == [0], "reading works"
            address = f"ws{url.removeprefix('http')}/api/tables/{table.id}/live"
            headers = {"cookie": f"sevenhues={ada.cookie}"}
            async with connect(address, additional_headers=headers, open_timeout=DEADLINE_SECONDS) as socket:
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await socket.recv()
            assert closed.value.rcvd is not None
            assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4403, "banned")
        await answer_of(http, "DELETE", f"people/{ada.me.id}/ban")
        async with Client(two.url, cookie=ada.cookie) as again, asyncio.timeout(DEADLINE_SECONDS):
            while (await again._request("GET", "/api/me", protocol.Me)).banned is not None:
                await asyncio.sleep(0.02)  # until the other process knows
            await again.create_table("rainbow", ["me", "open"])


async def test_ban_of_an_owner_closes_the_connections_of_their_bots(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as http, Client(two.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        table = await ben.create_table("rainbow", ["me", "open"], bots_welcome=True)
        async with Client(two.url, token=new.token) as bot, listening(bot) as listener:
            await bot.join(table.id)
            async with bot.live(table.id) as live:
                await answer_of(http, "POST", f"people/{ada.me.id}/ban", {"reason": "insults"})
                async for _ in live.messages():
                    pass  # until the connection is closed for good
                await wait_until(lambda: listener.ended is not None)
                assert "banned" in str(listener.ended)
                with pytest.raises(Refused) as refused:
                    await bot.leave(table.id, 1)
                assert refused.value.key == "banned"
            again = Listener()
            async with asyncio.timeout(DEADLINE_SECONDS):
                await again.listen(bot)
            assert "banned" in str(again.ended)
            assert new.bot.player not in [one.player for one in await ben.online_bots("rainbow")]


async def test_ban_of_an_address_closes_the_connections_of_bots(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as http, Client(two.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        async with Client(two.url, token=new.token) as bot, listening(bot) as listener:
            address = {"address": "127.0.0.1"}
            await answer_of(http, "POST", "addresses/ban", {**address, "reason": "floods", "seconds": 3600})
            try:
                await wait_until(lambda: listener.ended is not None)
                assert "banned" in str(listener.ended)
            finally:
                await answer_of(http, "POST", "addresses/unban", address)
                while httpx.get(f"{two.url}/api/me", cookies={"sevenhues": ada.cookie}, timeout=60).json()["banned"]:
                    pass  # until the other process knows


async def test_mute_at_one_process_is_known_at_the_other(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as first, operator_at(two) as second, Client(two.url, "Mia") as mia:
        await answer_of(first, "POST", f"people/{mia.me.id}/mute", {"reason": "noise"})
        table, new = await mia.create_table("rainbow", ["me", "open"], bots_welcome=True), await mia.create_bot("Mo")
        async with Client(two.url, token=new.token) as bot:
            await bot.join(table.id)
            for client in (mia, bot):
                async with client.live(table.id) as live:
                    with pytest.raises(Refused) as refused:
                        await live.say("hello")
                    assert refused.value.key == "muted"
        person = (await answer_of(second, "GET", f"people/{mia.me.id}"))["person"]
        assert [(one["kind"], one["reason"]) for one in person["restrictions"]] == [("muted", "noise")]
        await answer_of(second, "DELETE", f"people/{mia.me.id}/mute")
        assert (await answer_of(first, "GET", f"people/{mia.me.id}"))["person"]["restrictions"] == []


async def test_announcement_reaches_those_connected_elsewhere_and_those_who_come_later(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as http, Client(two.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        async with ada.live(table.id) as before:
            body = {"starts": 4_000_000_000_000, "seconds": 3600, "note": "New games!"}
            announced = await answer_of(http, "POST", "announcements", body)
            await wait_until(lambda: before.maintenance)
            (window,) = before.maintenance
            assert (window.starts, window.ends, window.note) == (announced["starts"], announced["ends"], "New games!")
            async with ada.live(table.id) as later:
                await wait_until(lambda: later.maintenance == [window])
                await answer_of(http, "DELETE", f"announcements/{announced['id']}")
                await wait_until(lambda: not before.maintenance and not later.maintenance)
        async with Client(two.url) as newcomer:
            assert newcomer.me.maintenance == []


async def test_status_shows_both_processes(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as http:
        pids: list[int] = []
        async with asyncio.timeout(DEADLINE_SECONDS):
            while two.pid not in pids:  # servers of other tests, which use the same Redis, report too
                pids = [process["pid"] for process in (await answer_of(http, "GET", "status"))["processes"]]
                assert pids[0] == one.pid


async def test_link_of_one_process_opens_the_page_at_the_other_once(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as http, httpx.AsyncClient(timeout=60) as browser:
        path = (await answer_of(http, "POST", "link"))["url"].removeprefix(one.url)
        assert (await browser.get(two.url + path)).status_code == 303
        assert (await browser.get(f"{two.url}/admin")).status_code == 200
        assert (await browser.get(one.url + path)).status_code == 404


async def test_table_that_is_removed_at_one_process_is_gone_at_the_other(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as http, Client(two.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        async with ada.live(table.id) as live:
            await answer_of(http, "POST", f"tables/{table.id}/end", {"reason": "stuck"})
            closings = [one async for one in live.messages() if isinstance(one, protocol.Closing)]
            assert closings == [protocol.Closing("gone")]


async def test_acts_at_both_processes_at_once_are_all_in_the_audit_log(servers: Servers) -> None:
    one, two = servers
    async with operator_at(one) as first, operator_at(two) as second, Client(one.url, "Ada") as ada:
        people = [ada.me.id] * 12
        acts = [
            answer_of(http, "POST", f"people/{user_id}/mute", {"reason": f"noise {number}"})
            for number, user_id in enumerate(people)
            for http in (first, second)
        ]
        await asyncio.gather(*acts)
        entries = (await answer_of(first, "GET", f"log?target={ada.me.id}"))["entries"]
        reasons = sorted(entry["details"]["reason"] for entry in entries)
        assert reasons == sorted(f"noise {number}" for number in range(12) for _ in range(2))
        numbers = [entry["number"] for entry in (await answer_of(second, "GET", "log"))["entries"]]
        assert numbers == list(range(numbers[0], numbers[0] - len(numbers), -1))
