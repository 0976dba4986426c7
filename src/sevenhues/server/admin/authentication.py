"""Authentication of operators: a token in a file, one-time links to the admin page, and the sessions that they open.

Links and sessions are signed with the token. They need no store, and a new token ends all of them.
"""

import hmac
import logging
import re
import secrets
from collections.abc import Callable
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, NamedTuple

from itsdangerous import BadData, URLSafeSerializer
from litestar import Request
from litestar.types import HTTPScope, Scope

from sevenhues.core.errors import SevenHuesError
from sevenhues.server import secret_files
from sevenhues.server.client_address import client_network
from sevenhues.server.http.origin_check import SAFE_METHODS
from sevenhues.server.http.rate_limits import Rate, RateLimit
from sevenhues.server.operators.audit_log import Operator
from sevenhues.server.table.errors import Refused

TOKEN = re.compile(r"shadmin_[A-Za-z0-9_-]{43,}")
TOKEN_BYTES = 32
COOKIE_NAME = "sevenhues-admin"
COOKIE_PATHS = ("/admin", "/api/admin")
OPERATOR_HEADER = "sevenhues-operator"
SESSION_MS = 8 * 3600 * 1000
LINK_MS = 5 * 60 * 1000
FAILURES = Rate(10, 1 / 30)  # of an address
ALL_FAILURES = Rate(200, 1.0)  # addresses of this machine are not counted, so that its operator is not locked out
MAX_OPERATOR = 40  # characters
EVERYBODY = ""
log = logging.getLogger("sevenhues")
Kind = Literal["link", "session"]


class Ticket(NamedTuple):
    """The signed content of a link or a session."""

    operator: str
    nonce: str
    expires: int


class AdminAccess:
    """Decides who is an operator, and limits failed attempts."""

    def __init__(self, token: str, now: Callable[[], int]) -> None:
        self._digest = sha256(token.encode()).digest()
        self._now = now
        self._signers = {kind: _signer(token, kind) for kind in ("link", "session")}
        self._failures, self._all_failures = RateLimit(FAILURES), RateLimit(ALL_FAILURES)

    def operator_of(self, scope: Scope) -> Operator | None:
        """Return who sends a request; None without a valid token or session. A failed attempt is counted."""
        request: Request[Any, Any, Any] = Request(scope)
        authorization, cookie = request.headers.get("authorization"), request.cookies.get(COOKIE_NAME)
        if (authorization is None and cookie is None) or not self._may_try(scope):
            return None
        if authorization is not None:
            if self._is_token(authorization):
                return Operator(clean_operator(request.headers.get(OPERATOR_HEADER, "")), "command line")
        else:
            ticket = self._read("session", cookie or "")
            if ticket is not None:  # an old session is no attempt to guess
                return Operator(ticket.operator, "page") if ticket.expires > self._now() else None
        self._count_failure(scope)
        return None

    def check_page(self, scope: HTTPScope, operator: Operator) -> None:
        """Refuse a request of another site's page that changes something, although it has the cookie of a session."""
        headers = Request[Any, Any, Any](scope).headers
        if operator.way == "page" and scope["method"] not in SAFE_METHODS and "origin" not in headers:
            raise Refused("cross-origin")

    def link_code(self, operator: Operator) -> tuple[str, int]:
        """Return the code of a link that opens a session, and when it expires."""
        ticket = Ticket(operator.name, secrets.token_urlsafe(9), self._now() + LINK_MS)
        return str(self._signers["link"].dumps(ticket)), ticket.expires

    def read_link(self, scope: Scope, code: str) -> Ticket | None:
        """Return what the code of a link says; None if it is not valid. The caller checks that it was not used."""
        if not self._may_try(scope):  # nor counted: the limit would last longer with every request
            return None
        ticket = self._read("link", code)
        if ticket is None:
            self._count_failure(scope)
        return ticket if ticket is not None and ticket.expires > self._now() else None

    def session(self, operator: str) -> str:
        """Return the cookie of a new session."""
        return str(self._signers["session"].dumps(Ticket(operator, secrets.token_urlsafe(9), self._now() + SESSION_MS)))

    def _is_token(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        given = sha256(token.strip().encode("utf-8", "surrogateescape")).digest()
        return hmac.compare_digest(given, self._digest) and scheme.lower() == "bearer"

    def _read(self, kind: Kind, text: str) -> Ticket | None:
        try:
            return Ticket(*self._signers[kind].loads(text))
        except (BadData, TypeError, ValueError):
            return None

    def _may_try(self, scope: Scope) -> bool:
        network = client_network(scope)
        limited = self._failures.delay(network) > 0
        return not limited and (_is_loopback(network) or not self._all_failures.delay(EVERYBODY) > 0)

    def _count_failure(self, scope: Scope) -> None:
        network = client_network(scope)
        log.warning("a request for the admin API has no valid token", extra={"address": network})
        self._failures.count(network, 1)
        if not _is_loopback(network):
            self._all_failures.count(EVERYBODY, 1)


def load_token(path: Path) -> str:
    """Read the token of operators; if the file does not exist, create it with a new one."""
    try:
        if not path.exists():
            secret_files.create(path, f"shadmin_{secrets.token_urlsafe(TOKEN_BYTES)}\n".encode("ascii"))
        token = path.read_text(encoding="ascii", errors="replace").strip()
        if path.stat().st_mode & 0o077:
            log.warning("others can read the admin token in %s: chmod 600", path)
    except OSError as error:
        raise SevenHuesError(f"--admin-token-file {path}: {error.strerror}") from None
    if TOKEN.fullmatch(token) is None:
        raise SevenHuesError(
            f"{path} has no admin token: it is shadmin_ and at least 43 letters, digits, - and _;"
            " delete the file, and the server makes a new one"
        )
    return token


def clean_operator(name: str) -> str:
    """Return the name that an operator gives, in a form that can be logged."""
    shown = " ".join("".join(letter for letter in name if letter.isprintable()).split())
    return shown[:MAX_OPERATOR] or "unnamed"


def _signer(token: str, kind: str) -> URLSafeSerializer:
    settings = {"digest_method": sha256, "key_derivation": "hmac"}
    return URLSafeSerializer(token, salt=f"sevenhues admin {kind}", signer_kwargs=settings)


def _is_loopback(network: str) -> bool:
    try:
        return ip_address(network.partition("/")[0]).is_loopback
    except ValueError:
        return False
