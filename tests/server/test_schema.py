"""The schema: routes, messages and views are all described, and what is sent fits the description."""

import json
import random
from typing import Any

import httpx
import pytest

from sevenhues.core import registry
from sevenhues.server.schema import components, view_name
from tests.cli.command import sevenhues
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


def refs(value: Any) -> set[str]:
    """Find every reference in a schema."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        mapped = set(value.get("mapping", {}).values()) if "propertyName" in value else set()
        return own | mapped | {ref for part in value.values() for ref in refs(part)}
    if isinstance(value, list):
        return {ref for part in value for ref in refs(part)}
    return set()


async def test_the_document_is_whole_and_the_command_prints_the_same(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        document = (await http.get("/api/schema")).json()
    assert document == json.loads(sevenhues("schema").stdout)
    assert document["openapi"].startswith("3.1")
    schemas = document["components"]["schemas"]
    assert refs(document) <= {f"#/components/schemas/{name}" for name in schemas}
    assert {"FromClient", "FromServer", "TableInfo", "NewTable"} <= set(schemas)
    for path in ("/api/tables", "/api/tables/{table}/join", "/api/me", "/healthz"):
        assert path in document["paths"]


@pytest.mark.parametrize("name", registry.names())
def test_views_fit_their_schema(name: str) -> None:
    import msgspec

    from sevenhues.core.play import deal

    game = registry.load(name)
    assert view_name(game) in components()
    chance = random.Random(name)
    position = deal(game, b"schema")
    while position.outcome() is None:
        for seat in (-1, 0):
            sent = msgspec.json.encode(game.view(position, seat))
            # Strict both ways: every field is there with its type, and none beside them.
            assert msgspec.to_builtins(msgspec.json.decode(sent, type=game.view_type)) == json.loads(sent)
        seat = chance.choice(position.to_act())
        position.play(seat, chance.choice(position.legal(seat)))
