"""The schema of everything on the wire: the types of both websocket directions and of every game's views."""

from typing import Any

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


ENCODED = {  # answers that are sent as bytes, so that their types do not show
    ("/api/tables/{table}/record", "get"): {"application/json": {"schema": {"type": "object"}}},
    ("/api/tables/{table}/replay", "get"): _json("Replay"),
    ("/api/games/{game}/lesson/{step}", "post"): _json("LessonAnswer"),
}
PROBLEM = {"description": "Why it was not done.", "content": _json("Problem")}
CONFIG = OpenAPIConfig(
    title="Seven Hues",
    version=__version__,
    description="Four rainbow-themed tabletop games: live tables for people, bots and watchers.",
    path="/api/openapi",  # no page of its own: what is served is /api/schema
    render_plugins=[JsonRenderPlugin()],
)


def document(app: Litestar) -> dict[str, Any]:
    """Return the OpenAPI document of a server."""
    whole: dict[str, Any] = app.openapi_schema.to_schema()
    whole["components"]["schemas"] |= components()
    for (path, method), answer in ENCODED.items():
        whole["paths"][path][method]["responses"]["200"]["content"] = answer
    for routes in whole["paths"].values():
        for route in routes.values():
            said = {status: answer for status, answer in route["responses"].items() if not status.startswith("4")}
            route["responses"] = said | {"4XX": PROBLEM, "503": PROBLEM}
    return whole


def components() -> dict[str, Any]:
    """Return the schemas beside those of the HTTP API: FromClient, FromServer, and for each game its view."""
    unions, parts = msgspec.json.schema_components(
        [
            protocol.FromClient,
            protocol.FromServer,
            protocol.Problem,
            protocol.Replay,
            protocol.LessonAnswer,
            protocol.Analysis,
            protocol.Beliefs,
        ],
        ref_template=REF + "{name}",
    )
    # What a view looks like is the game's to say.
    for seen in ("Eye", "Frame", "LessonFrame"):
        parts[seen]["properties"]["view"] = {"anyOf": [{"$ref": f"{REF}{view_name(game)}"} for game in _games()]}
    for part in parts.values():
        _complete(part)
    for game in _games():
        parts.update(_view_parts(game))
    return {**parts, "FromClient": unions[0], "FromServer": unions[1]}


def view_name(game: Game[Any]) -> str:
    """Name the schema of a game's view: `MyGameView` for `my-game`."""
    return _prefix(game) + "View"


def _games() -> list[Game[Any]]:
    return [registry.load(name) for name in registry.names()]


def _prefix(game: Game[Any]) -> str:
    return "".join(word.capitalize() for word in game.id.split("-"))


def _view_parts(game: Game[Any]) -> dict[str, Any]:
    """Games may use the same names for their parts, so each gets the game's before it."""
    prefix = _prefix(game)
    (root,), parts = msgspec.json.schema_components([game.view_type], ref_template=REF + prefix + "{name}")
    named = {prefix + name: part for name, part in parts.items()}
    named[view_name(game)] = named.pop(root["$ref"].removeprefix(REF))
    return named


def _complete(part: dict[str, Any]) -> None:
    """A message of ours always has its tag; what the server sends always has all its fields."""
    fields = part.get("properties", {})
    if part.get("additionalProperties", True):
        part["required"] = list(fields)
    elif "type" in fields and "type" not in part["required"]:
        part["required"] = ["type", *part["required"]]
