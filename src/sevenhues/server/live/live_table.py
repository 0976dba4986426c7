"""A table in memory: takes wishes one at a time, stores what comes of them, and only then tells everybody."""

import asyncio
import logging
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from sevenhues import protocol
from sevenhues.core.game import Outcome
from sevenhues.server.live import messages
from sevenhues.server.ratings import rating_model
from sevenhues.server.store import StoreFailed, Summary, Taken
from sevenhues.server.table import commands, events
from sevenhues.server.table.events import Entry, Event
from sevenhues.server.table.state import Table, needs_attention

if TYPE_CHECKING:
    from sevenhues.server.live.live_tables import House

MOST_WAITING = 128  # messages for one viewer; who reads slower is dropped
RETRY = 1.0  # seconds until what could not be stored is tried again
PRESENCE_DELAY = 0.05  # seconds in which comings and goings are told together

log = logging.getLogger("sevenhues")
Judged = Callable[[Table, int], Event | int | None]
_encoder = msgspec.json.Encoder()


class Viewer:
    """One connection to a table, and through whose eyes it sees."""

    def __init__(self, by: str | None) -> None:
        self.by = by
        self.eyes: tuple[int, ...] = ()
        self.chose = False  # these eyes were asked for
        self.text = False
        self.waiting: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self.reason: str | None = None  # why the server drops it
        self.dropped = asyncio.Event()

    def send(self, message: protocol.FromServer | bytes) -> None:
        """Queue a message; never waits."""
        data = message if isinstance(message, bytes) else _encoder.encode(message)
        try:
            self.waiting.put_nowait(data)
        except asyncio.QueueFull:
            self.drop("slow")

    def seats_changed(self, table: Table) -> None:
        """Look through one's own seats alone: who has left a seat is blind there, whoever sits in it now."""
        if not (self.chose and self.eyes and set(self.eyes) <= set(table.held(self.by))):
            self.eyes = messages.first_eyes(table, self.by)

    def drop(self, reason: str) -> None:
        """Have the connection closed."""
        if self.reason is None:
            self.reason = reason
            self.dropped.set()


class Room:
    """One table, as this process knows it."""

    def __init__(self, house: "House", table: Table) -> None:
        self.house = house
        self.table = table
        self.viewers: set[Viewer] = set()
        self.changed = asyncio.Event()  # set, and made anew, at every event
        self.used = house.now()
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._presence: asyncio.TimerHandle | None = None
        self._acts: set[asyncio.Task[Any]] = set()

    @property
    def idle(self) -> bool:
        """Tell whether nobody needs this room in memory."""
        return not (self.viewers or self._alarm or self._acts or self.house.bots.busy(self))

    async def act(self, judged: Judged) -> Event | int | None:
        """Judge a wish, and make it so. Goes through even if who wished it does not wait for it."""
        task = asyncio.ensure_future(self._act(judged))
        self._acts.add(task)
        task.add_done_callback(self._acts.discard)
        return await asyncio.shield(task)

    async def wake(self, first: Judged | None = None) -> None:
        """See to what should happen by itself: after loading, and when the table's log has grown elsewhere.

        `first` is judged before anything else, and before any clock is looked at.
        """
        async with self._lock:
            await self._catch_up()
            now = max(self.house.now(), self.table.at)
            event = first(self.table, now) if first is not None else None
            if event is not None and not isinstance(event, int):
                await self._append(event, now)
            await self._follow_up()
        if self._alarm is None:
            self._watch_clock()
        self.house.bots.attend(self)

    def enter(self, viewer: Viewer) -> None:
        """Let somebody in: the table first, then the position."""
        viewer.eyes = messages.first_eyes(self.table, viewer.by)
        self.viewers.add(viewer)
        self.used = self.house.now()
        viewer.send(self._described(viewer.by))
        self.show_all(viewer)
        self.presence_changed()
        self.house.neighbours.announce(self)

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)
        self.used = self.house.now()
        self.presence_changed()
        self.house.neighbours.announce(self)

    async def forget(self, by: str) -> None:
        """Part with a person who was deleted: nobody at the table waits for them."""
        await self.renew_names()
        while await self.act(lambda table, now: commands.part(table, by)) is not None:
            pass

    def show_all(self, viewer: Viewer) -> None:
        """Send a viewer everything they may see now."""
        table = self.table
        if table.position is not None:
            viewer.send(
                messages.update(table, table.position, viewer.eyes, viewer.text, self.house.now(), None, whole=True)
            )

    def info(self, by: str | None) -> protocol.TableInfo:
        """Describe the table to somebody, with who is here."""
        here, watchers = self.here()
        elsewhere, more = self.house.neighbours.here(self.table.id)
        return messages.info(self.table, by, here | elsewhere, watchers + more)

    def here(self) -> tuple[set[str], int]:
        """Tell who is connected in this process: persons, and how many only watch."""
        persons = {viewer.by for viewer in self.viewers if viewer.by is not None}
        seated = set(self.table.persons())
        return persons, sum(viewer.by not in seated for viewer in self.viewers)

    async def renew_names(self) -> None:
        """Read anew what people are called, and send away who was deleted."""
        for entry in await self.house.store.log(self.table.id):
            if isinstance(entry.event, events.Sat) and self.table.seats[entry.event.seat].by == entry.event.by:
                self.table.seats[entry.event.seat].name = entry.event.name
        for viewer in list(self.viewers):
            known = await self.house.store.identity(viewer.by) if viewer.by is not None else None
            if known is not None and known.deleted:
                viewer.drop("deleted")
        self.presence_changed()

    def close(self) -> None:
        for timer in (self._alarm, self._presence):
            if timer is not None:
                timer.cancel()
        self._alarm = self._presence = None

    async def _act(self, judged: Judged) -> Event | int | None:
        self.used = self.house.now()
        async with self._lock:
            while True:
                now = max(self.house.now(), self.table.at)
                found = judged(self.table, now)
                if isinstance(found, int):
                    return found
                if found is None or await self._append(found, now):
                    break
            await self._follow_up()
            return found

    async def _append(self, event: Event, at: int) -> bool:
        """Store an event and take it in; False if somebody else was first."""
        began = perf_counter()
        try:
            await self.house.store.append(self.table.id, self.table.number, at, event, self._summary(event))
        except Taken:
            await self._catch_up()
            return False
        self.house.metrics.append.observe(perf_counter() - began)
        self.house.metrics.events.labels(type(event).__name__).inc()
        self._take(Entry(at, event))
        self.house.bus.publish(self.table.id, self.table.number)
        return True

    async def _catch_up(self) -> None:
        for entry in await self.house.store.log(self.table.id, self.table.number):
            self._take(entry)

    async def _follow_up(self) -> None:
        """Do what follows by itself: a full table starts, a rematch that everybody wants is laid.

        What was wished before is done, even if what follows cannot be stored yet.
        """
        try:
            while (event := await self._following()) is not None:
                await self._append(event, max(self.house.now(), self.table.at))
        except StoreFailed:
            log.exception("what follows could not be stored; it is tried again", extra={"table": self.table.id})
            self._try_again()

    async def _following(self) -> Event | None:
        now = max(self.house.now(), self.table.at)
        return commands.due(self.table, now) or await self.house.lay_rematch(self.table)

    def _take(self, entry: Entry) -> None:
        self.table.apply(entry)
        if isinstance(entry.event, events.Sat | events.Left):
            for viewer in self.viewers:
                viewer.seats_changed(self.table)
        self._tell(entry.event)
        self.changed.set()
        self.changed = asyncio.Event()
        self._watch_clock()
        self.house.bots.attend(self)

    def _tell(self, event: Event) -> None:
        table = self.table
        plain_move = isinstance(event, events.Played) and table.result is None
        if not plain_move:
            self._tell_table()
        if table.position is None or isinstance(event, events.Offered | events.Followed):
            return
        now = self.house.now()
        move = table.moves[-1] if isinstance(event, events.Played) else None
        seen: dict[tuple[tuple[int, ...], bool], bytes] = {}
        for viewer in self.viewers:
            eyes = viewer.eyes, viewer.text
            if eyes not in seen:
                seen[eyes] = messages.update(table, table.position, *eyes, now, move, whole=False)
            viewer.send(seen[eyes])

    def _tell_table(self) -> None:
        described: dict[str | None, bytes] = {}
        for viewer in self.viewers:
            if viewer.by not in described:
                described[viewer.by] = self._described(viewer.by)
            viewer.send(described[viewer.by])

    def _described(self, by: str | None) -> bytes:
        return _encoder.encode(protocol.Table(self.info(by), self.house.now()))

    def presence_changed(self) -> None:
        """Tell viewers soon who is here, comings and goings together."""
        if self._presence is None:
            self._presence = asyncio.get_running_loop().call_later(PRESENCE_DELAY, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence = None
        self._tell_table()

    def _watch_clock(self) -> None:
        """Wake up when a flag falls or a race has stood still for too long."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        at = commands.next_alarm(self.table)
        if at is not None and self.house.lease.held(self.table.id):
            delay = max(0, at - self.house.now()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        task = asyncio.ensure_future(self._time_passed())
        self._acts.add(task)
        task.add_done_callback(self._acts.discard)

    async def _time_passed(self) -> None:
        try:
            await self._act(commands.overdue)
        except StoreFailed:
            log.exception("what is due could not be stored; it is tried again", extra={"table": self.table.id})
            self._try_again()
        if self._alarm is None:
            self._watch_clock()

    def _try_again(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(RETRY, self._ring)

    def _summary(self, event: Event) -> Summary | None:
        """Tell lists what an event changes of the table; a plain move changes nothing that they hold."""
        after = contest = None
        match event:
            case events.Started():
                after = "playing"
            case events.Resigned() | events.TimedOut():
                after, contest = "finished", rating_model.contest(self.table, None, event.seat)
            case events.Abandoned():
                after = "finished"
            case events.Sat() | events.Left():
                after = "waiting"
            case events.Played():
                outcome = self._outcome(event)
                if outcome is not None:
                    after, contest = "finished", rating_model.contest(self.table, outcome, None)
        if after is None:
            return None
        persons = {seat.by for seat in self.table.seats if seat.by is not None}
        if isinstance(event, events.Sat) and event.by is not None:
            persons.add(event.by)
        if isinstance(event, events.Left):
            others = [seat.by for i, seat in enumerate(self.table.seats) if i != event.seat]
            persons = {by for by in others if by is not None}
        levels = [seat.level for seat in self.table.seats] + [event.level if isinstance(event, events.Sat) else None]
        attended = needs_attention(self.table.made, any(levels))
        return Summary(self.table.game.id, after, self.table.made.public, tuple(sorted(persons)), attended, contest)

    def _outcome(self, event: events.Played) -> Outcome | None:
        """Tell how a move would end the game, if it does."""
        position = self.table.position
        assert position is not None
        after = position.copy()
        after.play(event.seat, self.table.game.parse(after, event.seat, event.text))
        return after.outcome()
