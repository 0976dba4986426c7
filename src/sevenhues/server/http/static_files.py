"""Routes beside the API: the built client, the schema and the health check."""

import asyncio
import gzip
import hashlib
import mimetypes
import re
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
OFFLINE = CLIENT / "offline"
PARTS_LIST = "offline/parts.json"
SERVICE_WORKER = "service-worker.js"
NOT_IN_SHELL = ("licenses/", "screenshots/", SERVICE_WORKER)  # what the service worker does not store
# The script of the worker that plays offline compiles WebAssembly. Pages may not.
OFFLINE_WORKER = "assets/offline-worker-"
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
MIN_COMPRESSED = 1024  # bytes below which compression does not pay
mimetypes.add_type("font/woff2", ".woff2")  # unknown to Python before 3.14
mimetypes.add_type("application/manifest+json", ".webmanifest")
TEXTS = ("application/javascript", "application/json", "image/svg+xml")
PACKED = {".br": "br", ".gz": "gzip"}  # the compressed files of a part, by encoding
# The paths of the client's pages, as in web/src/client/routes.ts. The first page comes under every other path too, with
# status 404, and says that there is no such page.
PAGES = re.compile(
    r"|t/[^/]+(/replay)?|new/[^/]+|(learn|rules|ratings)(/[^/]+)?|players/[^/]+"
    r"|watch|replay|transfer|carry|confirm-email|unsubscribe|bots"
)
NOT_BUILT = "The browser client is not built: run `make web` in a clone, or install a release.\n"


class ClientFile(NamedTuple):
    """A file of the built client."""

    body: bytes
    compressed: bytes | None  # None where compression does not pay
    media_type: str
    cache_control: str
    policy: str | None = None  # a Content-Security-Policy other than that of all responses


@cache
def client_files() -> dict[str, ClientFile]:
    """Read the built client without the parts of offline play, by path; empty if it was not built."""
    paths = [path for path in CLIENT.rglob("*") if path.is_file() and path.suffix not in PACKED]
    files = {path.relative_to(CLIENT).as_posix(): _read(path) for path in paths}
    if SERVICE_WORKER in files:
        files[SERVICE_WORKER] = _with_shell(files)
    return files


def _with_shell(files: dict[str, ClientFile]) -> ClientFile:
    """Write the list of files that it is to store, with their hashes, into the service worker."""
    worker = files[SERVICE_WORKER]
    stored = {name: file for name, file in sorted(files.items()) if not name.startswith(NOT_IN_SHELL)}
    names = {name: "/" if name == "index.html" else f"/{name}" for name in stored}
    hashes = {names[name]: hashlib.sha256(file.body).hexdigest() for name, file in stored.items()}
    version = hashlib.sha256(msgspec.json.encode(hashes) + worker.body).hexdigest()[:16]
    shell = msgspec.json.encode({"version": version, "files": hashes})
    return _client_file(b"const SHELL = " + shell + b";\n" + worker.body, worker.media_type, worker.cache_control)


def with_games(page: bytes) -> bytes:
    """Write the list of games into the first page, so that it is drawn without waiting for the API."""
    games = msgspec.json.encode(game_infos()).replace(b"<", b"\\u003c")
    return page.replace(b"</head>", b'<script type="application/json" id="games">' + games + b"</script></head>", 1)


def _read(path: Path) -> ClientFile:
    body = path.read_bytes()
    if path == CLIENT / "index.html":
        body = with_games(body)
    name = path.relative_to(CLIENT).as_posix()
    cache_control = IMMUTABLE if name.startswith("assets/") else REVALIDATE
    policy = WORKER_POLICY if name.startswith(OFFLINE_WORKER) else None
    return _client_file(body, media_type(name), cache_control, policy)


def media_type(name: str) -> str:
    """Return the media type of a file by its name."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") or kind in TEXTS else kind


def _client_file(body: bytes, kind: str, cache_control: str, policy: str | None = None) -> ClientFile:
    compressed = gzip.compress(body, 9, mtime=0) if "charset" in kind and len(body) > MIN_COMPRESSED else None
    return ClientFile(body, compressed, kind, cache_control, policy)


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
    return _answer(request, file, 200 if name in files or PAGES.fullmatch(name) else 404)


def _answer(request: AnyRequest, file: ClientFile, status: int = 200) -> Response[bytes]:
    headers = {"cache-control": file.cache_control, "vary": "accept-encoding"}
    if file.policy is not None:
        headers["content-security-policy"] = file.policy
    if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(file.compressed, status_code=status, headers=headers, media_type=file.media_type)
    return Response(file.body, status_code=status, headers=headers, media_type=file.media_type)


@cache
def part_names() -> frozenset[str]:
    """Return the names of the files that the parts of offline play are in."""
    return frozenset(path.name for path in OFFLINE.glob("*"))


@get("/offline/{name:str}", include_in_schema=False)
async def show_part(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """Serve a part of offline play, compressed if the browser accepts it; or the list of parts."""
    if f"offline/{name}" == PARTS_LIST and PARTS_LIST in client_files():
        return _answer(request, client_files()[PARTS_LIST])
    accepted = {each.split(";")[0].strip() for each in request.headers.get("accept-encoding", "").split(",")}
    present = {suffix: encoding for suffix, encoding in PACKED.items() if f"{name}{suffix}" in part_names()}
    suffix = next((suffix for suffix, encoding in present.items() if encoding in accepted), ".gz")
    if suffix not in present:
        raise Refused("no-page", path=f"/offline/{name[:60]}")
    headers = {"cache-control": IMMUTABLE, "vary": "accept-encoding"}
    # Not kept in memory: a browser asks once for it.
    body = await asyncio.to_thread((OFFLINE / f"{name}{suffix}").read_bytes)
    if PACKED[suffix] in accepted:
        headers["content-encoding"] = PACKED[suffix]
    else:
        body = await asyncio.to_thread(gzip.decompress, body)
    return Response(body, headers=headers, media_type=media_type(name))


@get("/api/schema", tags=["server"])
async def show_schema(request: AnyRequest) -> Response[bytes]:
    """Return this description: OpenAPI, with the websocket's messages and every game's views among the schemas."""
    document = await context_of(request).openapi.get(request.app)
    headers = {"etag": document.etag, "cache-control": REVALIDATE}
    if document.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(document.body, headers=headers, media_type=MediaType.JSON)


@get("/healthz", tags=["server"])
async def show_health(request: AnyRequest) -> Response[dict[str, str]]:
    """Check that the server can store events, and is not about to stop."""
    context = context_of(request)
    if context.draining:
        return Response({"status": "draining"}, status_code=503)
    await context.store.check_writable()
    return Response({"status": "ok"})


ROUTES = (show_schema, show_health, show_part, show_client)
