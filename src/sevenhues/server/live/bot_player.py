"""Seats that bots play: each thinks in a process of its own, sees a fiction that fits its seat, and takes its time."""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from sevenhues.bots.budget import Think
from sevenhues.bots.levels import find
from sevenhues.core import registry
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import Game, Position
from sevenhues.core.play import bot_move
from sevenhues.core.rng import Rng
from sevenhues.server.errors import Declined
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands
from sevenhues.workers import processes

if TYPE_CHECKING:
    from sevenhues.server.live.live_table import Room

PATIENCE = 12.0  # seconds after which a bot that has not answered is taken for dead
ANSWERS = 0.6  # seconds in which all who think at one time should have answered
SHORTEST = 0.01  # seconds that a bot has at least
RETRY = 1.0  # seconds until a bot tries again when its move could not be stored
log = logging.getLogger("sevenhues")
Answer = TypeVar("Answer")


class BotSeats:
    """Plays every seat that is a bot's, of every table this process attends."""

    def __init__(self, house: Any) -> None:
        self._house = house
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._pool: ProcessPoolExecutor | None = None
        self._asked = 0  # that are thinking, or wait for a process to think in

    def attend(self, room: "Room") -> None:
        """See that every bot to act at a table is thinking."""
        table = room.table
        idle = [
            seat for seat in table.turn() if table.seats[seat].level is not None and (table.id, seat) not in self._tasks
        ]
        if not idle or self._house.stopping or not self._house.lease.held(table.id):
            return
        for seat in idle:
            self._tasks[table.id, seat] = asyncio.create_task(self._play(room, seat))

    def busy(self, room: "Room") -> bool:
        return any((room.table.id, seat) in self._tasks for seat in range(len(room.table.seats)))

    async def close(self) -> None:
        for task in list(self._tasks.values()):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()))
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _play(self, room: "Room", seat: int) -> None:
        """Make moves for a seat for as long as it is to act."""
        table = room.table
        rng = Rng(secrets.randbits(60))
        try:
            while self._plays(room, seat):
                countdown = table.begins - self._house.now()
                if countdown > 0:
                    await asyncio.sleep(countdown / 1000)
                else:
                    await self._move(room, seat, rng)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a bot's seat failed", extra={"table": table.id, "seat": seat})
        finally:
            self._tasks.pop((table.id, seat), None)

    def _plays(self, room: "Room", seat: int) -> bool:
        """Tell whether it is for this process to make a bot's next move."""
        table = room.table
        mine = self._house.lease.held(table.id) and not self._house.stopping
        return mine and seat in table.turn() and table.seats[seat].level is not None

    async def _move(self, room: "Room", seat: int, rng: Rng) -> None:
        """Look at the table, choose, and make the move when a person could have made it."""
        table, game = room.table, room.table.game
        position, ply, number, level = table.position, table.ply, table.number, str(table.seats[seat].level)
        assert position is not None
        began = time.monotonic()
        seen = position.copy()
        move = await self._choose(game, seen, seat, level)
        takes = self._house.settings.pace / 1000
        if game.simultaneous:
            pace = find(game, level).pace
            move = pace.slip(seen, seat, move, rng)
            takes = pace.delay(seen, seat, move, rng) if takes else 0.0
        text = game.guarded(seen, seat, move)
        await asyncio.sleep(max(0.0, takes - (time.monotonic() - began)))
        if table.number != number and not game.simultaneous:
            return
        try:
            await room.act(lambda table, now: commands.move(table, None, seat, ply, text, None, now))
        except StoreFailed:
            await asyncio.sleep(RETRY)
        except (Declined, SevenHuesError):
            return  # the table moved on, by a lost race or a resignation, or a slip was refused: look again

    async def _choose(self, game: Game[Any], position: Position, seat: int, level: str) -> int:
        """Have a bot choose in another process; if that fails, play any legal move rather than let people wait."""
        began = perf_counter()
        try:
            chosen: int = await self.ask(_think, game.id, position, seat, level, self.budget(), secrets.randbits(60))
        except Exception:
            log.exception("a bot failed", extra={"game": game.id, "level": level})
            self._house.metrics.bot_failures.inc()
            return random.choice(position.legal(seat))
        self._house.metrics.thinking.observe(perf_counter() - began)
        return chosen

    async def ask(self, function: Callable[..., Answer], *values: object) -> Answer:
        """Have something worked out in another process; a second one is tried if the first dies or is stuck."""
        again = False
        while True:
            pool = self._workers()
            self._asked += 1
            try:
                thinking = asyncio.get_running_loop().run_in_executor(pool, function, *values)
                async with asyncio.timeout(PATIENCE):  # not wait_for, which may swallow that it is cancelled
                    return await thinking
            except (BrokenProcessPool, TimeoutError):
                if self._pool is pool:  # nobody else has put a new one in its place
                    self._pool = None
                if again:
                    raise
                again = True
            finally:
                self._asked -= 1

    def budget(self) -> str:
        """How long the next one may think: the more are thinking, the shorter, so that none answers late."""
        think = Think.read(self._house.settings.think)
        if think.seconds > 0:
            fair = ANSWERS * self._house.settings.workers / (self._asked + 1)
            think = Think(seconds=min(think.seconds, max(fair, SHORTEST)))
        return think.text()

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = processes(self._house.settings.workers)
        return self._pool


def _think(name: str, position: Position, seat: int, level: str, think: str, seed: int) -> int:
    """Choose a move, in a worker."""
    from sevenhues.bots import make

    game = registry.load(name)
    return bot_move(game, position, seat, make(game, level, think), Rng(seed))
