"""The OpenAPI schema: routes, the websocket messages of both directions, and the views of every game."""

import asyncio
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from litestar import Litestar
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from sevenhues import __version__, protocol
from sevenhues.core import registry
from sevenhues.core.game import Game

REF = "#/components/schemas/"


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF + name}}}


ENCODED = {  # responses that handlers encode themselves, so that Litestar does not know their types
    ("/api/schema", "get"): {"application/json": {"schema": {"type": "object", "additionalProperties": {}}}},
    ("/api/tables/{table}/record", "get"): {"application/json": {"schema": {"type": "object"}}},
    ("/api/tables/{table}/replay", "get"): _json("Replay"),
    ("/api/games/{game}/lesson/{step}", "post"): _json("LessonAnswer"),
}
PROBLEM = {"description": "The request was refused.", "content": _json("Problem")}
CONFIG = OpenAPIConfig(
    title="Seven Hues",
    version=__version__,
    description="Four rainbow-themed tabletop games: live tables for people, bots and watchers.",
    path="/api/openapi",  # not a page: the complete document is served at /api/schema
    render_plugins=[JsonRenderPlugin()],
)


class EncodedDocument(NamedTuple):
    """The OpenAPI document as it is sent."""

    body: bytes
    etag: str


class CachedDocument:
    """Builds the document of a server once, in a thread: it takes too long for the event loop."""

    def __init__(self) -> None:
        self._building: asyncio.Task[EncodedDocument] | None = None

    async def get(self, app: Litestar) -> EncodedDocument:
        if self._building is None:
            self._building = asyncio.create_task(asyncio.to_thread(_encoded_document, app))
        return await asyncio.shield(self._building)


def _encoded_document(app: Litestar) -> EncodedDocument:
    body = msgspec.json.encode(document(app))
    return EncodedDocument(body, f'"{sha256(body).hexdigest()[:16]}"')


def document(app: Litestar) -> dict[str, Any]:
    """Return the OpenAPI document of a server."""
    schema: dict[str, Any] = app.openapi_schema.to_schema()
    schema["components"]["schemas"] |= components()
    for (path, method), content in ENCODED.items():
        schema["paths"][path][method]["responses"]["200"]["content"] = content
    for routes in schema["paths"].values():
        for route in routes.values():
            kept = {status: body for status, body in route["responses"].items() if not status.startswith("4")}
            route["responses"] = kept | {"4XX": PROBLEM, "503": PROBLEM}
    return schema


def components() -> dict[str, Any]:
    """Return the schemas that no route refers to: FromClient, FromServer, and the view of each game."""
    unions, parts = msgspec.json.schema_components(
        [
            protocol.FromClient,
            protocol.FromServer,
            protocol.BotEvent,
            protocol.Problem,
            protocol.Replay,
            protocol.LessonAnswer,
            protocol.Analysis,
            protocol.Beliefs,
        ],
        ref_template=REF + "{name}",
    )
    views = {"anyOf": [{"$ref": f"{REF}{view_name(game)}"} for game in _games()]}
    for part in parts.values():
        if part.get("properties", {}).get("view") == {}:  # encoded by the handler, of the game's own type
            part["properties"]["view"] = views
        _require_fields(part)
    for game in _games():
        parts.update(_view_parts(game))
    return {**parts, "FromClient": unions[0], "FromServer": unions[1], "BotEvent": unions[2]}


def view_name(game: Game[Any]) -> str:
    """Return the name of the schema of a game's view: `MyGameView` for `my-game`."""
    return _prefix(game) + "View"


def _games() -> list[Game[Any]]:
    return [registry.load(name) for name in registry.names()]


def _prefix(game: Game[Any]) -> str:
    return "".join(word.capitalize() for word in game.id.split("-"))


def _view_parts(game: Game[Any]) -> dict[str, Any]:
    """Return the schemas of a game's view, prefixed with the game's name so that games may use the same names."""
    prefix = _prefix(game)
    (root,), parts = msgspec.json.schema_components([game.view_type], ref_template=REF + prefix + "{name}")
    named = {prefix + name: part for name, part in parts.items()}
    named[view_name(game)] = named.pop(root["$ref"].removeprefix(REF))
    return named


def _require_fields(part: dict[str, Any]) -> None:
    """Mark the tag of a message as required, and all fields of what the server sends."""
    fields = part.get("properties", {})
    if part.get("additionalProperties", True):
        part["required"] = list(fields)
    elif "type" in fields and "type" not in part["required"]:
        part["required"] = ["type", *part["required"]]
