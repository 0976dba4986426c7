"""Operators of a server in this process, whose clock and addresses a test chooses, and of running servers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self, cast

import httpx

from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from tests.server.live_tables import FakeClock

TOKEN = f"shadmin_{'a' * 43}"
OPERATOR = {"authorization": f"Bearer {TOKEN}", "sevenhues-operator": "Olga"}
FORM = "application/x-www-form-urlencoded"
HOME = "127.0.0.1"
SITE = "https://games.example"


class Site:
    """A server in this process."""

    def __init__(self, data: Path, token: str | None = TOKEN) -> None:
        self.clock = FakeClock()
        settings = Settings(data, bot_workers=1, limits=False)
        self.store = SqliteStore(settings.database)
        self.live_tables = LiveTables(settings, self.store, now=self.clock)
        self.context = AppContext(self.live_tables, SigningKeys(["unused"]), admin_token=token)
        self.app: Any = make_app(self.context)
        self._clients: list[httpx.AsyncClient] = []

    @classmethod
    @asynccontextmanager
    async def opened(cls, data: Path, token: str | None = TOKEN) -> AsyncIterator[Self]:
        site = cls(data, token)
        async with site.app.lifespan():
            yield site
            for client in site._clients:
                await client.aclose()

    def client(self, address: str = HOME, **headers: str) -> httpx.AsyncClient:
        """Return a browser or a program at an address."""
        transport = httpx.ASGITransport(cast(Any, self.app), client=(address, 1))
        made = httpx.AsyncClient(transport=transport, base_url=SITE, headers=headers)
        self._clients.append(made)
        return made

    def operator(self, address: str = HOME) -> httpx.AsyncClient:
        """Return the command line of an operator."""
        return self.client(address, **OPERATOR)

    async def person(self, name: str, address: str = "192.0.2.1") -> tuple[httpx.AsyncClient, str]:
        """Return the browser of a person who has chosen a name, and their user id."""
        client = self.client(address)
        user_id: str = (await client.get("/api/me")).json()["id"]
        answer = await client.patch("/api/me", json={"name": name})
        assert answer.status_code == 200, answer.text
        return client, user_id

    async def link(self) -> str:
        """Return the path of a link that opens the admin page."""
        url: str = (await self.operator().post("/api/admin/link")).json()["url"]
        return url.removeprefix(SITE)

    async def page(self) -> httpx.AsyncClient:
        """Return a browser in which the admin page is open."""
        browser = self.client(origin=SITE)
        assert (await browser.get(await self.link())).status_code == 303
        return browser

    async def acts(self) -> list[dict[str, Any]]:
        """Return the audit log, the newest first."""
        entries: list[dict[str, Any]] = (await self.operator().get("/api/admin/log")).json()["entries"]
        return entries


def comparable(answer: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return what a client can see of an answer, but for its time."""
    return answer.status_code, [one for one in answer.headers.items() if one[0] != "date"], answer.content
