"""All live tables of this process: loads tables, continues games after a restart, evicts and expires tables."""

import asyncio
import logging
import re
import secrets
import time
from collections import ChainMap, OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from sevenhues.core.deal_proof import SECRET_BYTES
from sevenhues.core.errors import shorten
from sevenhues.core.game import Game
from sevenhues.core.record import Record
from sevenhues.server.accounts import names
from sevenhues.server.cluster.bus import Bus, NoBus
from sevenhues.server.cluster.lease import Lease, SoleLease
from sevenhues.server.cluster.presence import Attention, Presence
from sevenhues.server.live.bot_connections import BotConnections
from sevenhues.server.live.bot_player import BotPlayer
from sevenhues.server.live.evicted_table import EvictedTable
from sevenhues.server.live.live_table import RETRY_SECONDS, LiveTable, Viewer
from sevenhues.server.live.searches import Searches
from sevenhues.server.live.services import Services
from sevenhues.server.live.store_clock import StoreClock
from sevenhues.server.metrics import Metrics
from sevenhues.server.settings import Settings
from sevenhues.server.store import DELETED_USER_NAME, Conflict, Store, StoreFailed, Summary
from sevenhues.server.table import commands, events, ids, imports
from sevenhues.server.table.commands import Command, TableSpec
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.events import Entry, Event
from sevenhues.server.table.state import Decision, Table, needs_owner, restore

DAY_MS = 24 * 3600 * 1000
DISCONNECT_TIMEOUT_SECONDS = 1.0  # for connections to close when the server stops
DISCONNECT_INTERVAL_SECONDS = 0.1  # between groups of connections that are closed, if clients go to other processes
MAX_DISCONNECT_GROUPS = 50
MIN_DISCONNECTED = 10  # connections of a group
SWEEP_SECONDS = 60.0
EVICT_AFTER_MS = 60_000  # without use
MANY_TABLES = 500  # in memory; if there are more, tables are evicted after the following time without use
EVICT_SOON_AFTER_MS = 15_000
EXAMINED_AT_A_LOAD = 8  # tables
LISTED_AT_ONCE = 50  # tables of a user
log = logging.getLogger("sevenhues")


class LiveTables:
    """The live tables of one process, by id."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bus: Bus | None = None,
        lease: Lease | None = None,
        now: Callable[[], int] | None = None,
        new_id: Callable[[], str] = ids.table_id,
        metrics: Metrics | None = None,
        searches: Searches | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self._clock = StoreClock()
        self.now = now or self._clock
        self.metrics = metrics or Metrics()
        self.tables: OrderedDict[str, LiveTable] = OrderedDict()  # the one requested latest is the last
        self.metrics.watch_live_tables(lambda: len(self.tables))
        self._bus = bus or NoBus()
        self._lease = lease or SoleLease()
        self._new_id = new_id
        self._evicted: dict[str, EvictedTable] = {}  # games in play for which this process acts
        loaded_or_evicted: ChainMap[str, Any] = ChainMap(self.tables, self._evicted)
        self._presence = Presence(self._bus, store, loaded_or_evicted)
        self.searches = searches or _search_pool(settings)
        self.bots = BotPlayer(self.searches, settings.bot_min_move_ms, self._lease, self.now, self.metrics)
        self.services = Services(
            store=store,
            now=self.now,
            metrics=self.metrics,
            lease=self._lease,
            presence=self._presence,
            bots=self.bots,
            publish_length=self._bus.publish,
            publish_said=lambda table_id, said: self._bus.publish(table_id, said=said),
            create_rematch=self._create_rematch,
        )
        self.bot_connections = BotConnections(store, self.now, self.get_current)
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the store, and continue the games that need this process."""
        await self.store.open()
        await self._clock.synchronize(self.store)
        await self._presence.open()
        for id in await self.store.tables_needing_owner() if self._bus.alone else []:
            try:
                await self._load(id, commands.grant_time)
            except StoreFailed:
                raise
            except Exception:
                # For example a game that is no longer installed. All other tables can be played.
                log.exception("a game cannot be continued", extra={"table": id})
        await self._lease.open(self._take_over)
        self._sweeper = asyncio.create_task(self._sweep_forever())

    async def close(self) -> None:
        """Close all connections, then the services."""
        await self.disconnect_all()
        if self._sweeper is not None:
            self._sweeper.cancel()
        for live_table in self.tables.values():
            live_table.close()
        for evicted in self._evicted.values():
            evicted.close()
        for task in list(self._tasks):
            task.cancel()
        await self.bot_connections.close()
        await self.bots.close()
        await self.searches.close()
        await self._lease.close()
        await self._presence.close()
        await self.store.close()

    async def disconnect_all(self) -> None:
        """Close every connection with the reason that the server stops; leave bots and clocks to other processes.

        If there are other processes, connections are closed in groups, because their clients connect there at once.
        """
        self.bots.stop()
        self.bot_connections.drop_all()
        await self._lease.close()
        viewers = self._undropped()
        group = len(viewers) if self._bus.alone else max(MIN_DISCONNECTED, len(viewers) // MAX_DISCONNECT_GROUPS + 1)
        while viewers:
            for viewer in viewers[:group]:
                viewer.drop("stopping")
            viewers = self._undropped()
            if viewers:
                await asyncio.sleep(DISCONNECT_INTERVAL_SECONDS)
        deadline = time.monotonic() + DISCONNECT_TIMEOUT_SECONDS
        while self.services.open_connections and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    def _undropped(self) -> list[Viewer]:
        tables = self.tables.values()
        return [viewer for live_table in tables for viewer in live_table.viewers if not viewer.dropped.done()]

    async def get(self, id: str) -> LiveTable:
        """Return a table, loading it if needed; raise Refused if it does not exist."""
        live_table = self.tables.get(id)
        if live_table is not None:
            live_table.used_at = self.now()  # so that it is not evicted before the caller uses it
            self.tables.move_to_end(id)
            return live_table
        if re.fullmatch("[a-z0-9-]{3,60}", id) is None:
            raise Refused("no-table", table=shorten(id))
        return await self._load_once(id, commands.grant_reveal_time)

    async def get_current(self, id: str) -> LiveTable:
        """Return a table with all stored events, also those of other processes whose announcement was lost.

        A client that has seen a move at another process must not be shown an earlier position here.
        """
        known = id in self.tables
        live_table = await self.get(id)
        if known and not self._bus.alone:
            await live_table.wake()
        return live_table

    async def current(self, id: str) -> Table:
        """Return the state of a table with all stored events; raise Refused if it does not exist."""
        return (await self.get_current(id)).table

    def attention(self, table_id: str, user_id: str) -> Attention:
        """Tell whether a user looks at a table, in any process."""
        live_table = self.tables.get(table_id)
        here = live_table.attention().get(user_id, Attention()) if live_table is not None else Attention()
        return here.or_else(self._presence.attention_elsewhere(table_id, user_id))

    @property
    def alone(self) -> bool:
        """Tell whether there are no other processes."""
        return self._bus.alone

    async def create(self, game: Game[Any], spec: TableSpec, owner_id: str, name: str) -> LiveTable:
        """Create a table for a user."""
        new_events = commands.create(spec, game, owner_id, name, secrets.token_bytes(SECRET_BYTES), ids.new_seed())
        return await self.get(await self._store_new(new_events))

    async def import_record(self, uploaded: Record, owner_id: str, offline_id: str | None = None) -> LiveTable:
        """Create the finished table of an uploaded record.

        A game that was played offline has an id on its device. Another upload of it finds the table of the first one.
        """
        secret, offline = secrets.token_bytes(SECRET_BYTES), offline_id is not None
        new_events = imports.import_record(uploaded, owner_id, secret, self.now(), _clean_name, offline)
        if offline_id is None:
            return await self.get(await self._store_new(new_events, "finished", [owner_id]))
        id = ids.uploaded_id(owner_id, offline_id)
        with suppress(Conflict):
            await self._store(id, new_events, "finished", [owner_id])
        return await self.get(id)

    async def branch(self, table: Table, ply: int, seat: int, level: str | None, owner_id: str, name: str) -> LiveTable:
        """Create a table that continues a finished game from a ply."""
        secret = secrets.token_bytes(SECRET_BYTES)
        new_events = imports.branch(table, ply, seat, level, owner_id, name, secret, self.now())
        return await self.get(await self._store_new(new_events, "playing"))

    async def renew_vacations(self, user_id: str) -> None:
        """Tell a user's games that their holidays have begun or ended. What fails is done before a clock runs out."""
        listed = await self.store.list_of_user(user_id, None, LISTED_AT_ONCE, unfinished=True)
        while listed:
            for one in listed:
                try:
                    await (await self.get(one.id)).renew_vacations()
                except Exception:
                    log.exception("holidays could not be stored in a game yet", extra={"table": one.id})
            full = len(listed) == LISTED_AT_ONCE
            listed = await self.store.list_of_user(user_id, listed[-1], LISTED_AT_ONCE, unfinished=True) if full else []

    async def delete_user(self, user_id: str) -> None:
        """Delete a user's data and the user's bot accounts, and free or resign their seats."""
        for bot_id in await self.store.bots_of(user_id):
            await self.delete_user(bot_id)
        for id, status in await self.store.delete_user(user_id, self.now()):
            try:
                live_table = await self.get(id) if status != "finished" else self.tables.get(id)
                if live_table is not None:
                    await live_table.remove_user(user_id)
                self._bus.publish(id)
            except Exception:
                log.exception("a deleted user's seats could not be freed", extra={"table": id})

    def evict_all(self) -> None:
        """Remove every table from memory, and close the connections to it."""
        for id in list(self.tables):
            self._evict(id)
        for id in list(self._evicted):
            self._forget(id)

    async def sweep(self) -> None:
        """Remove tables that were never started, abandon games that nobody continues, evict unused tables."""
        now_ms = self.now()
        for id in await self.store.inactive_tables("waiting", now_ms - int(self.settings.unstarted_days * DAY_MS)):
            if id not in self.tables or not self.tables[id].viewers:
                self._evict(id)
                await self.store.remove(id)
                log.info("removed a table that was never started", extra={"table": id})
        inactive_ms = int(self.settings.inactive_days * DAY_MS)
        for id in await self.store.inactive_tables("playing", now_ms - inactive_ms):
            try:
                live_table = await self.get(id)
                await live_table.act(partial(commands.abandon_inactive, inactive_ms=inactive_ms))
            except Exception:
                log.exception("an inactive game could not be abandoned", extra={"table": id})
        for live_table in list(self.tables.values()):
            self._evict_if_unused(live_table, now_ms - EVICT_AFTER_MS)
        await self.store.delete_expired(now_ms)

    async def _create_rematch(self, table: Table, now_ms: int) -> Decision | None:
        """Store the rematch that all users of a table have offered; return the event, which is stored with it.

        Raise Conflict if the table's log has grown meanwhile.
        """
        if not commands.rematch_is_due(table):
            return None
        new_events = commands.create_rematch(table, secrets.token_bytes(SECRET_BYTES), ids.new_seed())
        id, log = self._new_id(), [Entry(now_ms, event) for event in new_events]
        await self.store.create_rematch(table.id, table.event_count, now_ms, id, log, _summary(new_events, "waiting"))
        _log_created(new_events, id)
        self._start(self._remove_deleted_users(table.user_ids()))
        return Decision(events.RematchCreated(id))

    async def _remove_deleted_users(self, user_ids: Iterable[str]) -> None:
        """Remove users from a rematch who were deleted while it was stored with their names."""
        for user_id in user_ids:
            try:
                user = await self.store.user(user_id)
                if user is not None and user.deleted:
                    await self.delete_user(user_id)
            except StoreFailed:
                log.exception("a deleted user could not be removed from a rematch")

    async def _store_new(self, first_events: list[Event], status: str = "waiting", listed: Iterable[str] = ()) -> str:
        """Store a new table and return its id; it is listed for its users and for those in `listed`."""
        while True:
            id = self._new_id()
            with suppress(Conflict):
                await self._store(id, first_events, status, listed)
                return id

    async def _store(self, id: str, first_events: list[Event], status: str, listed: Iterable[str]) -> None:
        """Store a new table; raise Conflict if the id is in use."""
        now_ms = self.now()
        log = [Entry(now_ms, event) for event in first_events]
        await self.store.create(id, log, _summary(first_events, status, listed))
        _log_created(first_events, id)

    async def _load_once(self, id: str, first: Command) -> LiveTable:
        """Load a table, or wait for the task that is loading it already."""
        if id not in self._loading:
            task = asyncio.ensure_future(self._load(id, first))
            self._loading[id] = task
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str, first: Command) -> LiveTable:
        stored = await self.store.log(id)
        if not stored:
            raise Refused("no-table", table=id)
        live_table = LiveTable(restore(id, stored), self.services)
        self.tables[id] = live_table
        try:
            await live_table.wake(first)
        except BaseException:
            self._evict(id)
            raise
        self._forget(id)
        self._evict_unused()
        return live_table

    async def _take_over(self, id: str) -> None:
        """Act for a table whose lease this process has just acquired."""
        if id in self.tables or id in self._loading:
            await (await self.get(id)).wake(commands.grant_expired_time)
        else:
            await self._load_once(id, commands.grant_expired_time)

    def _evict_unused(self) -> None:
        """Evict tables that were requested longest ago: many can be loaded by paging through lists."""
        for _ in range(EXAMINED_AT_A_LOAD):
            if len(self.tables) <= MANY_TABLES:
                return
            id, live_table = next(iter(self.tables.items()))
            self.tables.move_to_end(id)  # so that others are examined next if it is in use
            self._evict_if_unused(live_table, self.now() - EVICT_SOON_AFTER_MS)

    def _evict_if_unused(self, live_table: LiveTable, since_ms: int) -> None:
        """Evict a table that has not been used since a time."""
        if live_table.evictable and live_table.used_at < since_ms:
            self._evict(live_table.id)
            self._remember(live_table)

    def _evict(self, id: str) -> None:
        live_table = self.tables.pop(id, None)
        if live_table is not None:
            live_table.close()
            for viewer in list(live_table.viewers):
                viewer.drop("gone")

    def _remember(self, live_table: LiveTable) -> None:
        """Keep what is needed of an evicted game if this process acts for it, so that it is loaded again in time."""
        table = live_table.table
        deadline = commands.next_deadline(table)
        acts = table.status == "playing" and self._lease.renews(table.id)
        if acts and (deadline is not None or not self._bus.alone):
            evicted = self._evicted[table.id] = EvictedTable(table.id, table.event_count, self.get)
            if deadline is not None:
                evicted.set_alarm((deadline - self.now()) / 1000, self._start_reload)

    def _forget(self, id: str) -> None:
        evicted = self._evicted.pop(id, None)
        if evicted is not None:
            evicted.close()

    def _start_reload(self, id: str) -> None:
        self._start(self._reload(id))

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reload(self, id: str) -> None:
        """Load an evicted game whose time is up."""
        try:
            await self.get(id)
        except Exception:
            log.exception("a game whose time is up could not be loaded and is tried again", extra={"table": id})
            if id in self._evicted:
                self._evicted[id].set_alarm(RETRY_SECONDS, self._start_reload)

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._clock.synchronize(self.store)
                await self.sweep()
            except Exception:
                log.exception("removing and evicting tables failed and is retried")


def _search_pool(settings: Settings) -> Searches:
    """Return a pool of processes; imported here because a browser has no processes."""
    from sevenhues.server.live.search_pool import SearchPool

    return SearchPool(settings.bot_budget, settings.bot_workers)


def _summary(first_events: list[Event], status: str, listed: Iterable[str] = ()) -> Summary:
    """Return the listed properties of a new table."""
    created = first_events[0]
    assert isinstance(created, events.Created)
    seated = [event for event in first_events if isinstance(event, events.SeatTaken)]
    user_ids = {event.user_id for event in seated if event.user_id is not None} | set(listed)
    user_ids |= {event.user_id for event in first_events if isinstance(event, events.BotChallenged)}
    needs = needs_owner(created, any(event.level for event in seated))
    return Summary(created.game, status, created.public, tuple(sorted(user_ids)), needs)


def _log_created(first_events: list[Event], id: str) -> None:
    created = first_events[0]
    assert isinstance(created, events.Created)
    log.info("created a table", extra={"game": created.game, "table": id})


def _clean_name(name: str) -> str:
    return names.clean_name(name) or DELETED_USER_NAME
