"""A table in memory: carries out commands one at a time, stores their events, and only then sends them to viewers."""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from functools import partial
from time import perf_counter
from typing import Any

from sevenhues import protocol
from sevenhues.server.cluster.bus import SaidPhrase
from sevenhues.server.cluster.presence import Attention
from sevenhues.server.live import messages
from sevenhues.server.live.services import Services
from sevenhues.server.notifications.notices import notices_after
from sevenhues.server.ratings import contests, exclusions
from sevenhues.server.ratings.contests import Exclusion
from sevenhues.server.store import Conflict, StoreFailed, Summary
from sevenhues.server.table import commands, events
from sevenhues.server.table.clock import counts_days
from sevenhues.server.table.commands import Command
from sevenhues.server.table.events import Entry, Event
from sevenhues.server.table.state import Decision, Table, needs_owner

MAX_QUEUED = 128  # messages for one viewer; a viewer that reads more slowly is dropped
MAX_BATCH = 8  # messages that are sent together
RETRY_SECONDS = 1.0  # until an event that could not be stored is tried again
MAX_REMEMBERED_PHRASES = 64  # requests to say something, of which a repetition is recognized
PRESENCE_DELAY_SECONDS = 0.05  # in which changes of presence are collected into one message

log = logging.getLogger("sevenhues")


class Viewer:
    """A connection to a table, and the seats whose views it gets."""

    def __init__(self, user_id: str | None, network: str = "") -> None:
        self.user_id = user_id
        self.network = network  # of the client's address
        self.views: tuple[int, ...] = ()
        self.chose_views = False
        self.text = False
        self.visible = False  # the page is shown on a screen, as its client says
        self.dropped: asyncio.Future[str] = asyncio.get_running_loop().create_future()  # the reason
        self._queue: deque[bytes] = deque()
        self._queued: asyncio.Future[None] | None = None  # for `next_messages`, which waits for it

    def send(self, message: protocol.FromServer | bytes) -> int:
        """Queue a message without waiting, and return its length in bytes."""
        encoded = message if isinstance(message, bytes) else messages.encoder.encode(message)
        if len(self._queue) == MAX_QUEUED:
            self.drop("slow")
        else:
            self._queue.append(encoded)
            if self._queued is not None and not self._queued.done():
                self._queued.set_result(None)
        return len(encoded)

    async def next_messages(self) -> list[bytes]:
        """Wait for the next queued messages."""
        while not self._queue:
            self._queued = asyncio.get_running_loop().create_future()
            await self._queued
        return [self._queue.popleft() for _ in range(min(MAX_BATCH, len(self._queue)))]

    def seats_changed(self, table: Table) -> None:
        """Drop the views of seats that the user does not hold any more."""
        if not (self.chose_views and self.views and set(self.views) <= set(table.seats_of(self.user_id))):
            self.views = messages.initial_views(table, self.user_id)

    def drop(self, reason: str) -> None:
        """Close the connection."""
        if not self.dropped.done():
            self.dropped.set_result(reason)


class LiveTable:
    """A table in the memory of this process, with its viewers and timers."""

    def __init__(self, table: Table, services: Services) -> None:
        self.table = table
        self.viewers: set[Viewer] = set()
        self.used_at = services.now()
        self._services = services
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._presence_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._exclusion: Exclusion | None = None  # why the game does not count, as far as is known
        self._exclusion_of: object = None  # what it was found out for
        self._seen_ms: dict[str, int] = {}  # when a visible page was last heard of, by user id
        self._said: deque[tuple[str, str]] = deque(maxlen=MAX_REMEMBERED_PHRASES)  # user ids and ids of requests

    @property
    def id(self) -> str:
        return self.table.id

    @property
    def event_count(self) -> int:
        return self.table.event_count

    @property
    def watched(self) -> bool:
        """Tell whether the table has viewers in this process."""
        return bool(self.viewers)

    @property
    def idle(self) -> bool:
        """Tell whether this process has nothing to do for the table, now or at a later time."""
        return self._alarm is None and not self._in_use

    @property
    def evictable(self) -> bool:
        """Tell whether the table can be evicted from memory: at most the time of a game in play is to be watched."""
        waiting = self._alarm is not None and self.table.status != "playing"
        return not (waiting or self._in_use)

    @property
    def _in_use(self) -> bool:
        busy = self.viewers or self._tasks or self._lock.locked()
        return bool(busy) or self._services.bots.busy(self.table)

    async def act(self, command: Command) -> Decision | None:
        """Validate and apply a command; completes even if the caller is cancelled."""
        return await asyncio.shield(self._start_task(self.act_unshielded(command)))

    async def wake(self, first: Command | None = None) -> None:
        """Catch up with the stored log, and do what is due: after loading, and when other processes add events.

        The command `first` is carried out before any clock is checked.
        """
        if first is not None and self._knows_vacations:
            await self._try_to_renew_vacations()
        async with self._lock:
            await self._catch_up()
            now_ms = self._event_time()
            decision = first(self.table, now_ms) if first is not None else None
            if decision is not None:
                await self._append(decision, now_ms)
            await self._follow_up()
        if self._alarm is None:
            self._set_alarm()
        self._services.bots.play(self)

    def enter(self, viewer: Viewer) -> None:
        """Add a viewer: send the table first, then the position."""
        viewer.views = messages.initial_views(self.table, viewer.user_id)
        self.viewers.add(viewer)
        self.used_at = self._services.now()
        viewer.send(self._table_message(viewer.user_id))
        self.send_position(viewer)
        maintenance = self._services.maintenance()
        if maintenance.windows:
            viewer.send(maintenance)
        self.presence_changed()
        self._services.presence.announce(self)

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)
        self.used_at = self._services.now()
        self.presence_changed()
        self._services.presence.announce(self)

    def look(self, viewer: Viewer, visible: bool) -> None:
        """Note that a viewer's page was shown or hidden."""
        viewer.visible = visible
        self.heard_of(viewer)
        self._services.presence.announce(self)

    def send_maintenance(self) -> None:
        """Send all viewers the announced maintenance windows."""
        message = messages.encoder.encode(self._services.maintenance())
        for viewer in self.viewers:
            viewer.send(message)

    def heard_of(self, viewer: Viewer) -> None:
        """Note a message of a viewer: if their page is visible, they have seen all that was sent before."""
        if viewer.visible and viewer.user_id is not None:
            self._seen_ms[viewer.user_id] = self._services.now()

    def attention(self) -> dict[str, Attention]:
        """Return which users look at the table in this process, and when each of them was last heard of."""
        looking = {viewer.user_id for viewer in self.viewers if viewer.visible}
        return {user_id: Attention(seen, user_id in looking) for user_id, seen in self._seen_ms.items()}

    def has_said(self, user_id: str, request_id: str) -> bool:
        """Tell whether a request to say something was carried out already: a client may send it again."""
        return (user_id, request_id) in self._said

    def say(self, user_id: str, request_id: str, seat: int, phrase: str) -> None:
        """Send what the player of a seat says to all connections, in every process. Nothing is stored."""
        self._said.append((user_id, request_id))
        said = SaidPhrase(seat, phrase, self._services.now())
        self.hear(said)
        self._services.publish_said(self.table.id, said)

    def hear(self, said: SaidPhrase) -> None:
        """Send what a player said to all connections in this process."""
        message = messages.said(said)
        for viewer in self.viewers:
            viewer.send(message)

    async def remove_user(self, user_id: str) -> None:
        """Free or resign a deleted user's seats."""
        await self.renew_names()
        while await self.act(lambda table, now_ms: commands.remove_user(table, user_id, now_ms)) is not None:
            pass

    def send_position(self, viewer: Viewer) -> int:
        """Send a viewer the whole position with the history of moves; return the length of the message."""
        if self.table.position is None:
            return 0
        updates = messages.Updates(self.table, self._services.now(), history=True)
        return viewer.send(updates.encode(viewer.views, viewer.text))

    def info(self, user_id: str | None) -> protocol.TableInfo:
        """Describe the table to a user, with the presence of all processes."""
        here, watchers = self.connected()
        elsewhere, other_watchers = self._services.presence.elsewhere(self.table.id)
        return messages.table_info(self.table, user_id, here | elsewhere, watchers + other_watchers, self._exclusion)

    def connected(self) -> tuple[set[str], int]:
        """Return the users connected in this process, and the number of viewers without a seat."""
        user_ids = {viewer.user_id for viewer in self.viewers if viewer.user_id is not None}
        seated = set(self.table.user_ids())
        return user_ids, sum(viewer.user_id not in seated for viewer in self.viewers)

    async def renew_vacations(self) -> None:
        """Store the holidays of users that the log does not have yet; this is done before a clock runs out."""
        for user_id in self.table.user_ids() if self._knows_vacations else []:
            known = await self._services.store.vacations(user_id)
            for one in reversed(known):
                command = partial(commands.take_vacation, user_id=user_id, started=one.started, until=one.until)
                await self.act(command)

    @property
    def _knows_vacations(self) -> bool:
        return self.table.status == "playing" and counts_days(self.table.config.clock)

    async def _try_to_renew_vacations(self) -> None:
        try:
            await self.renew_vacations()
        except StoreFailed:
            log.exception("holidays could not be stored in a game yet", extra={"table": self.table.id})

    async def renew_exclusion(self) -> None:
        """Find out again whether the game counts, because one of the users was seen with new links."""
        async with self._lock:
            self._exclusion_of = None
            await self._find_exclusion()

    async def renew_names(self) -> None:
        """Read the users' names from the stored log again, and drop the connections of deleted users."""
        for entry in await self._services.store.log(self.table.id):
            event = entry.event
            if isinstance(event, events.SeatTaken) and self.table.seats[event.seat].user_id == event.user_id:
                self.table.seats[event.seat].name = event.name
            if isinstance(event, events.BotChallenged):
                challenge = self.table.seats[event.seat].challenge
                if challenge is not None and challenge.user_id == event.user_id:
                    self.table.seats[event.seat].challenge = challenge._replace(name=event.name)
        for viewer in list(self.viewers):
            user = await self._services.store.user(viewer.user_id) if viewer.user_id is not None else None
            if user is not None and user.deleted:
                viewer.drop("deleted")
        self.presence_changed()

    def presence_changed(self) -> None:
        """Send the table to all viewers after a short delay."""
        if self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_DELAY_SECONDS, self._send_presence)

    def close(self) -> None:
        """Cancel the timers."""
        for timer in (self._alarm, self._presence_timer):
            if timer is not None:
                timer.cancel()
        self._alarm = self._presence_timer = None

    def _start_task(self, coroutine: Coroutine[Any, Any, Decision | None]) -> "asyncio.Task[Decision | None]":
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _event_time(self) -> int:
        """Return the time of the next event, which is never before the last one."""
        return max(self._services.now(), self.table.updated_at)

    async def act_unshielded(self, command: Command) -> Decision | None:
        """Validate and apply a command, as part of a task that is not cancelled before this returns."""
        self.used_at = self._services.now()
        async with self._lock:
            while True:
                now_ms = self._event_time()
                decision = command(self.table, now_ms)
                if decision is None or await self._append(decision, now_ms):
                    break
            await self._follow_up()
            return decision

    async def _append(self, decision: Decision, now_ms: int) -> bool:
        """Store the event of a decision and apply it; False if another process has added an event first."""
        table, services = self.table, self._services
        event = decision.event
        began = perf_counter()
        try:
            summary = summary_after(table, decision, now_ms)
            notices = notices_after(table, decision, now_ms)
            await services.store.append(table.id, table.event_count, now_ms, event, summary, notices)
        except Conflict:
            await self._catch_up()
            return False
        services.metrics.measure_append(perf_counter() - began)
        if summary is not None and summary.contest is not None:
            await self._find_exclusion("finished")
        self._apply_stored(decision, now_ms)
        if notices:
            services.notices_stored()
        return True

    def _apply_stored(self, decision: Decision, now_ms: int) -> None:
        """Apply a decision whose event is stored, and tell other processes."""
        self._services.metrics.count_event(decision.event)
        self._apply(Entry(now_ms, decision.event), decision)
        self._services.publish_length(self.table.id, self.table.event_count)
        if isinstance(decision.event, events.Started) and self._knows_vacations:
            self._start_task(self._try_to_renew_vacations())

    async def _catch_up(self) -> None:
        for entry in await self._services.store.log(self.table.id, self.table.event_count):
            self._apply(entry)

    async def _follow_up(self) -> None:
        """Start a game whose seats are all taken, and create a rematch that all players have offered.

        If that cannot be stored, the command before it has still succeeded, and this is tried again.
        """
        try:
            while (decision := commands.start_if_full(self.table, self._event_time())) is not None:
                await self._append(decision, self._event_time())
            await self._create_rematch()
            await self._find_exclusion()
        except StoreFailed:
            log.exception("an automatic event could not be stored and is retried", extra={"table": self.table.id})
            self._set_retry()

    async def _find_exclusion(self, status: str | None = None) -> None:
        """Find out why the game does not count, if the seats or the status have changed; tell viewers of a change.

        It is decided at the end. Before, it is what would be decided now.
        """
        table, store = self.table, self._services.store
        status = status or table.status
        user_ids = table.user_ids()
        state = status, user_ids
        if state == self._exclusion_of:
            return
        exclusion: Exclusion | None = None
        try:
            if contests.unrated(table) is None and user_ids:
                steps = exclusions.stored(table.id) if status == "finished" else exclusions.find(table.id, user_ids)
                exclusion = await store.read(steps)
        except StoreFailed:
            log.exception("whether a game counts could not be read", extra={"table": table.id})
            return
        changed = exclusion != self._exclusion
        self._exclusion, self._exclusion_of = exclusion, state
        if changed and table.status == status:
            self._send_table()

    async def _create_rematch(self) -> None:
        """Create the rematch that all users have offered, unless another process has created it."""
        table, services = self.table, self._services
        while True:
            now_ms = self._event_time()
            try:
                decision = await services.create_rematch(table, now_ms)
            except Conflict:
                await self._catch_up()
                continue
            if decision is not None:
                self._apply_stored(decision, now_ms)
            return

    def _apply(self, entry: Entry, decision: Decision | None = None) -> None:
        self.table.apply(entry, decision)
        if isinstance(entry.event, events.SeatTaken | events.SeatLeft):
            for viewer in self.viewers:
                viewer.seats_changed(self.table)
        self._send_event(entry.event)
        self._set_alarm()
        self._services.bots.play(self)

    def _send_event(self, event: Event) -> None:
        """Send all viewers what an event has changed: the table, the position or both."""
        if not self.viewers:
            return
        table = self.table
        is_move = isinstance(event, events.MovePlayed)
        if not is_move or table.result is not None:
            self._send_table()
        if table.position is None or isinstance(event, events.RematchOffered | events.RematchCreated):
            return
        updates = messages.Updates(table, self._services.now(), table.moves[-1] if is_move else None)
        for viewer in self.viewers:
            viewer.send(updates.encode(viewer.views, viewer.text))

    def _send_table(self) -> None:
        encoded: dict[str | None, bytes] = {}
        for viewer in self.viewers:
            if viewer.user_id not in encoded:
                encoded[viewer.user_id] = self._table_message(viewer.user_id)
            viewer.send(encoded[viewer.user_id])

    def _table_message(self, user_id: str | None) -> bytes:
        return messages.encoder.encode(protocol.Table(self.info(user_id), self._services.now()))

    def _send_presence(self) -> None:
        self._presence_timer = None
        self._send_table()

    def _set_alarm(self) -> None:
        """Set the timer for the moment when a clock runs out, a race is abandoned, or entropy is not waited for.

        Before the start every process that has the table watches the time: only the first event counts. Nobody needs
        to act for a finished game, so its lease is given up.
        """
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self.table.result is not None:
            self._services.lease.release(self.table.id)
        deadline = commands.next_deadline(self.table)
        if deadline is not None and (self.table.started_at is None or self._services.lease.held(self.table.id)):
            delay_seconds = max(0, deadline - self._services.now()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(delay_seconds, self._alarm_fired)

    def _set_retry(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._alarm_fired)

    def _alarm_fired(self) -> None:
        self._alarm = None
        self._start_task(self._check_time())

    async def _check_time(self) -> None:
        try:
            await self.renew_vacations()
            await self.act_unshielded(commands.check_time)
        except StoreFailed:
            log.exception("a timeout could not be stored and is retried", extra={"table": self.table.id})
            self._set_retry()
        if self._alarm is None:
            self._set_alarm()


def summary_after(table: Table, decision: Decision, now_ms: int) -> Summary | None:
    """Return the listed properties of a table after an event; None if the event does not change them."""
    event = decision.event
    status = contest = None
    match event:
        case events.MovePlayed():
            if decision.outcome is None:
                return None
            status, contest = "finished", contests.contest(table, decision.outcome, None, now_ms)
        case events.Started():
            status = "playing"
        case events.Resigned() | events.TimedOut():
            status, contest = "finished", contests.contest(table, None, event.seat, now_ms)
        case events.Abandoned():
            absent = None if event.by_operator else contests.absent_seat(table)
            status, contest = "finished", contests.contest(table, None, absent, now_ms)
        case events.SeatTaken() | events.SeatLeft() | events.ChallengeDeclined():
            status = "waiting"
    if status is None:
        return None
    changed_seat = event.seat if isinstance(event, events.SeatTaken | events.SeatLeft) else None
    others = [seat for number, seat in enumerate(table.seats) if number != changed_seat]
    user_ids = {seat.user_id for seat in others if seat.user_id is not None}
    challenged = others if isinstance(event, events.SeatLeft) else table.seats
    user_ids |= {seat.challenge.user_id for seat in challenged if seat.challenge is not None}
    has_bots = any(seat.level for seat in table.seats)
    if isinstance(event, events.SeatTaken):
        user_ids |= {event.user_id} if event.user_id is not None else set()
        has_bots = has_bots or event.level is not None
    needs = needs_owner(table.config, has_bots)
    return Summary(table.game.id, status, table.config.public, tuple(sorted(user_ids)), needs, contest)
