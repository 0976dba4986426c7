"""The state that all routes share, and functions of requests that several of them use."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from litestar import Request, WebSocket

from sevenhues import protocol
from sevenhues.core.report_types import Beliefs
from sevenhues.server.accounts import bot_accounts, cookies, names, restrictions
from sevenhues.server.accounts.bot_accounts import BotAccount
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.accounts.name_words import NameWords, load_words
from sevenhues.server.accounts.restrictions import Restriction
from sevenhues.server.client_address import client_network
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.http.fair_cache import FairCache
from sevenhues.server.http.link_recorder import LinkRecorder
from sevenhues.server.http.rate_limits import RateLimits
from sevenhues.server.http.replay_pages import ReplayPages
from sevenhues.server.jobs.analysis_worker import AnalysisWorker
from sevenhues.server.jobs.backup_schedule import BackupSchedule
from sevenhues.server.jobs.notification_sender import NotificationSender
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.notifications.mail import Mailer
from sevenhues.server.notifications.web_push import PushSender, VapidKey
from sevenhues.server.openapi import CachedDocument
from sevenhues.server.operators import audit_log
from sevenhues.server.operators.operator_state import OperatorState
from sevenhues.server.operators.process_monitor import ProcessMonitor
from sevenhues.server.ratings import queries
from sevenhues.server.store import StoreFailed
from sevenhues.server.store.backup_folder import BackupFolder, Sources
from sevenhues.server.table.errors import Refused

MAX_CACHED_BELIEFS = 256
DEFAULT_SUBJECT = "mailto:nobody@localhost"  # whom push services could ask about this server
AnyRequest = Request[Any, Any, Any]
AnyWebSocket = WebSocket[Any, Any, Any]


class AppContext:
    """The state of the application in one process.

    Without a key for it, no notifications are sent; without a token for it, there is no admin API.
    """

    def __init__(
        self,
        live_tables: LiveTables,
        keys: SigningKeys,
        network_urls: list[str] | None = None,
        push_key: VapidKey | None = None,
        mailer: Mailer | None = None,
        admin_token: str | None = None,
        name_words: NameWords | None = None,
    ) -> None:
        settings = live_tables.settings
        self.settings = settings
        self.live_tables = live_tables
        self.store = live_tables.store
        self.keys = keys
        self.network_urls = network_urls or []
        self.limits = RateLimits(settings.max_connections_per_address, settings.limits)
        self.links = LinkRecorder(live_tables.store, keys, live_tables.now, self.limits.new_links)
        self.analyses = AnalysisWorker(live_tables.store, settings.analysis_simulations)
        queue = FairQueue(1)  # of what is computed about finished games
        self.replay_pages = ReplayPages(queue)
        self.beliefs: FairCache[tuple[str, int, int], Beliefs | None] = FairCache(queue, MAX_CACHED_BELIEFS)
        self.openapi = CachedDocument()
        self.admin_token = admin_token
        self.name_words = name_words or load_words(None)
        live_tables.name_allowed = self.name_words.allows
        self.operators = OperatorState(live_tables.store, live_tables.now, self._apply_acts)
        live_tables.services.maintenance = self.maintenance
        self.monitor = ProcessMonitor(live_tables.now, self._counts)
        self.monitor.store_seconds = lambda: self.operators.store_seconds
        self.monitor.publish = live_tables.publish_report
        self.push_key = push_key
        self.mailer = mailer
        self.draining = False  # the server is about to stop; proxies send new requests elsewhere
        self._sender: NotificationSender | None = None
        if push_key is not None:
            push = PushSender(push_key, settings.public_url or DEFAULT_SUBJECT, settings.push_to_loopback)
            delay_ms = int(settings.mail_delay_seconds * 1000)
            metrics = live_tables.metrics
            self._sender = NotificationSender(live_tables.store, live_tables, push, mailer, delay_ms, metrics)
            live_tables.services.notices_stored = self._sender.wake
        self.backups: BackupSchedule | None = None
        if settings.backup_dir is not None:
            sources = Sources(settings.database, settings.key_file, settings.push_key_file)
            folder = BackupFolder(settings.backup_dir, sources)
            every_seconds, keep = settings.backup_every_seconds, settings.backup_keep
            self.backups = BackupSchedule(folder, every_seconds, keep, live_tables.metrics)

    async def open(self) -> None:
        await self.live_tables.open()
        await self.operators.open(self.live_tables.alone)
        self.monitor.open()
        if self._sender is not None:
            await self._sender.open(self.live_tables.alone)
        if self.backups is not None:
            await self.backups.open()

    def wake_sender(self) -> None:
        """Have notifications sent that were just stored."""
        if self._sender is not None:
            self._sender.wake()

    async def close(self) -> None:
        await self.live_tables.disconnect_all()
        await self.monitor.close()
        await self.operators.close()
        if self.backups is not None:
            await self.backups.close()
        if self._sender is not None:
            await self._sender.close()
        await self.analyses.close()
        await self.live_tables.close()

    def check_ban(self, user_id: str | None, network: str) -> None:
        """Raise Refused if an operator has banned a user or a network."""
        ban = self.operators.ban_of(user_id, network)
        if ban is not None:
            raise Refused("banned", reason=ban.reason, until=_until_text(ban))

    def maintenance(self) -> protocol.Maintenance:
        """Return the maintenance windows that are announced."""
        announced = self.operators.announcements()
        return protocol.Maintenance([protocol.MaintenanceWindow(one.starts, one.ends, one.note) for one in announced])

    async def _apply_acts(self, acts: list[audit_log.Entry]) -> None:
        """Apply what operators have done, here or in another process, to the connections of this process."""
        self.live_tables.drop_viewers(
            lambda viewer: self.operators.ban_of(viewer.user_id, viewer.network) is not None, "banned"
        )
        self.live_tables.bot_connections.drop_banned(
            lambda user_id, network: self.operators.ban_of(user_id, network) is not None
        )
        kinds = {act.act for act in acts}
        if kinds & {"announce", "withdraw"}:
            for live_table in self.live_tables.tables.values():
                live_table.send_maintenance()
        for act in acts:
            if act.act == "end-table":
                await self.live_tables.evict_removed(act.target)

    def _counts(self) -> tuple[int, int, int]:
        live_tables = self.live_tables
        return live_tables.services.open_connections, len(live_tables.tables), live_tables.searches.count()


def context_of(connection: AnyRequest | AnyWebSocket) -> AppContext:
    context: AppContext = connection.app.state.context
    return context


class Caller(NamedTuple):
    """The user who sends a request, and the bot account that the user is; nobody without a cookie or a token."""

    user_id: str | None = None
    bot: BotAccount | None = None


async def caller_of(connection: AnyRequest | AnyWebSocket) -> Caller:
    """Authenticate a request: by its bearer token or, without one, by its cookie. All routes do it here.

    A request with a bearer token is a bot's: its cookies are ignored. Raise Refused if the token is not valid.
    """
    context = context_of(connection)
    token = _bearer_token(connection)
    if token is not None:
        bot = await _bot_of_token(context, token)
        return Caller(bot.user_id, bot)
    user_id = context.keys.read(connection.cookies.get(cookies.COOKIE_NAME))
    if user_id is None:
        return Caller()
    user = await context.store.user(user_id)
    return Caller() if user is not None and user.deleted else Caller(user_id)


async def user_of(connection: AnyRequest | AnyWebSocket) -> str | None:
    """Return the id of the user, a person or a bot account, who sends a request; None if it is nobody."""
    return (await caller_of(connection)).user_id


def _bearer_token(connection: AnyRequest | AnyWebSocket) -> str | None:
    """Return the token in the header Authorization; None if the header is missing or has another scheme."""
    for value in connection.headers.getall("authorization", []):
        scheme, _, token = value.strip().partition(" ")
        if scheme.lower() == "bearer":
            return token.strip()
    return None


async def _bot_of_token(context: AppContext, token: str) -> BotAccount:
    digest = bot_accounts.token_digest(token)
    bot = await context.store.read(bot_accounts.bot_of_token(digest)) if digest is not None else None
    if bot is None:
        raise Refused("bad-token")
    now_ms = context.live_tables.now()
    if bot.used is None or bot.used < now_ms - bot_accounts.USED_MS:
        with suppress(StoreFailed):  # a full disk does not keep bots from reading
            await context.store.write(bot_accounts.mark_used(bot.user_id, now_ms))
    return bot


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
    """Return the id of the person who sends a request, and record the browser.

    Raise Refused for a bot account, or without a cookie.
    """
    user_id, bot = await require_player(request)
    if bot is not None:
        raise Refused("not-for-bots")
    return user_id


async def require_player(request: AnyRequest) -> tuple[str, BotAccount | None]:
    """Return the id of the person or of the bot account that sends a request; raise Refused if it is nobody."""
    user_id, bot = await caller_of(request)
    if user_id is None:
        raise Refused("no-identity")
    check_caller(request, user_id, bot)
    await context_of(request).links.see_request(request, user_id)
    return user_id, bot


async def require_bot(connection: AnyRequest | AnyWebSocket) -> BotAccount:
    """Return the bot account that sends a request; raise Refused if it is somebody else, or banned."""
    bot = (await caller_of(connection)).bot
    if bot is None:
        raise Refused("bots-only")
    check_caller(connection, bot.user_id, bot)
    return bot


def check_caller(connection: AnyRequest | AnyWebSocket, user_id: str | None, bot: BotAccount | None) -> None:
    """Raise Refused if the user, the address, or the owner of the bot account that sends a request is banned."""
    network = client_network(connection.scope)
    for banned in (user_id, None if bot is None else bot.owner_id):
        context_of(connection).check_ban(banned, network)


def is_banned(connection: AnyRequest | AnyWebSocket, user_id: str | None, bot: BotAccount | None) -> bool:
    """Tell whether `check_caller` refuses a request."""
    try:
        check_caller(connection, user_id, bot)
    except Refused:
        return True
    return False


async def refuse_bots(request: AnyRequest) -> None:
    """Raise Refused if a bot account sends a request."""
    if (await caller_of(request)).bot is not None:
        raise Refused("not-for-bots")


async def check_not_deleted(request: AnyRequest, user_id: str) -> None:
    """Delete again what a request gave to a user who was deleted meanwhile, and raise Refused.

    A deletion that comes later finds it by itself.
    """
    user = await context_of(request).store.user(user_id)
    if user is not None and user.deleted:
        await context_of(request).live_tables.delete_user(user_id)
        raise Refused("no-identity")


async def name_of(context: AppContext, user_id: str) -> str:
    """Return the name that a user has chosen, or a guest's name."""
    user = await context.store.user(user_id)
    return user.name if user is not None and user.name else names.guest_name(user_id)


async def check_name(context: AppContext, user_id: str, text: str) -> str:
    """Return a user's chosen name in its plainest form; raise Refused if it cannot be shown or imitates a player."""
    name = names.check_name(text)
    if context.name_words.refuses(name):
        raise Refused("bad-request", what="name: it has a word that this server refuses; choose another")
    ranked = await context.store.read(queries.ranked_names(user_id))
    if names.skeleton(name) in map(names.skeleton, ranked):
        raise Refused("bad-request", what="name: it looks like the name of a ranked player; choose another")
    return name


async def count_phrase(context: AppContext, user_id: str, table_id: str, owner_id: str | None = None) -> None:
    """Count a phrase that a user says at a table; raise Refused if it is one too many or the user is muted.

    A bot account is muted with its owner.
    """
    context.limits.phrases.take(f"{user_id} {table_id}")
    now_ms = context.live_tables.now()
    held = await context.store.read(restrictions.restrictions_of(user_id, now_ms))
    if owner_id is not None:
        held |= await context.store.read(restrictions.restrictions_of(owner_id, now_ms))
    muted = held.get("muted")
    if muted is not None and muted.until is not None:
        raise Refused("muted-until", until=muted.until)
    if muted is not None:
        raise Refused("muted")


def _until_text(ban: Restriction) -> str:
    """Return the end of a ban in English."""
    if ban.until is None:
        return "for good"
    return f"until {datetime.fromtimestamp(ban.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"
