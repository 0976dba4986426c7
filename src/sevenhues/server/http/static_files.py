"""What is served beside the API: the built client, the schema, health and figures."""

import gzip
import mimetypes
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from litestar import MediaType, Request, Response, get
from litestar.params import FromPath

from sevenhues.server import openapi
from sevenhues.server.errors import Declined

CLIENT = Path(__file__).parents[2] / "web"
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
SMALL = 1024
mimetypes.add_type("font/woff2", ".woff2")  # Python knows it from 3.14 on
mimetypes.add_type("application/manifest+json", ".webmanifest")
UNBUILT = "The browser client is not built: run `make web` in a clone, or install a release.\n"


class Page(NamedTuple):
    body: bytes
    packed: bytes | None  # gzipped, where that pays
    media_type: str
    keep: str


@cache
def client() -> dict[str, Page]:
    """Read the built client, by path; empty if it was not built."""
    return {path.relative_to(CLIENT).as_posix(): _page(path) for path in CLIENT.rglob("*") if path.is_file()}


def _page(path: Path) -> Page:
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = kind.startswith("text/") or kind in ("application/javascript", "application/json", "image/svg+xml")
    packed = gzip.compress(body, 9, mtime=0) if text and len(body) > SMALL else None
    keep = FOR_EVER if "assets" in path.relative_to(CLIENT).parts else ASK_AGAIN
    return Page(body, packed, f"{kind}; charset=utf-8" if text else kind, keep)


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def show_client(request: Request[Any, Any, Any], path: FromPath[str] = "") -> Response[bytes]:
    """Serve the client: a file of it, or for every address of its own its first page."""
    name = path.strip("/")
    found = client()
    if not found:
        return Response(UNBUILT.encode(), status_code=503, media_type=MediaType.TEXT)
    if name.startswith("api/") or "." in name.rsplit("/", 1)[-1]:
        page = found.get(name)
        if page is None:
            raise Declined("no-page", path=f"/{name[:60]}")
    else:
        page = found["index.html"]
    headers = {"cache-control": page.keep, "vary": "accept-encoding"}
    if page.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(page.packed, headers=headers | {"content-encoding": "gzip"}, media_type=page.media_type)
    return Response(page.body, headers=headers, media_type=page.media_type)


@get("/api/schema", tags=["server"], sync_to_thread=False)
def show_schema(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return this description: OpenAPI, with the websocket's messages and every game's views among the schemas."""
    return openapi.document(request.app)


@get("/healthz", tags=["server"])
async def show_health(request: Request[Any, Any, Any]) -> dict[str, str]:
    """Say whether the server can do its work: that something can be stored."""
    await request.app.state.house.store.check()
    return {"status": "ok"}


@get("/metrics", tags=["server"], media_type=MediaType.TEXT, sync_to_thread=False)
def show_metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return figures in the format of Prometheus."""
    house = request.app.state.house
    house.metrics.rooms.set(len(house.rooms))
    return Response(house.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


ROUTES = (show_schema, show_health, show_metrics, show_client)
