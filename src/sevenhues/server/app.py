"""The web application: all routes, error responses, and the headers of every response."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter

from litestar import Litestar, MediaType, Request, Response
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, NotFoundException, ValidationException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from sevenhues.protocol import Problem
from sevenhues.server import openapi
from sevenhues.server.answers.statuses import STATUSES
from sevenhues.server.client_address import client_network
from sevenhues.server.errors import problem_of
from sevenhues.server.http import (
    accounts,
    analysis,
    bots,
    doctor,
    games,
    lessons,
    network,
    notifications,
    passkeys,
    ratings,
    replays,
    static_files,
    tables,
    vacations,
)
from sevenhues.server.http.context import AnyRequest, AppContext
from sevenhues.server.http.origin_check import check_host, check_no_nul, check_origin
from sevenhues.server.store import StoreFailed
from sevenhues.server.table.errors import Refused

MAX_BODY = 64 * 1024  # bytes
MAX_DETAIL = 1000  # characters of an error message
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = [  # of every response, unless it brings its own
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
STRICT_TRANSPORT_SECURITY = (b"strict-transport-security", b"max-age=31536000")  # for responses over HTTPS
NO_STORE = (b"cache-control", b"no-store")  # for answers of the API that do not say how they may be cached
CLOSE_CONNECTION = (b"connection", b"close")  # so that the next request of a proxy goes to another process
log = logging.getLogger("sevenhues")


def make_app(context: AppContext) -> Litestar:
    """Build the application."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        await context.open()
        try:
            yield
        finally:
            await context.close()

    app = Litestar(
        route_handlers=[
            *games.ROUTES,
            *accounts.ROUTES,
            *passkeys.ROUTES,
            *vacations.ROUTES,
            *tables.ROUTES,
            *bots.ROUTES,
            *replays.ROUTES,
            *analysis.ROUTES,
            *lessons.ROUTES,
            *network.ROUTES,
            *doctor.ROUTES,
            *notifications.ROUTES,
            *ratings.ROUTES,
            *static_files.ROUTES,
        ],
        state=State({"context": context}),
        lifespan=[lifespan],
        openapi_config=openapi.CONFIG,
        request_max_body_size=MAX_BODY,
        exception_handlers={
            Refused: _refused,
            StoreFailed: _store_failed,
            ValidationException: _invalid,
            NotFoundException: _not_found,
            HTTPException: _http_error,
            RecursionError: _unreadable,
            UnicodeDecodeError: _unreadable,
            Exception: _internal_error,
        },
        logging_config=None,
        debug=False,
    )
    # Outside the router, so that it also handles requests that no route matches.
    app.asgi_handler = outermost(app.asgi_handler)
    return app


def outermost(app: ASGIApp) -> ASGIApp:
    """Check origins and limits, add security headers, answer HEAD like GET without a body, count and log requests."""

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        context: AppContext = scope["litestar_app"].state.context
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # uvicorn sends no body in response to HEAD
        began = perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = list(message.get("headers", []))
                closing = [CLOSE_CONNECTION] if context.draining else []
                message["headers"] = [*headers, *_more_headers(scope, headers), *closing]
            await send(message)

        try:
            check_no_nul(scope)
            check_host(scope, context.settings.allowed_hosts)
            check_origin(scope, context.settings.origins)
            context.limits.requests.take(client_network(scope))
        except Refused as error:
            response = _refused(Request(scope), error).to_asgi_response(None, Request(scope))
            await response(scope, receive, send_with_headers)
        else:
            await app(scope, receive, send_with_headers)
        route = scope.get("path_template") or "other"
        context.live_tables.metrics.count_request(route, status)
        duration_ms = round((perf_counter() - began) * 1000, 1)
        log.debug("request", extra={"route": route, "status": status, "duration_ms": duration_ms})

    return middleware


def _more_headers(scope: Scope, present: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the security headers of a response that it does not bring itself."""
    names = {name.lower() for name, _ in present}
    headers = [(name, value) for name, value in HEADERS if name not in names]
    if scope["scheme"] == "https":
        headers.append(STRICT_TRANSPORT_SECURITY)
    if scope["path"].startswith("/api/") and b"cache-control" not in names:
        headers.append(NO_STORE)
    return headers


def _response(status: int, problem: Problem) -> Response[Problem]:
    return Response(problem, status_code=status, media_type=MediaType.JSON)


def _bad_request(status: int, what: str) -> Response[Problem]:
    return _response(status, Problem("bad-request", what[:MAX_DETAIL], {"what": what[:MAX_DETAIL]}))


def _refused(request: AnyRequest, error: Refused) -> Response[Problem]:
    response = _response(STATUSES[error.key], problem_of(error))
    if "seconds" in error.parameters:
        response.headers["retry-after"] = str(error.parameters["seconds"])
    return response


def _store_failed(request: AnyRequest, error: StoreFailed) -> Response[Problem]:
    log.error("the store failed: %s", error)
    return _refused(request, Refused("store-failed"))


def _invalid(request: AnyRequest, error: ValidationException) -> Response[Problem]:
    details = [f"{one.get('key', 'body')}: {one.get('message')}" for one in error.extra or [] if isinstance(one, dict)]
    what = "; ".join(details) or error.detail
    return _bad_request(400, "a body of JSON is needed" if what == "data: 'data'" else what)


def _not_found(request: AnyRequest, error: NotFoundException) -> Response[Problem]:
    return _response(404, Problem("no-page", "There is nothing here."))


def _http_error(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    if error.status_code == 413:
        return _refused(request, Refused("too-big"))
    return _bad_request(error.status_code, error.detail)


def _unreadable(request: AnyRequest, error: Exception) -> Response[Problem]:
    return _bad_request(400, "The body is not valid JSON.")


def _internal_error(request: AnyRequest, error: Exception) -> Response[Problem]:
    log.error("internal error in a request", exc_info=error)
    return _refused(request, Refused("internal-error"))
