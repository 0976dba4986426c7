"""Routes beside the API: the built client, the schema and the health check."""

import gzip
import mimetypes
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath

from sevenhues.server.answers.games import game_infos
from sevenhues.server.http.context import AnyRequest, context_of
from sevenhues.server.table.errors import Refused

CLIENT = Path(__file__).parents[2] / "web"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
MIN_COMPRESSED = 1024  # bytes below which compression does not pay
mimetypes.add_type("font/woff2", ".woff2")  # unknown to Python before 3.14
mimetypes.add_type("application/manifest+json", ".webmanifest")
NOT_BUILT = "The browser client is not built: run `make web` in a clone, or install a release.\n"


class ClientFile(NamedTuple):
    """A file of the built client."""

    body: bytes
    compressed: bytes | None  # None where compression does not pay
    media_type: str
    cache_control: str


@cache
def client_files() -> dict[str, ClientFile]:
    """Read the built client, by path; empty if it was not built."""
    return {path.relative_to(CLIENT).as_posix(): _read(path) for path in CLIENT.rglob("*") if path.is_file()}


def with_games(page: bytes) -> bytes:
    """Write the list of games into the first page, so that it is drawn without waiting for the API."""
    games = msgspec.json.encode(game_infos()).replace(b"<", b"\\u003c")
    return page.replace(b"</head>", b'<script type="application/json" id="games">' + games + b"</script></head>", 1)


def _read(path: Path) -> ClientFile:
    body = path.read_bytes()
    if path == CLIENT / "index.html":
        body = with_games(body)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = kind.startswith("text/") or kind in ("application/javascript", "application/json", "image/svg+xml")
    compressed = gzip.compress(body, 9, mtime=0) if text and len(body) > MIN_COMPRESSED else None
    cache_control = IMMUTABLE if "assets" in path.relative_to(CLIENT).parts else REVALIDATE
    return ClientFile(body, compressed, f"{kind}; charset=utf-8" if text else kind, cache_control)


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def show_client(request: AnyRequest, path: FromPath[str] = "") -> Response[bytes]:
    """Serve a file of the client; for every other path, the client's first page."""
    name = path.strip("/")
    files = client_files()
    if not files:
        return Response(NOT_BUILT.encode(), status_code=503, media_type=MediaType.TEXT)
    if name.startswith("api/") or "." in name.rsplit("/", 1)[-1]:
        file = files.get(name)
        if file is None:
            raise Refused("no-page", path=f"/{name[:60]}")
    else:
        file = files["index.html"]
    headers = {"cache-control": file.cache_control, "vary": "accept-encoding"}
    if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.compressed, headers=headers | {"content-encoding": "gzip"}, media_type=file.media_type)
    return Response(file.body, headers=headers, media_type=file.media_type)


@get("/api/schema", tags=["server"])
async def show_schema(request: AnyRequest) -> Response[bytes]:
    """Return this description: OpenAPI, with the websocket's messages and every game's views among the schemas."""
    document = await context_of(request).openapi.get(request.app)
    headers = {"etag": document.etag, "cache-control": REVALIDATE}
    if document.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(document.body, headers=headers, media_type=MediaType.JSON)


@get("/healthz", tags=["server"])
async def show_health(request: AnyRequest) -> dict[str, str]:
    """Check that the server can store events."""
    await context_of(request).store.check_writable()
    return {"status": "ok"}


ROUTES = (show_schema, show_health, show_client)
