"""The web application: the routes of the API, the built client, and what every answer carries."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any

from litestar import Litestar, MediaType, Request, Response
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, NotFoundException, ValidationException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from sevenhues.protocol import Problem
from sevenhues.server import openapi
from sevenhues.server.errors import Declined, problem_of
from sevenhues.server.http import analysis, lessons, ratings, replays, static_files, tables
from sevenhues.server.http.origin_check import address_of, refuse_foreign
from sevenhues.server.live.live_tables import House
from sevenhues.server.store import StoreFailed

MOST_BODY = 64 * 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
log = logging.getLogger("sevenhues")


def make_app(house: House) -> Litestar:
    """Build the application around a house."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        await house.open()
        try:
            yield
        finally:
            await house.close()

    app = Litestar(
        route_handlers=[
            *tables.ROUTES,
            *replays.ROUTES,
            *analysis.ROUTES,
            *lessons.ROUTES,
            *ratings.ROUTES,
            *static_files.ROUTES,
        ],
        state=State({"house": house}),
        lifespan=[lifespan],
        openapi_config=openapi.CONFIG,
        request_max_body_size=MOST_BODY,
        exception_handlers={
            Declined: _declined,
            StoreFailed: _store_failed,
            ValidationException: _invalid,
            NotFoundException: _not_found,
            HTTPException: _http_error,
            RecursionError: _unreadable,
            UnicodeDecodeError: _unreadable,
            Exception: _mistake,
        },
        logging_config=None,
        debug=False,
    )
    # Around everything, also around what no route answers.
    app.asgi_handler = outermost(app.asgi_handler)
    return app


def outermost(app: ASGIApp) -> ASGIApp:
    """Refuse other sites' requests, add the security headers, answer HEAD as GET without the body, count and log."""

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        house: House = scope["litestar_app"].state.house
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # the server below knows what it was, and sends no body
        began = perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        try:
            refuse_foreign(scope, house.settings.origins)
            house.limits.requests.spend(address_of(scope))
        except Declined as error:
            answer = _declined(Request(scope), error).to_asgi_response(None, Request(scope))
            await answer(scope, receive, send_with_headers)
        else:
            await app(scope, receive, send_with_headers)
        route = scope.get("path_template") or "other"
        house.metrics.requests.labels(route, status).inc()
        taken = round((perf_counter() - began) * 1000, 1)
        log.debug("answered", extra={"route": route, "status": status, "milliseconds": taken})

    return middleware


def problem(status: int, body: Problem) -> Response[Problem]:
    return Response(body, status_code=status, media_type=MediaType.JSON)


def _declined(request: Request[Any, Any, Any], error: Declined) -> Response[Problem]:
    answer = problem(error.status, problem_of(error))
    if "seconds" in error.parameters:
        answer.headers["retry-after"] = str(error.parameters["seconds"])
    return answer


def _store_failed(request: Request[Any, Any, Any], error: StoreFailed) -> Response[Problem]:
    log.error("the store failed: %s", error)
    declined = Declined("store-failed")
    return problem(declined.status, Problem(declined.key, declined.text))


def _invalid(request: Request[Any, Any, Any], error: ValidationException) -> Response[Problem]:
    found = [f"{one.get('key', 'body')}: {one.get('message')}" for one in error.extra or [] if isinstance(one, dict)]
    what = "; ".join(found) or error.detail
    if what == "data: 'data'":
        what = "a body of JSON is needed"
    return problem(400, Problem("bad-request", what[:1000], {"what": what[:1000]}))


def _not_found(request: Request[Any, Any, Any], error: NotFoundException) -> Response[Problem]:
    return problem(404, Problem("no-page", "There is nothing here."))


def _http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    if error.status_code == 413:
        return _declined(request, Declined("too-big"))
    return problem(error.status_code, Problem("bad-request", error.detail[:1000], {"what": error.detail[:1000]}))


def _unreadable(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    what = "This is no JSON that can be read."
    return problem(400, Problem("bad-request", what, {"what": what}))


def _mistake(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    log.error("a mistake of ours", exc_info=error)
    return problem(500, Problem("mistake", "A mistake of ours. Nothing was changed; please try again."))
