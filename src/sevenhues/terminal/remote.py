"""A server's table: the connection is restored when it breaks, and a player returns to the same seat."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec

from sevenhues import protocol
from sevenhues.bots import Hint
from sevenhues.client import Client, Disconnected, Live, Refused
from sevenhues.core import registry
from sevenhues.core.errors import BadOption, SevenHuesError, shorten
from sevenhues.protocol import SeatView, TableInfo, Update
from sevenhues.render.ansi import printable
from sevenhues.terminal import saved_identity
from sevenhues.terminal.session import Session, Snapshot, describe_result

CLOSE_TIMEOUT_SECONDS = 5.0
ANY_VIEWER = -2  # the key of a log line that is the same for every viewer


@asynccontextmanager
async def join_table(link: str, name: str | None = None) -> AsyncIterator["RemoteSession"]:
    """Join a table by its link: in the user's own seat, in an open seat, or as a watcher."""
    server = server_url(link)
    async with Client(server, name, saved_identity.load(server)) as client:
        saved_identity.save(server, client.cookie)
        table = await client.table(link)
        if not table.your_seats and table.status == "waiting" and any(seat.kind == "open" for seat in table.seats):
            with suppress(Refused):  # the last open seat was taken meanwhile: watch
                table = await client.join(link)
        session = RemoteSession(client, table)
        try:
            yield session
        finally:
            await session.wait_closed()


def describe_maintenance(window: protocol.MaintenanceWindow) -> str:
    """Describe a maintenance window that is announced, in local time."""
    starts, ends = (datetime.fromtimestamp(at / 1000).astimezone() for at in (window.starts, window.ends))
    text = f"The server will be down for maintenance from {starts:%a %H:%M} to {ends:%a %H:%M}. Your games are safe."
    return f"{text} {printable(window.note)}".rstrip()


def server_url(link: str) -> str:
    """Return the address of the server in a table's link."""
    parts = urlsplit(link if "://" in link else f"http://{link}")
    prefix, separator, _ = parts.path.rpartition("/t/")
    if parts.scheme not in ("http", "https") or not parts.netloc or not separator:
        raise BadOption(f"a table's link looks like https://example.org/t/amber-fox-42, not {shorten(link)}")
    return f"{parts.scheme}://{parts.netloc}{prefix}"


class RemoteSession(Session):
    """A user at a server's table, and at the tables of its rematches."""

    can_restart = False

    def __init__(self, client: Client, table: TableInfo) -> None:
        super().__init__()
        self.client = client
        self.game = registry.load(table.game)
        self.live: Live | None = None
        self._update_time = time.monotonic()  # when the last update was received
        self._decoded: tuple[SeatView | None, Any] = (None, None)  # the last decoded view
        self._descriptions: dict[int, dict[int, str]] = {}  # of each move, by ply and viewer
        self._said: list[tuple[int, str]] = []  # the number of moves before it, and the line of the log
        self._run_task: asyncio.Task[None] | None = None
        self._set_table(table)

    def _set_table(self, table: TableInfo) -> None:
        self.table = table
        self.own_seats = table.your_seats
        names = [_name(seat) for seat in table.seats]
        self.names = [name if names.count(name) == 1 else f"{name} {i}" for i, name in enumerate(names)]

    async def wait_closed(self) -> None:
        """Wait until the connection is closed, after `run` was cancelled."""
        if self._run_task is not None:
            await asyncio.wait([self._run_task], timeout=CLOSE_TIMEOUT_SECONDS)

    async def run(self) -> None:
        self._run_task = asyncio.current_task()
        while True:
            async with self.client.live(self.table.id) as live:
                self.live = live
                await live.set_visible(True)
                self._descriptions, self._said = {}, []
                if live.table is not None:
                    self._set_table(live.table)
                self._handle_update(live.update)
                ready_task = asyncio.create_task(live.ready())
                try:
                    await self._follow(live)
                finally:
                    ready_task.cancel()
                    with suppress(asyncio.CancelledError, SevenHuesError):
                        await ready_task
            assert self.table.next is not None
            self._set_table(await self.client.table(self.table.next))
            self.live = None

    async def _follow(self, live: Live) -> None:
        """Handle the server's messages until there is a rematch."""
        self.on_change()
        async for message in live.messages():
            if isinstance(message, protocol.Table):
                self._set_table(message.table)
                if self.table.next is not None:
                    return
            elif isinstance(message, protocol.Update):
                self._handle_update(message)
            elif isinstance(message, protocol.Maintenance):
                for window in message.windows:
                    self.on_message(describe_maintenance(window))
            elif isinstance(message, protocol.Closing) and message.reason == "banned":
                raise Disconnected("an operator of this server has banned you")
            elif isinstance(message, protocol.Said):
                ply = self.update.ply if self.update is not None else 0
                self._said.append((ply, f"{self.names[message.seat]}: {protocol.PHRASE_TEXTS[message.phrase]}"))
            self.on_change()
        raise Disconnected("the table was removed, or you opened it somewhere else")

    def _handle_update(self, update: Update | None) -> None:
        if update is None:
            return
        self._update_time = time.monotonic()
        for ply, move in enumerate(update.history or [], 1):
            self._descriptions.setdefault(ply, {ANY_VIEWER: f"Seat {move.seat} played {move.text}."})
        if update.move is not None:
            describe = self.game.renderer().describe_last_move
            lines = {view.seat: describe(msgspec.json.decode(view.view)) for view in update.views}
            self._descriptions.setdefault(update.ply, {}).update(lines)

    @property
    def update(self) -> Update | None:
        """The last update of the server."""
        return self.live.update if self.live is not None else None

    def to_act(self) -> list[int]:
        return self.update.turn if self.update is not None and self.update.result is None else []

    def snapshot(self, viewer: int) -> Snapshot:
        update = self.update
        snapshot = Snapshot(viewer, update.ply if update is not None else 0)
        snapshot.log = self._log(viewer)
        if update is None:
            return snapshot
        snapshot.to_act, snapshot.scores = self.to_act(), update.scores
        snapshot.view, legal = self._view_and_legal(update, viewer)
        if update.result is None and self._seconds_to_start(update) <= 0:
            snapshot.legal = legal
        if update.result is not None:
            snapshot.result_text = describe_result(msgspec.to_builtins(update.result), self.names)
        return snapshot

    def _log(self, viewer: int) -> list[str]:
        """Return what a viewer has seen happen, and what was said after each move."""
        described = [(ply, lines.get(viewer) or lines.get(ANY_VIEWER, "")) for ply, lines in self._descriptions.items()]
        in_order = sorted([*described, *self._said], key=lambda line: line[0])
        return [line for _, line in in_order if line]

    def _view_and_legal(self, update: Update, viewer: int) -> tuple[Any, list[str]]:
        """Return the view and the moves of a viewer; None and no moves while the server sends another view."""
        for seat_view in update.views:
            if seat_view.seat == viewer:
                if self._decoded[0] is not seat_view:
                    self._decoded = seat_view, msgspec.json.decode(seat_view.view)
                return self._decoded[1], seat_view.legal
        return None, []

    def status_text(self) -> str:
        update = self.update
        if self.live is None:
            return "Connecting…"
        if not self.live.connected:
            return "Can't reach the server, retrying…"
        if self.table.status == "waiting":
            open_seats = sum(seat.kind == "open" for seat in self.table.seats)
            not_ready = [name for name, seat in zip(self.names, self.table.seats, strict=True) if not seat.ready]
            if open_seats:
                return f"Waiting for {open_seats} more player{'s' if open_seats > 1 else ''}…"
            if self.table.commitments is not None:
                return "Shuffling…"
            if self.table.manual_start:
                return "Press F5 to start" if self.table.is_owner else "Waiting for the owner to start…"
            return f"Waiting for {' and '.join(not_ready)}…"
        if self.table.status == "finished" and any(seat.rematch for seat in self.table.seats):
            return "Rematch? Press F5 to accept"
        if update is not None and self._seconds_to_start(update) > 0:
            return f"Starting in {int(self._seconds_to_start(update)) + 1}…"
        return ""

    def _server_time_ms(self, update: Update) -> float:
        """Estimate the server's current time from the last update."""
        return update.now + 1000 * (time.monotonic() - self._update_time)

    def _seconds_to_start(self, update: Update) -> float:
        return (update.begins - self._server_time_ms(update)) / 1000 if update.begins is not None else 0.0

    def clocks_seconds(self) -> list[float]:
        update = self.update
        if update is None or update.clock is None:
            return []
        left = [ms / 1000 for ms in update.clock.left]
        if update.clock.running is not None and update.result is None:
            left[update.clock.running] -= (self._server_time_ms(update) - update.clock.at) / 1000
        return [max(0.0, seconds) for seconds in left]

    async def set_viewer(self, seat: int | None) -> None:
        if self.live is not None and len(self.own_seats) > 1:
            await self.live.select_views(*([] if seat is None else [seat]))

    async def move(self, seat: int, text: str) -> None:
        if self.live is None or self.update is None:
            raise SevenHuesError("The game hasn't started yet.")
        await self.live.move(text, seat)

    async def say(self, seat: int, phrase: str) -> None:
        if self.live is None:
            raise SevenHuesError("The connection isn't open yet.")
        await self.live.say(cast("protocol.Phrase", phrase), seat)

    async def hint(self, seat: int) -> list[Hint]:
        if not self.table.hints:
            raise SevenHuesError("Hints are off at this table.")
        answer = await self.client.hint(self.table.id, seat)
        return [Hint(hint.text, hint.chance) for hint in answer.moves]

    async def new_game(self) -> None:
        if self.live is None:
            return
        if self.table.status == "finished":
            await self.live.rematch()
            self.on_message("You've offered a rematch. It starts when everyone accepts.")
        elif self.table.status == "waiting" and self.table.manual_start and self.table.is_owner:
            await self.live.start()
        else:
            raise SevenHuesError("You can offer a rematch when the game is over.")


def _name(seat: protocol.SeatInfo) -> str:
    """Return what a seat is called; a bot account is marked."""
    if seat.kind == "open":
        return "open"
    return f"{seat.name} (bot)" if seat.bot_account else seat.name or f"bot:{seat.level}"
