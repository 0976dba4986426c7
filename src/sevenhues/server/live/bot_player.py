"""Plays the seats of bots, which search on positions resampled for their seats."""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import find
from sevenhues.core import registry
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.play import bot_move, race_move
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.server.cluster.lease import Lease
from sevenhues.server.live.searches import Searches
from sevenhues.server.metrics import Metrics
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands
from sevenhues.server.table.commands import Command
from sevenhues.server.table.state import Decision, Table

RETRY_SECONDS = 1.0  # until a bot tries again after its move could not be stored
log = logging.getLogger("sevenhues")


class Choice(NamedTuple):
    """A bot's move, and the part of its budget that the search did not use."""

    move: int
    unused_seconds: float


class BotTable(Protocol):
    """A table at which bots play."""

    @property
    def table(self) -> Table: ...

    async def act(self, command: Command) -> Decision | None: ...


class BotPlayer:
    """Plays all bots' seats of the tables whose lease this process holds."""

    def __init__(
        self, searches: Searches, min_move_ms: int, lease: Lease, now: Callable[[], int], metrics: Metrics
    ) -> None:
        self._searches = searches
        self._min_move_seconds = min_move_ms / 1000
        self._lease = lease
        self._now = now
        self._metrics = metrics
        self._stopping = False
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}

    def play(self, live_table: BotTable) -> None:
        """Start every bot that is to act at a table, unless it is searching already."""
        table = live_table.table
        idle = [
            seat
            for seat in table.to_act()
            if table.seats[seat].level is not None and (table.id, seat) not in self._tasks
        ]
        if not idle or self._stopping or not self._lease.held(table.id):
            return
        for seat in idle:
            self._tasks[table.id, seat] = asyncio.create_task(self._play_seat(live_table, seat))

    def busy(self, table: Table) -> bool:
        """Tell whether a bot is about to move at a table."""
        return any((table.id, seat) in self._tasks for seat in range(len(table.seats)))

    def stop(self) -> None:
        """Make no further moves."""
        self._stopping = True

    async def close(self) -> None:
        self.stop()
        for task in list(self._tasks.values()):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def _play_seat(self, live_table: BotTable, seat: int) -> None:
        """Make moves for a seat for as long as it is to act."""
        table = live_table.table
        rng, ply, turn_began = Rng(secrets.randbits(60)), -1, 0.0
        try:
            while self._may_play(table, seat):
                if table.ply != ply:
                    ply, turn_began = table.ply, time.monotonic()
                countdown_ms = table.begins_at - self._now()
                if countdown_ms > 0:
                    await asyncio.sleep(countdown_ms / 1000)
                else:
                    await self._move(live_table, seat, rng, turn_began)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a bot stopped playing", extra={"table": table.id, "seat": seat})
        finally:
            self._tasks.pop((table.id, seat), None)

    def _may_play(self, table: Table, seat: int) -> bool:
        """Tell whether this process makes the next move of a seat."""
        leased = self._lease.held(table.id) and not self._stopping
        return leased and seat in table.to_act() and table.seats[seat].level is not None

    async def _move(self, live_table: BotTable, seat: int, rng: Rng, turn_began: float) -> None:
        """Choose a move for the current position, and make it not before the minimum time of a move has passed."""
        table, game = live_table.table, live_table.table.game
        position, ply, event_count, level = table.position, table.ply, table.event_count, str(table.seats[seat].level)
        assert position is not None
        began = time.monotonic()
        seen = position.copy()
        choice, unused_seconds = await self._choose(table, seen, seat, level)
        text, min_seconds = game.conditional_text(seen, seat, choice), self._min_move_seconds
        if game.simultaneous:
            text, reaction_seconds = race_move(game, seen, seat, choice, find(game, level).reactions, rng)
            min_seconds, unused_seconds = reaction_seconds if min_seconds else 0.0, 0.0
        await asyncio.sleep(rest_seconds(min_seconds, time.monotonic() - began, unused_seconds))
        if table.event_count != event_count and not game.simultaneous:
            return
        try:
            await live_table.act(lambda table, now_ms: commands.move(table, None, seat, ply, text, None, now_ms))
        except StoreFailed:
            await asyncio.sleep(RETRY_SECONDS)
        except SevenHuesError:
            return  # the position has changed, or a mistake was refused: the caller chooses again
        else:
            self._metrics.count_bot_move(time.monotonic() - turn_began)

    async def _choose(self, table: Table, position: Position, seat: int, level: str) -> Choice:
        """Choose a move in a worker; if that fails, return a random move so that the game goes on.

        Tables are searched for in turn by owner, and tables without users last.
        """
        game, owner = table.game, table.config.owner_id
        background = all(seat.acting_user_id is None for seat in table.seats)
        try:
            budget, seed = self._searches.budget(find(game, level), owner, background), secrets.randbits(60)
            move, spent_seconds = await self._searches.run(
                owner, _choose, game.id, position, seat, level, budget, seed, background=background
            )
            return Choice(move, max(0.0, Budget.parse(budget).seconds - spent_seconds))
        except Exception:
            log.exception("a bot failed to choose a move", extra={"game": game.id, "bot_level": level})
            self._metrics.count_bot_failure()
            return Choice(random.choice(position.legal(seat)), 0.0)


def rest_seconds(min_seconds: float, elapsed_seconds: float, unused_seconds: float) -> float:
    """Return how long a bot waits with a move that it has chosen, so that its time does not tell how it was chosen.

    A move takes the minimum time. If the server is so busy that a search ends after that, a bot with only one legal
    move waits as long as if it had searched. Without a minimum, no bot waits.
    """
    return max(0.0, min_seconds - elapsed_seconds, unused_seconds) if min_seconds else 0.0


def _choose(name: str, position: Position, seat: int, level: str, budget: str, seed: int) -> tuple[int, float]:
    """Choose a move; return it and the seconds that were spent. Runs in a worker."""
    from sevenhues.bots import make

    game = registry.load(name)
    bot = make(game, level, budget)
    began = time.monotonic()
    return bot_move(game, position, seat, bot, Rng(seed)), time.monotonic() - began
