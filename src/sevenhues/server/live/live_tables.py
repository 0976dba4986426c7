"""The house: all tables of this process, found by their ids, woken after a restart, swept when they are long dead."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable

from sevenhues.core import registry
from sevenhues.core.deal_proof import SECRET_BYTES
from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.record import Record
from sevenhues.protocol import NewTable, PlayOn
from sevenhues.server.accounts import names
from sevenhues.server.accounts.cookies import Keys
from sevenhues.server.cluster.bus import Bus, OwnBus
from sevenhues.server.cluster.lease import Lease, OwnLease
from sevenhues.server.cluster.presence import Neighbours
from sevenhues.server.errors import Declined
from sevenhues.server.http.rate_limits import Limits
from sevenhues.server.jobs.analysis_worker import Storyteller
from sevenhues.server.live.bot_player import BotSeats
from sevenhues.server.live.live_table import Judged, Room
from sevenhues.server.metrics import Metrics
from sevenhues.server.settings import Settings
from sevenhues.server.store import Store, StoreFailed, Summary, Taken
from sevenhues.server.table import commands, events, imports
from sevenhues.server.table.events import Entry, Event
from sevenhues.server.table.replay import Replays
from sevenhues.server.table.state import Table, needs_attention, restore

DAY = 24 * 3600 * 1000
GRACE = 15_000  # milliseconds somebody has at least whose flag fell while the server was away
GOODBYES = 50  # fiftieths of a second that viewers have to hear a goodbye
SWEEP = 60.0  # seconds
UNUSED = 60_000  # milliseconds after which an idle room is let go
log = logging.getLogger("sevenhues")


def grant(table: Table, now: int) -> Event | None:
    """Let nobody lose on time because the server was away: their clock goes on with a few seconds at least."""
    if table.game.simultaneous and table.status == "playing":
        return events.Granted(0, 0) if now > table.progress + commands.PATIENCE - GRACE else None
    clocks = table.clocks
    if clocks is None or clocks.running is None:
        return None
    left = clocks.left[clocks.running]
    grace = min(left, GRACE)
    return events.Granted(clocks.running, grace) if left - (now - clocks.since) < grace else None


def revive(table: Table, now: int) -> Event | None:
    """Let nobody lose on time because the process that watched their clock died."""
    flag = table.clocks.flag() if table.clocks is not None else None
    return grant(table, now) if flag is not None and now >= flag else None


def steady_clock() -> Callable[[], int]:
    """Return a clock of milliseconds since 1970 that never goes back, whoever sets the machine's."""
    offset = time.time() - time.monotonic()
    return lambda: int((time.monotonic() + offset) * 1000)


class House:
    """Everything that the routes and sockets share."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        keys: Keys,
        bus: Bus | None = None,
        lease: Lease | None = None,
        now: Callable[[], int] | None = None,
        new_id: Callable[[], str] = names.table_id,
    ) -> None:
        self.settings = settings
        self.store = store
        self.keys = keys
        self.bus = bus or OwnBus()
        self.lease = lease or OwnLease()
        self.now = now or steady_clock()
        self.new_id = new_id
        self.metrics = Metrics()
        self.limits = Limits(settings.sockets_of_address, settings.limits)
        self.bots = BotSeats(self)
        self.stories = Storyteller(store, settings.story)
        self.neighbours = Neighbours(self)
        self.replays = Replays()
        self.rooms: dict[str, Room] = {}
        self.stopping = False
        self.conversations = 0  # open websockets
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the store, and take up every game that goes on."""
        await self.store.open()
        await self.neighbours.open()
        for id in await self.store.attended() if self.bus.alone else []:
            try:
                await self._load(id, grant)
            except StoreFailed:
                raise
            except Exception:
                # A game that is no longer installed, say: no reason to keep everybody else from playing.
                log.exception("a game cannot go on", extra={"table": id})
        await self.lease.open(self._attend)
        self._sweeper = asyncio.create_task(self._sweep_for_ever())

    async def close(self) -> None:
        """Stop: nobody is told anything that is not stored, and everything stored stays."""
        await self.say_goodbye()
        if self._sweeper is not None:
            self._sweeper.cancel()
        for room in self.rooms.values():
            room.close()
        await self.bots.close()
        await self.stories.close()
        await self.lease.close()
        await self.neighbours.close()
        await self.store.close()

    async def say_goodbye(self) -> None:
        """Send everybody away, to come back when the server does."""
        self.stopping = True
        for room in self.rooms.values():
            for viewer in list(room.viewers):
                viewer.drop("stopping")
        for _ in range(GOODBYES):
            if self.conversations == 0:
                return
            await asyncio.sleep(0.02)

    async def room(self, id: str) -> Room:
        """Find a table; raises Declined if there is none."""
        room = self.rooms.get(id)
        if room is not None:
            room.used = self.now()  # whoever asked finds it in use, however long they take to come in
            return room
        if re.fullmatch("[a-z0-9-]{3,60}", id) is None:
            raise Declined("no-table", table=shorten(id))
        if id not in self._loading:
            task = asyncio.ensure_future(self._load(id))
            self._loading[id] = task
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def lay(self, wish: NewTable, owner: str, name: str) -> Room:
        """Lay a new table for somebody."""
        try:
            game = registry.load(wish.game)
        except BadOption as error:
            raise Declined("no-game", what=str(error)) from None
        created = commands.create(wish, game, owner, secrets.token_bytes(SECRET_BYTES), names.new_seed())
        id = await self._create([created, *commands.seated(wish, game, owner, name)])
        return await self.room(id)

    async def lay_record(self, found: Record, owner: str) -> Room:
        """Lay the finished table that a record tells of."""
        laid = imports.imported(found, owner, secrets.token_bytes(SECRET_BYTES), self.now())
        return await self.room(await self._create(laid, "finished", [owner]))

    async def lay_branch(self, table: Table, wish: PlayOn, owner: str, name: str) -> Room:
        """Lay a table that goes on from a moment of a finished game."""
        laid = imports.branch(table, wish, owner, name, secrets.token_bytes(SECRET_BYTES), self.now())
        return await self.room(await self._create(laid, "playing"))

    async def lay_rematch(self, table: Table) -> Event | None:
        """Lay the rematch that everybody at a table has offered; return what to note there."""
        laid = commands.rematch(table, secrets.token_bytes(SECRET_BYTES), names.new_seed())
        return None if laid is None else events.Followed(await self._create(laid))

    async def sweep(self) -> None:
        """Remove what nobody ever started, end what nobody goes on with, let go of rooms nobody is in."""
        now = self.now()
        for id in await self.store.stale("waiting", now - int(self.settings.unstarted_days * DAY)):
            if id not in self.rooms or not self.rooms[id].viewers:
                self._forget(id)
                await self.store.remove(id)
                log.info("removed a table that never started", extra={"table": id})
        for id in await self.store.stale("playing", now - int(self.settings.dead_days * DAY)):
            try:
                room = await self.room(id)
                await room.act(lambda table, _: events.Abandoned() if table.status == "playing" else None)
            except Exception:
                log.exception("a dead game could not be ended", extra={"table": id})
        for id, room in list(self.rooms.items()):
            if room.idle and now - room.used > UNUSED:
                self._forget(id)
        self.metrics.rooms.set(len(self.rooms))

    async def forget_person(self, identity: str) -> None:
        """Delete a person: their name goes, and so do they from every table that others wait at."""
        for id, status in await self.store.delete_identity(identity, self.now()):
            try:
                room = await self.room(id) if status != "finished" else self.rooms.get(id)
                if room is not None:
                    await room.forget(identity)
                self.bus.publish(id)
            except Exception:
                log.exception("a person could not be taken from a table", extra={"table": id})

    async def _create(self, laid: list[Event], status: str = "waiting", listed: Iterable[str] = ()) -> str:
        """Store a new table; it is listed for who sits there, and for those `listed`."""
        created = laid[0]
        assert isinstance(created, events.Created)
        seated = [event.by for event in laid if isinstance(event, events.Sat) and event.by is not None]
        persons = tuple(sorted({*seated, *listed}))
        bots = any(isinstance(event, events.Sat) and event.level for event in laid)
        attended = needs_attention(created, bots)
        summary = Summary(created.game, status, created.public, persons, attended)
        now = self.now()
        while True:
            id = self.new_id()
            try:
                await self.store.create(id, [Entry(now, event) for event in laid], summary)
            except Taken:
                continue
            log.info("laid a table", extra={"game": created.game, "table": id})
            return id

    async def _load(self, id: str, first: Judged | None = None) -> Room:
        found = await self.store.log(id)
        if not found:
            raise Declined("no-table", table=id)
        room = Room(self, restore(id, found))
        self.rooms[id] = room
        try:
            await room.wake(first)
        except BaseException:
            self._forget(id)
            raise
        return room

    async def _attend(self, id: str) -> None:
        """Look after a table that was left by another process, or that has just asked for it."""
        room = self.rooms.get(id)
        if room is None:
            await self._load(id, revive)
        else:
            await room.wake(revive)

    def _forget(self, id: str) -> None:
        room = self.rooms.pop(id, None)
        if room is not None:
            room.close()
            for viewer in list(room.viewers):
                viewer.drop("gone")

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            try:
                await self.sweep()
            except Exception:
                log.exception("sweeping failed; it is tried again")
