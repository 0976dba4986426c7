"""The application of the admin API, which only requests of operators reach."""

import logging
from typing import Any

from litestar import Litestar, Response
from litestar.datastructures import Cookie, State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, HTTPScope

from sevenhues import __version__
from sevenhues.server.admin import people_routes, routes
from sevenhues.server.admin.authentication import COOKIE_NAME, COOKIE_PATHS, SESSION_MS, AdminAccess, Ticket
from sevenhues.server.http.context import AppContext
from sevenhues.server.operators import audit_log
from sevenhues.server.operators.audit_log import Operator
from sevenhues.server.query_steps import QuerySteps

PAGE = "/admin"
ENTRANCE = "/admin/enter/"  # and the code of a link
API = "/api/admin/"
SIGN_IN = "sign-in"
log = logging.getLogger("sevenhues")


class AdminRouter:
    """Chooses the requests that operators may make; all others go where they would without an admin API."""

    def __init__(self, app: Litestar, access: AdminAccess, context: AppContext) -> None:
        self._app: Any = app
        self._access = access
        self._context = context

    async def app_for(self, scope: HTTPScope) -> ASGIApp | None:
        """Return the application that answers a request of an operator; None for all other requests."""
        path = scope["path"]
        if path != PAGE and not path.startswith((f"{PAGE}/", API)):
            return None
        if path.startswith(ENTRANCE) and scope["method"] == "GET":
            return await self._enter(scope, path.removeprefix(ENTRANCE))
        operator = self._access.operator_of(scope)
        if operator is None:
            return None
        self._access.check_page(scope, operator)
        scope.setdefault("state", {})["operator"] = operator
        app: ASGIApp = self._app
        return app

    async def _enter(self, scope: HTTPScope, code: str) -> ASGIApp | None:
        """Open a session by a link that was not used before."""
        ticket = self._access.read_link(scope, code)
        if ticket is None:
            return None
        now_ms = self._context.live_tables.now()
        if not await audit_log.retried(lambda: self._context.store.write(_use(ticket, now_ms))):
            return None
        session, secure = self._access.session(ticket.operator), scope["scheme"] == "https"
        cookies = [_cookie(path, session, SESSION_MS // 1000, secure) for path in COOKIE_PATHS]
        headers = {"location": PAGE, "cache-control": "no-store"}
        return Response(b"", status_code=303, headers=headers, cookies=cookies).to_asgi_response(None, None)  # type: ignore[arg-type]


def make_admin_app(access: AdminAccess, state: State, exception_handlers: Any, max_body: int) -> AdminRouter:
    """Build the application of the admin API."""
    app = Litestar(
        route_handlers=[*routes.ROUTES, *people_routes.ROUTES],
        state=State({**state.dict(), "access": access}),
        openapi_config=OpenAPIConfig(
            title="Seven Hues, for operators",
            version=__version__,
            path="/api/admin/openapi",
            render_plugins=[JsonRenderPlugin()],
        ),
        request_max_body_size=max_body,
        exception_handlers=exception_handlers,
        logging_config=None,
        debug=False,
    )
    context: AppContext = state.context
    return AdminRouter(app, access, context)


def _use(ticket: Ticket, now_ms: int) -> QuerySteps[bool]:
    """Note that a link is used; False if it was."""
    if (yield from audit_log.was_done(SIGN_IN, ticket.nonce)):
        return False
    yield from audit_log.record(now_ms, Operator(ticket.operator, "link"), SIGN_IN, ticket.nonce)
    return True


def _cookie(path: str, value: str, max_age: int, secure: bool) -> Cookie:
    return Cookie(COOKIE_NAME, path=path, value=value, max_age=max_age, httponly=True, samesite="strict", secure=secure)
