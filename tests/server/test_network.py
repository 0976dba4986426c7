"""The server tells a browser on its own machine where other devices reach it."""

from pathlib import Path

import httpx
import pytest

from sevenhues.core import registry
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.http.context import AppContext
from sevenhues.server.http.network import network_urls
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
URLS = ["http://192.168.1.20:8777"]


@pytest.mark.parametrize(
    ("client", "host", "urls"),
    [
        ("127.0.0.1", "localhost:8777", URLS),
        ("::1", "[::1]:8777", URLS),
        ("192.168.1.30", "localhost:8777", []),
        ("127.0.0.1", "games.example", []),
    ],
)
async def test_network_urls_are_for_the_same_machine(tmp_path: Path, client: str, host: str, urls: list[str]) -> None:
    settings = Settings(tmp_path, bot_workers=1)
    live_tables = LiveTables(settings, SqliteStore(settings.database))
    app = make_app(AppContext(live_tables, SigningKeys(["unused"]), URLS))
    transport = httpx.ASGITransport(app, client=(client, 1))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as http:
        assert (await http.get("/api/server")).json() == {"network_urls": urls}


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "192.168.1.20"])
def test_server_on_one_interface_has_no_network_urls(host: str) -> None:
    assert network_urls(host, 8777) == []


def test_server_on_all_interfaces_names_an_address_and_its_port() -> None:
    assert all(url.startswith("http://") and url.endswith(":8777") for url in network_urls("0.0.0.0", 8777))


async def test_games_say_whether_they_hide_information(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        games = (await http.get("/api/games")).json()
    assert {game["id"]: game["hidden_information"] for game in games} == {
        name: registry.load(name).hidden_information for name in registry.names()
    }
