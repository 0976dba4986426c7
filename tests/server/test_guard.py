"""Cross-origin requests are refused, headers are strict, and no secret is logged."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from websockets.asyncio.client import connect

from sevenhues.client import Client
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.http import rate_limits
from sevenhues.server.http.context import AppContext
from sevenhues.server.http.rate_limits import Rate
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from tests.server.play import start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:1", "null", "http://localhost", "http://[::1", ""]
)
async def test_cross_origin_websocket_is_refused(server: ServerProcess, origin: str) -> None:
    async with Client(server.url) as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        headers = {"cookie": f"sevenhues={ada.cookie}", "origin": origin}
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table.id}/live"
        async with connect(address, additional_headers=headers) as socket:
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await socket.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4403, "cross-origin")


async def test_same_origin_websocket_is_accepted(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table.id}/live"
        async with connect(address, additional_headers={"origin": server.url}) as socket:
            assert json.loads(await socket.recv())["type"] == "table"


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({"origin": "https://evil.example"}, "cross-origin"),
        ({"origin": "null"}, "cross-origin"),
        ({"origin": "null", "host": ""}, "cross-origin"),
        ({"origin": "http://[::1"}, "cross-origin"),
        ({"sec-fetch-site": "cross-site"}, "cross-origin"),
        ({"content-type": "application/x-www-form-urlencoded"}, "bad-type"),
        ({"content-type": "multipart/form-data; boundary=x"}, "bad-type"),
        ({"content-type": "text/plain"}, "bad-type"),
    ],
)
async def test_forms_and_cross_origin_requests_are_refused(
    server: ServerProcess, headers: dict[str, str], key: str
) -> None:
    async with Client(server.url) as ada:
        body = b'{"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}'
        for path in ("/api/tables", "/api/me/transfer-code", "/api/me/transfer"):
            sent = {"content-type": "application/json"} | headers
            answer = await ada._http.post(path, content=body, headers=sent)
            assert answer.json()["key"] == key
        assert await ada.tables("mine") == []


async def test_every_response_has_strict_headers(server: ServerProcess) -> None:
    paths = ["/", "/api/games", "/api/tables/none", "/nowhere.js", "/healthz", "/api/schema", "/api/none"]
    requests = [("GET", path) for path in paths] + [("HEAD", "/healthz"), ("PUT", "/api/me"), ("TRACE", "/")]
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        for method, path in requests:
            headers = (await http.request(method, path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-frame-options"] == "DENY"


async def test_answers_of_the_api_are_not_stored_unless_they_say_so(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        for path in ("/api/me", "/api/tables?which=mine", "/api/tables/none", "/api/none"):
            assert (await http.get(path)).headers["cache-control"] == "no-store"
        assert (await http.get("/")).headers.get("cache-control") != "no-store"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("games.example", 200),
        ("GAMES.example.:8777", 200),
        ("localhost:8777", 200),
        ("192.168.1.20:8777", 200),
        ("[::1]:8777", 200),
        ("evil.example", 400),
        ("games.example.evil.example", 400),
        ("[::1", 400),
        ("", 400),
    ],
)
async def test_host_that_is_not_allowed_is_refused(tmp_path: Path, host: str, status: int) -> None:
    app = app_in_process(Settings(tmp_path, bot_workers=1, allowed_hosts=("games.example",)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://any") as http:
        assert (await http.get("/api/games", headers={"host": host})).status_code == status


async def test_every_host_is_allowed_by_default(tmp_path: Path) -> None:
    app = app_in_process(Settings(tmp_path, bot_workers=1))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://any") as http:
        for host in ("games.example", "my-laptop", "my-laptop.local:8777", "192.168.1.20:8777"):
            assert (await http.get("/api/games", headers={"host": host})).status_code == 200


async def test_addresses_of_one_ipv6_network_share_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "REQUESTS", Rate(1, 0.001))
    app = app_in_process(Settings(tmp_path, bot_workers=1))
    statuses = []
    for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"):
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://any") as http:
            statuses.append((await http.get("/api/games")).status_code)
    assert statuses == [200, 429, 200]


def app_in_process(settings: Settings) -> Any:
    """Make the application without a server."""
    live_tables = LiveTables(settings, SqliteStore(settings.database))
    return make_app(AppContext(live_tables, SigningKeys(["unused"])))


async def test_head_is_answered_like_get_without_a_body(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        answer = await http.head("/healthz")
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-length"] == "15"
        assert (await http.head("/api/tables/none")).status_code == 404


async def test_no_page_refers_to_other_sites(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        for path in ("/schema", "/schema/scalar", "/api/openapi", "/api/openapi/openapi.json"):
            assert "cdn" not in (await http.get(path)).text


@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"name": ' + b"[" * 60_000, b'{"name": "\xed\xa0\x80"}', b"\xff"])
async def test_unreadable_body_is_a_bad_request(server: ServerProcess, body: bytes) -> None:
    begin = server.log_size
    async with Client(server.url) as ada:
        answer = await ada._http.patch("/api/me", content=body, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["key"]) == (400, "bad-request")
    assert "internal error" not in server.logged(begin)


async def test_too_long_body_is_refused(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        answer = await ada._http.patch("/api/me", json={"name": "x" * 200_000})
        assert answer.status_code == 413
        assert answer.json()["text"]


async def test_log_contains_no_secrets(server: ServerProcess) -> None:
    begin = server.log_size
    async with Client(server.url, "Ada Lovelace") as ada, Client(server.url) as phone:
        code = (await ada.transfer_code()).code
        await phone.transfer(code)
        table = await ada.create_table("rainbow", ["me", "bot:random"])
        async with ada.live(table.id) as live:
            await start_game(live)
            entropy = live.entropy
            await live.resign(0)
            await wait_until(lambda: live.table is not None and live.table.proof is not None)
            assert live.table is not None
            assert live.table.proof is not None
            secret = live.table.proof.secret
        cookie = ada.cookie
        await ada._http.get("/api/schema")
    await wait_until(lambda: '"route": "/api/schema"' in server.logged(begin))
    log = server.logged(begin)
    keys = (server.data / "signing.keys").read_text().split()
    assert '"route": "/api/me/transfer"' in log
    for hidden in (code, cookie, entropy, secret, "Ada Lovelace", ada.me.id, *keys):
        assert hidden not in log


@pytest.mark.slow
async def test_environment_names_trusted_proxies_and_origins(
    data: Path, monkeypatch: pytest.MonkeyPatch, sqlite_server: ServerProcess
) -> None:
    monkeypatch.setenv("SEVENHUES_TRUSTED_PROXY", "192.0.2.1 127.0.0.1")
    monkeypatch.setenv("SEVENHUES_ORIGIN", "https://one.example https://two.example")
    headers = {"x-forwarded-proto": "https", "origin": "https://two.example"}
    with ServerProcess(data) as trusting:
        async with httpx.AsyncClient(base_url=trusting.url, timeout=60, headers=headers) as http:
            headers_over_https = (await http.get("/api/me")).headers
            assert "; secure" in headers_over_https["set-cookie"].lower()
            assert headers_over_https["strict-transport-security"] == "max-age=31536000"
            assert (await http.post("/api/me/transfer-code")).json()["key"] == "no-identity"
    async with httpx.AsyncClient(base_url=sqlite_server.url, timeout=60, headers=headers) as http:
        headers_over_http = (await http.get("/api/me")).headers
        assert "; secure" not in headers_over_http["set-cookie"].lower()
        assert "strict-transport-security" not in headers_over_http
        assert (await http.post("/api/me/transfer-code")).json()["key"] == "cross-origin"


async def test_health_games_and_rules_are_served(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        games = (await http.get("/api/games")).json()
        assert {game["id"] for game in games} >= {"rainbow", "nimble"}
        assert "**RB-1**" in (await http.get("/api/games/rainbow/rules")).text
        assert "Schatten" in (await http.get("/api/games/rainbow/rules?language=de")).text
        assert "shade" in (await http.get("/api/games/rainbow/rules?language=xx")).text
        assert (await http.get("/api/games/chess/rules")).status_code == 404
