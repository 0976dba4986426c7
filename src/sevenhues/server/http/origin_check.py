"""Refuses requests from the pages of other sites, for other hosts, and with unusable addresses."""

import ipaddress
from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import Scope

from sevenhues.server.table.errors import Refused

ONE_CLICK = "/api/notifications/unsubscribe/"  # RFC 8058: e-mail programs send it a form
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def check_no_nul(scope: Scope) -> None:
    """Refuse an address with a NUL character, which PostgreSQL cannot look up."""
    if b"%00" in scope["query_string"] or "\0" in scope["path"]:
        raise Refused("bad-request", what="The address contains a NUL character (%00).")


def check_origin(scope: Scope, allowed: Iterable[str]) -> None:
    """Refuse requests from other sites' pages, and bodies that a plain HTML form could send."""
    if scope["type"] == ScopeType.HTTP and scope["method"] in SAFE_METHODS:
        return
    headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get(b"origin")
    if origin is not None and origin not in allowed and _host(origin) != headers.get(b"host", ""):
        raise Refused("cross-origin")
    if origin is None and headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refused("cross-origin")
    if scope["type"] == ScopeType.WEBSOCKET:
        return
    if scope["path"].startswith(ONE_CLICK):
        return
    has_body = headers.get(b"content-length", "0") != "0" or b"transfer-encoding" in headers
    if has_body and headers.get(b"content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refused("bad-type")


def check_host(scope: Scope, allowed: Collection[str]) -> None:
    """Refuse requests for names that are not allowed; addresses and localhost always are.

    A page whose name is made to resolve to this server (DNS rebinding) has the same origin as its requests.
    """
    if not allowed:
        return
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"host"), "")
    try:
        name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        name = ""
    if name != "localhost" and not _is_address(name) and name not in (one.lower() for one in allowed):
        raise Refused("bad-request", what="Host: this server has another name")


def origin_of(scope: Scope) -> str:
    """Return the origin of the page that sent a request; `check_origin` has accepted it."""
    headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
    return headers.get(b"origin") or f"{scope['scheme']}://{headers.get(b'host', '')}"


def host_name(origin: str) -> str | None:
    """Return the host name of an origin; None if it has an address, or nothing, in its place."""
    try:
        name = urlsplit(origin).hostname
    except ValueError:
        return None
    return None if name is None or _is_address(name) else name


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _host(origin: str) -> str | None:
    """Return the host and port of an origin; None if it has none."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None
