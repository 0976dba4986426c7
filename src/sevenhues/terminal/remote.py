"""A table at a server: the connection comes back by itself, and so does whoever sat here before."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec

from sevenhues import protocol
from sevenhues.bots import Hint
from sevenhues.client import Client, Gone, Live, Refused
from sevenhues.core import registry
from sevenhues.core.errors import BadOption, SevenHuesError, shorten
from sevenhues.protocol import TableInfo, Update
from sevenhues.terminal import saved_identity
from sevenhues.terminal.local import told_result
from sevenhues.terminal.session import Glimpse, Sitting

PATIENCE = 5.0  # seconds to say goodbye in
ANYBODY = -2  # a line of the log that is the same for all eyes


@asynccontextmanager
async def sit_down(link: str, name: str | None = None) -> AsyncIterator["Joined"]:
    """Take a seat at a table by its link: one's own, an open one, or a watcher's place."""
    server = server_of(link)
    async with Client(server, name, saved_identity.recall(server)) as me:
        saved_identity.keep(server, me.cookie)
        table = await me.table(link)
        if not table.mine and table.status == "waiting" and any(seat.kind == "open" for seat in table.seats):
            with suppress(Refused):  # somebody was faster: watch
                table = await me.join(link)
        sitting = Joined(me, table)
        try:
            yield sitting
        finally:
            await sitting.left()


def server_of(link: str) -> str:
    """Return the server that a table's link leads to."""
    parts = urlsplit(link if "://" in link else f"http://{link}")
    before, found, _ = parts.path.rpartition("/t/")
    if parts.scheme not in ("http", "https") or not parts.netloc or not found:
        raise BadOption(f"a table's link looks like https://example.org/t/amber-fox-42, not {shorten(link)}")
    return f"{parts.scheme}://{parts.netloc}{before}"


class Joined(Sitting):
    """One's place at a server's table, and at the tables of its rematches."""

    renews = False

    def __init__(self, client: Client, table: TableInfo) -> None:
        super().__init__()
        self.client = client
        self.game = registry.load(table.game)
        self.live: Live | None = None
        self._heard = time.monotonic()
        self._decoded: tuple[protocol.Eye | None, Any] = (None, None)
        self._told: dict[int, dict[int, str]] = {}  # by ply and eyes
        self._running: asyncio.Task[None] | None = None
        self._take(table)

    def _take(self, table: TableInfo) -> None:
        self.table = table
        self.mine = table.mine
        names = [seat.name or f"bot:{seat.level}" if seat.kind != "open" else "open" for seat in table.seats]
        self.names = [name if names.count(name) == 1 else f"{name} {i}" for i, name in enumerate(names)]

    async def left(self) -> None:
        """Wait until the connection is closed, after `run` was cancelled."""
        if self._running is not None:
            await asyncio.wait([self._running], timeout=PATIENCE)

    async def run(self) -> None:
        self._running = asyncio.current_task()
        while True:
            async with self.client.live(self.table.id) as live:
                self.live = live
                self._told = {}
                if live.table is not None:
                    self._take(live.table)
                self._hear_update(live.update)
                adding = asyncio.create_task(live.ready())
                try:
                    await self._listen(live)
                finally:
                    adding.cancel()
                    with suppress(asyncio.CancelledError, SevenHuesError):
                        await adding
            assert self.table.next is not None
            self._take(await self.client.table(self.table.next))
            self.live = None

    async def _listen(self, live: Live) -> None:
        """Follow the table until there is another one."""
        self.changed()
        async for message in live.news():
            if isinstance(message, protocol.Table):
                self._take(message.table)
                if self.table.next is not None:
                    return
            elif isinstance(message, protocol.Update):
                self._hear_update(message)
            self.changed()
        raise Gone("the table is no more, or was opened elsewhere by you")

    def _hear_update(self, update: Update | None) -> None:
        if update is None:
            return
        self._heard = time.monotonic()
        for ply, move in enumerate(update.history or [], 1):
            self._told.setdefault(ply, {ANYBODY: f"Seat {move.seat} played {move.text}."})
        if update.move is not None:
            eyes = {
                eye.seat: self.game.renderer().describe_last_move(msgspec.json.decode(eye.view)) for eye in update.eyes
            }
            self._told.setdefault(update.ply, {}).update(eyes)

    @property
    def update(self) -> Update | None:
        return self.live.update if self.live is not None else None

    def turn(self) -> list[int]:
        return self.update.turn if self.update is not None and self.update.result is None else []

    def glimpse(self, seat: int) -> Glimpse:
        update = self.update
        seen = Glimpse(seat, update.ply if update is not None else 0)
        if update is None:
            return seen
        seen.turn, seen.scores = self.turn(), update.scores
        seen.view, legal = self._seen(update, seat)
        if update.result is None and self._starts(update) <= 0:
            seen.legal = legal
        lines = [told.get(seat) or told.get(ANYBODY, "") for _, told in sorted(self._told.items())]
        seen.log = [line for line in lines if line]
        if update.result is not None:
            result = update.result
            seen.over = told_result(msgspec.to_builtins(result), self.names)
        return seen

    def _seen(self, update: Update, seat: int) -> tuple[Any, list[str]]:
        """Return the view of a seat, decoded once, and its moves; nothing while the server shows another's."""
        for eye in update.eyes:
            if eye.seat == seat:
                if self._decoded[0] is not eye:
                    self._decoded = eye, msgspec.json.decode(eye.view)
                return self._decoded[1], eye.legal
        return None, []

    def note(self) -> str:
        update = self.update
        if self.live is None or not self.live.connected:
            return "The server does not answer; trying again"
        if self.table.status == "waiting":
            free = sum(seat.kind == "open" for seat in self.table.seats)
            missing = [name for name, seat in zip(self.names, self.table.seats, strict=True) if not seat.ready]
            if free:
                return f"Waiting for {free} more to sit down"
            if self.table.waits:
                return "F5 starts the game" if self.table.owner else "Waiting for the table's owner to start"
            return "Waiting for " + " and ".join(missing)
        if self.table.status == "finished" and any(seat.rematch for seat in self.table.seats):
            return "A rematch is offered: F5 takes it"
        if update is not None and self._starts(update) > 0:
            return f"It starts in {int(self._starts(update)) + 1}"
        return ""

    def _now(self, update: Update) -> float:
        """Return the server's time in milliseconds, as far as one can tell from here."""
        return update.now + 1000 * (time.monotonic() - self._heard)

    def _starts(self, update: Update) -> float:
        return (update.begins - self._now(update)) / 1000 if update.begins is not None else 0.0

    def clocks(self) -> list[float]:
        update = self.update
        if update is None or update.clock is None:
            return []
        left = [ms / 1000 for ms in update.clock.left]
        if update.clock.running is not None and update.result is None:
            left[update.clock.running] -= (self._now(update) - update.clock.at) / 1000
        return [max(0.0, seconds) for seconds in left]

    async def look(self, seat: int | None) -> None:
        if self.live is not None and len(self.mine) > 1:
            await self.live.look(*([] if seat is None else [seat]))

    async def move(self, seat: int, text: str) -> None:
        if self.live is None or self.update is None:
            raise SevenHuesError("The game has not begun.")
        await self.live.move(text, seat)

    async def hint(self, seat: int) -> list[Hint]:
        if not self.table.hints:
            raise SevenHuesError("At this table nobody gets hints.")
        advised = await self.client.hint(self.table.id, seat)
        return [Hint(one.text, one.chance) for one in advised.moves]

    async def again(self) -> None:
        if self.live is None:
            return
        if self.table.status == "finished":
            await self.live.rematch()
            self.said("You offer a rematch: it begins when everybody else does, too.")
        elif self.table.status == "waiting" and self.table.waits and self.table.owner:
            await self.live.start()
        else:
            raise SevenHuesError("A rematch is offered when the game is over.")
