"""The admin API is not there without its token, withstands other sites and guessing, and its sessions end."""

import asyncio
import logging
import re
import stat
from itertools import product
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.admin import authentication
from sevenhues.server.admin.authentication import COOKIE_NAME, LINK_MS, SESSION_MS, load_token
from sevenhues.server.http import rate_limits
from sevenhues.server.http.rate_limits import Rate
from tests.server.operators import FORM, OPERATOR, SITE, TOKEN, Site, comparable
from tests.server.process import DEADLINE_SECONDS, ServerProcess

pytestmark = pytest.mark.anyio
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
OTHER_TOKEN = f"shadmin_{'b' * 43}"


async def admin_paths(site: Site) -> list[str]:
    """Return all paths of the admin API and its page."""
    schema = (await site.operator().get("/api/admin/schema")).json()
    paths = [re.sub(r"\{[^}]*\}", "a", path) for path in schema["paths"]]
    assert len(paths) > 15
    pages = [
        "/admin",
        "/admin/",
        "/admin/admin.js",
        "/admin/enter/code",
        "/admin/enter/",
        "/api/admin/",
        "/api/admin/no",
    ]
    return [*paths, *pages]


ATTEMPTS: list[dict[str, str | bytes]] = [
    {},
    {"authorization": f"Bearer {OTHER_TOKEN}"},
    {"authorization": TOKEN},
    {"authorization": f"Basic {TOKEN}"},
    {"authorization": b"Bearer \xff"},
    {"authorization": f"Bearer shbot_{'a' * 43}"},
    {"cookie": f"{COOKIE_NAME}={TOKEN}"},
    {"cookie": f"sevenhues={TOKEN}"},
]


async def test_admin_api_without_its_token_answers_as_if_it_were_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authentication, "FAILURES", Rate(10_000, 1.0))
    async with Site.opened(tmp_path) as site:
        client, paths = site.client(), await admin_paths(site)
        for headers in ATTEMPTS:
            for path, method in product(paths, METHODS if not headers else ("GET", "POST")):
                body = b"{}" if method in ("POST", "PUT", "PATCH") else None
                sent = headers | ({"content-type": "application/json"} if body else {})
                answer = comparable(await client.request(method, path, headers=cast(Any, sent), content=body))
                other = path.replace("admin", "nimda")  # as long, and unknown
                unknown = comparable(await client.request(method, other, headers=cast(Any, sent), content=body))
                assert answer[:2] == unknown[:2], (method, path)
                assert answer[2] == unknown[2].replace(b"nimda", b"admin"), (method, path)
                assert method == "OPTIONS" or answer[0] in (404, 405), (method, path)
                assert method != "GET" or answer[0] == 404


async def test_server_without_a_token_file_has_no_admin_api(tmp_path: Path) -> None:
    async with Site.opened(tmp_path, token=None) as site:
        for path in ("/admin", "/api/admin/status", "/api/admin/schema"):
            assert (await site.operator().get(path)).status_code == 404


async def test_public_schema_does_not_name_the_admin_api(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        assert "admin" not in (await site.client().get("/api/schema")).text.lower()


async def test_unknown_pages_have_status_404_and_those_of_the_client_200(tmp_path: Path) -> None:
    routes = Path(__file__).parents[2] / "web/src/client/routes.ts"
    first_parts = re.findall(r'first === "([a-z-]*)"', routes.read_text(encoding="utf-8"))
    assert len(first_parts) > 10
    async with Site.opened(tmp_path) as site:
        client = site.client()
        for part in first_parts:
            statuses = {(await client.get(f"/{part}{rest}")).status_code for rest in ("", "/a")}
            assert 200 in statuses, part
        for path in ("/nowhere", "/t", "/t/a/b", "/watch/a", "/new/a/b"):
            assert (await client.get(path)).status_code == 404, path


@pytest.mark.slow
async def test_websocket_to_the_admin_api_is_refused_like_one_to_an_unknown_path(sqlite_server: ServerProcess) -> None:
    statuses = []
    for path in ("/api/admin/log", "/api/nimda/log"):
        address = f"ws://127.0.0.1:{sqlite_server.port}{path}"
        with pytest.raises(InvalidStatus) as refused:
            async with connect(address, additional_headers=OPERATOR, open_timeout=DEADLINE_SECONDS):
                pass
        statuses.append((refused.value.response.status_code, refused.value.response.body))
    assert statuses[0] == statuses[1]


async def test_link_opens_the_page_once(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        link, browser = await site.link(), site.client()
        opened = await browser.get(link)
        assert (opened.status_code, opened.headers["location"]) == (303, "/admin")
        cookies = opened.headers.get_list("set-cookie")
        assert [re.findall("path=([^;]*)", cookie.lower()) for cookie in cookies] == [["/admin"], ["/api/admin"]]
        for cookie in cookies:
            assert all(part in cookie.lower() for part in ("httponly", "samesite=strict", "secure", "max-age=28800"))
        page = await browser.get("/admin")
        assert "Operators" in page.text
        assert "default-src 'none'" in page.headers["content-security-policy"]
        for part in re.findall('(?:href|src)="(/admin/[^"]*)"', page.text):
            assert (await browser.get(part)).status_code == 200
        assert (await browser.get("/api/admin/status")).status_code == 200
        assert (await browser.get("/api/me")).request.headers.get("cookie", "").count(COOKIE_NAME) == 0
        assert (await site.client().get(link)).status_code == 404, "a second time"


async def test_link_expires(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        link = await site.link()
        site.clock.now_ms += LINK_MS
        assert (await site.client().get(link)).status_code == 404


async def test_session_expires(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        browser = await site.page()
        site.clock.now_ms += SESSION_MS - 1
        assert (await browser.get("/admin")).status_code == 200
        site.clock.now_ms += 1
        for _ in range(20):  # old sessions do not count as attempts to guess
            assert (await browser.get("/admin")).status_code == 404
        assert (await (await site.page()).get("/admin")).status_code == 200


async def test_new_token_ends_sessions_and_links(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        browser, link = await site.page(), await site.link()
        cookie = browser.cookies.get(COOKIE_NAME, path="/admin")
    async with Site.opened(tmp_path, OTHER_TOKEN) as site:
        client = site.client()
        assert (await client.get("/admin", headers={"cookie": f"{COOKIE_NAME}={cookie}"})).status_code == 404
        assert (await client.get(link)).status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": SITE}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 403),  # browsers send an origin with every change
        ({}, 403),
        ({"origin": SITE, "content-type": FORM}, 415),
        ({"origin": SITE, "content-type": "text/plain"}, 415),
        ({"origin": SITE, "content-type": "multipart/form-data; boundary=x"}, 415),
    ],
)
async def test_forged_request_with_the_cookie_is_refused(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    async with Site.opened(tmp_path) as site:
        _, user_id = await site.person("Ada")
        browser = await site.page()
        del browser.headers["origin"]
        sent = {"content-type": "application/json"} | headers
        path, body = f"/api/admin/people/{user_id}/ban", b'{"reason": "forged"}'
        assert (await browser.post(path, content=body, headers=sent)).status_code == status
        banned = (await site.operator().get("/api/admin/restrictions")).json()["restrictions"]
        assert len(banned) == (status == 200)
        if status == 403:
            assert (await browser.delete(f"/api/admin/people/{user_id}", headers=headers)).status_code == 403


async def test_guessing_from_an_address_is_limited_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(authentication, "FAILURES", Rate(5, 0.0001))
    caplog.set_level(logging.WARNING, "sevenhues")
    async with Site.opened(tmp_path) as site:
        guesser = site.client("203.0.113.7")
        for _ in range(10):
            answer = await guesser.get("/api/admin/status", headers={"authorization": f"Bearer {OTHER_TOKEN}"})
            assert answer.status_code == 404
        assert (await guesser.get("/api/admin/status", headers=OPERATOR)).status_code == 404, "also with the token"
        assert (await site.operator("203.0.113.8").get("/api/admin/status")).status_code == 200
        records = [one for one in caplog.records if "admin API" in one.message]
        assert 5 <= len(records) <= 6
        assert {getattr(one, "address", None) for one in records} == {"203.0.113.7"}
        assert "shadmin" not in caplog.text


async def test_guessing_of_links_and_sessions_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "FAILURES", Rate(5, 0.0001))
    async with Site.opened(tmp_path) as site:
        first, second = site.client("203.0.113.7"), site.client("203.0.113.8")
        for _ in range(10):
            assert (await first.get("/admin/enter/abc")).status_code == 404
            assert (await second.get("/admin", headers={"cookie": f"{COOKIE_NAME}=abc"})).status_code == 404
        for guesser in (first, second):
            assert (await guesser.get(await site.link())).status_code == 404
            assert (await guesser.get("/api/admin/status", headers=OPERATOR)).status_code == 404


async def test_guessing_on_and_on_does_not_prolong_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(rate_limits, "monotonic", lambda: now[0])
    async with Site.opened(tmp_path) as site:
        guesser = site.client("203.0.113.7")
        for _ in range(50):
            await guesser.get("/admin/enter/abc")
            await guesser.get("/api/admin/status", headers={"authorization": f"Bearer {OTHER_TOKEN}"})
        assert (await site.operator("203.0.113.7").get("/api/admin/status")).status_code == 404
        now[0] += 1 / authentication.FAILURES.per_second
        assert (await site.operator("203.0.113.7").get("/api/admin/status")).status_code == 200


async def test_guessing_from_many_addresses_is_limited_and_does_not_lock_out_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authentication, "ALL_FAILURES", Rate(20, 0.0001))
    async with Site.opened(tmp_path) as site:
        for last in range(40):
            guesser = site.client(f"203.0.113.{last}")
            await guesser.get("/api/admin/status", headers={"authorization": f"Bearer {OTHER_TOKEN}"})
        assert (await site.operator("198.51.100.1").get("/api/admin/status")).status_code == 404
        assert (await site.operator().get("/api/admin/status")).status_code == 200


async def test_token_file_is_made_once_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "admin.token"
    tokens = await asyncio.gather(*(asyncio.to_thread(load_token, path) for _ in range(8)))
    assert len(set(tokens)) == 1, "processes that start together agree"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_token(path) == tokens[0]
    assert len(tokens[0]) >= len("shadmin_") + 43  # 256 bits
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("content", ["", "secret", "shadmin_short", f"shadmin_{'ä' * 43}"])
async def test_file_without_a_token_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "admin.token"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SevenHuesError, match="delete the file"):
        load_token(path)


async def test_token_is_neither_logged_nor_answered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "sevenhues")
    async with Site.opened(tmp_path) as site:
        answers: list[httpx.Response] = [await site.operator().get("/api/admin/status")]
        answers.append(await site.operator().get("/api/admin/people/none"))
        answers.append(await site.operator().post("/api/admin/addresses/ban", json={"address": TOKEN}))
        link = await site.link()
        answers.append(await site.client().get(link))
        assert all(TOKEN not in f"{answer.text}{answer.headers}" for answer in answers[:2])
        assert TOKEN not in caplog.text
        assert link.rpartition("/")[2] not in caplog.text
