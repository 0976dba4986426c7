"""The OpenAPI schema describes routes, messages and views, and views fit it."""

import asyncio
import json
import random
import threading
from pathlib import Path
from typing import Any, cast

import httpx
import msgspec
import pytest
from litestar import Litestar

from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.server import openapi
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.openapi import components, view_name
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from tests.cli.command import sevenhues
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


def references(value: Any) -> set[str]:
    """Return every reference in a schema."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        mapped = set(value.get("mapping", {}).values()) if "propertyName" in value else set()
        return own | mapped | {ref for part in value.values() for ref in references(part)}
    if isinstance(value, list):
        return {ref for part in value for ref in references(part)}
    return set()


async def test_schema_is_complete_and_equals_the_output_of_the_command(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        document = (await http.get("/api/schema")).json()
    assert document == json.loads(sevenhues("schema").stdout)
    assert document["openapi"].startswith("3.1")
    schemas = document["components"]["schemas"]
    assert references(document) <= {f"#/components/schemas/{name}" for name in schemas}
    assert {"FromClient", "FromServer", "TableInfo", "NewTable"} <= set(schemas)
    for path in ("/api/tables", "/api/tables/{table}/join", "/api/me", "/healthz"):
        assert path in document["paths"]


async def test_schema_is_built_once_and_not_in_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def document(app: Litestar) -> dict[str, Any]:
        threads.append(threading.current_thread())
        return build(app)

    build = openapi.document
    monkeypatch.setattr(openapi, "document", document)
    settings = Settings(tmp_path)
    app = make_app(AppContext(LiveTables(settings, SqliteStore(settings.database)), SigningKeys(["unused"])))
    transport = httpx.ASGITransport(cast(Any, app))
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        answers = await asyncio.gather(*[http.get("/api/schema") for _ in range(5)])
    assert len({answer.content for answer in answers}) == 1
    assert len(threads) == 1
    assert threads[0] is not threading.current_thread()


async def test_known_schema_is_not_sent_again(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        first = await http.get("/api/schema")
        etag = first.headers["etag"]
        for header, status in ((etag, 304), (f'"other", W/{etag}', 304), ('"other"', 200)):
            answer = await http.get("/api/schema", headers={"if-none-match": header})
            assert (answer.status_code, answer.headers["etag"]) == (status, etag)
            assert answer.content == (b"" if status == 304 else first.content)


@pytest.mark.parametrize("name", registry.names())
def test_views_fit_their_schema(name: str) -> None:
    game = registry.load(name)
    assert view_name(game) in components()
    rng = random.Random(name)
    position = deal(game, b"schema")
    while position.outcome() is None:
        for seat in (-1, 0):
            sent = msgspec.json.encode(game.view(position, seat))
            # Every field is there with its type, and there are no others.
            assert msgspec.to_builtins(msgspec.json.decode(sent, type=game.view_type)) == json.loads(sent)
        seat = rng.choice(position.to_act())
        position.play(seat, rng.choice(position.legal(seat)))
