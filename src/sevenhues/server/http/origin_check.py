"""Keeps other sites out: a browser says where a request comes from, and only our own pages may ask."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import Scope

from sevenhues.server.errors import Declined

SAFE = ("GET", "HEAD", "OPTIONS")


def address_of(scope: Scope) -> str:
    """Tell where a request comes from; behind a trusted proxy, what that says."""
    client = scope["client"]
    return client[0] if client is not None else "unknown"


def refuse_foreign(scope: Scope, allowed: Iterable[str]) -> None:
    """Decline what another site's page sends, and bodies that a plain form could send."""
    if scope["type"] == ScopeType.HTTP and scope["method"] in SAFE:
        return
    headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get(b"origin")
    if origin is not None and origin not in allowed and _host(origin) != headers.get(b"host", ""):
        raise Declined("cross-origin")
    if origin is None and headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Declined("cross-origin")
    if scope["type"] == ScopeType.WEBSOCKET:
        return
    sent = headers.get(b"content-length", "0") != "0" or b"transfer-encoding" in headers
    if sent and headers.get(b"content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Declined("bad-type")


def _host(origin: str) -> str | None:
    """Return the host and port of an origin; None if it has none."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None
