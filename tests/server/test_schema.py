"""The OpenAPI schema describes routes, messages and views, and views fit it."""

import json
import random
from typing import Any

import httpx
import msgspec
import pytest

from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.server.openapi import components, view_name
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
    async with httpx.AsyncClient(base_url=server.url) as http:
        document = (await http.get("/api/schema")).json()
    assert document == json.loads(sevenhues("schema").stdout)
    assert document["openapi"].startswith("3.1")
    schemas = document["components"]["schemas"]
    assert references(document) <= {f"#/components/schemas/{name}" for name in schemas}
    assert {"FromClient", "FromServer", "TableInfo", "NewTable"} <= set(schemas)
    for path in ("/api/tables", "/api/tables/{table}/join", "/api/me", "/healthz"):
        assert path in document["paths"]


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
