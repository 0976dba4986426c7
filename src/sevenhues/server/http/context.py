"""The state that all routes share, and functions of requests that several of them use."""

from typing import Any

from litestar import Request, WebSocket

from sevenhues.core.report_types import Beliefs
from sevenhues.server.accounts import cookies, names
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.client_address import client_network
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.http.fair_cache import FairCache
from sevenhues.server.http.rate_limits import RateLimits
from sevenhues.server.http.replay_pages import ReplayPages
from sevenhues.server.jobs.analysis_worker import AnalysisWorker
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.openapi import CachedDocument
from sevenhues.server.ratings import queries
from sevenhues.server.table.errors import Refused

MAX_CACHED_BELIEFS = 256
AnyRequest = Request[Any, Any, Any]
AnyWebSocket = WebSocket[Any, Any, Any]


class AppContext:
    """The state of the application in one process."""

    def __init__(self, live_tables: LiveTables, keys: SigningKeys, network_urls: list[str] | None = None) -> None:
        settings = live_tables.settings
        self.settings = settings
        self.live_tables = live_tables
        self.store = live_tables.store
        self.keys = keys
        self.network_urls = network_urls or []
        self.limits = RateLimits(settings.max_connections_per_address, settings.limits)
        self.analyses = AnalysisWorker(live_tables.store, settings.analysis_simulations)
        queue = FairQueue(1)  # of what is computed about finished games
        self.replay_pages = ReplayPages(queue)
        self.beliefs: FairCache[tuple[str, int, int], Beliefs | None] = FairCache(queue, MAX_CACHED_BELIEFS)
        self.openapi = CachedDocument()

    async def open(self) -> None:
        await self.live_tables.open()

    async def close(self) -> None:
        await self.live_tables.disconnect_all()
        await self.analyses.close()
        await self.live_tables.close()


def context_of(connection: AnyRequest | AnyWebSocket) -> AppContext:
    context: AppContext = connection.app.state.context
    return context


async def user_of(connection: AnyRequest | AnyWebSocket) -> str | None:
    """Return the user id in the request's cookie; None without a valid cookie, or for a deleted user."""
    context = context_of(connection)
    user_id = context.keys.read(connection.cookies.get(cookies.COOKIE_NAME))
    if user_id is None:
        return None
    user = await context.store.user(user_id)
    return None if user is not None and user.deleted else user_id


def count_read(connection: AnyRequest | AnyWebSocket, table_id: str) -> None:
    """Count a table that must be read from the store for the address that asks for it."""
    context = context_of(connection)
    if table_id not in context.live_tables.tables:
        context.limits.tables_read.take(client_network(connection.scope))


async def table_named(request: AnyRequest, table_id: str) -> LiveTable:
    """Return a table; raise Refused if it does not exist."""
    count_read(request, table_id)
    return await context_of(request).live_tables.get(table_id)


async def require_user(request: AnyRequest) -> str:
    """Return the user id in the request's cookie; raise Refused if there is none."""
    user_id = await user_of(request)
    if user_id is None:
        raise Refused("no-identity")
    return user_id


async def check_not_deleted(request: AnyRequest, user_id: str) -> None:
    """Delete again what a request gave to a user who was deleted meanwhile, and raise Refused.

    A deletion that comes later finds it by itself.
    """
    if await user_of(request) is None:
        await context_of(request).live_tables.delete_user(user_id)
        raise Refused("no-identity")


async def name_of(context: AppContext, user_id: str) -> str:
    """Return the name that a user has chosen, or a guest's name."""
    user = await context.store.user(user_id)
    return user.name if user is not None and user.name else names.guest_name(user_id)


async def check_name(context: AppContext, user_id: str, text: str) -> str:
    """Return a user's chosen name in its plainest form; raise Refused if it cannot be shown or imitates a player."""
    name = names.clean_name(text)
    if name is None:
        what = "name: use at most 40 visible characters, and no bot: at the beginning"
        raise Refused("bad-request", what=what)
    ranked = await context.store.read(queries.ranked_names(user_id))
    if names.skeleton(name) in map(names.skeleton, ranked):
        raise Refused("bad-request", what="name: it looks like the name of a ranked player; choose another")
    return name
