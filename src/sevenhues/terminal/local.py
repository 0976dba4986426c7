"""A local table: players at one terminal, and bots that answer at the speed of a person."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sevenhues.bots import Hint, find
from sevenhues.core import record
from sevenhues.core.errors import IllegalMove, SevenHuesError
from sevenhues.core.game import Game
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import TimedMove, race_move
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Rng
from sevenhues.terminal.bot_worker import BotWorker
from sevenhues.terminal.session import Session, Snapshot, describe_result

BOT_PREFIX = "bot:"  # of a bot's seat in a record; the level follows
BOT_DELAY_SECONDS = 0.9  # the least time between moves, so that players can follow
COUNTDOWN_SECONDS = 3.0  # before a race


class LocalSession(Session):
    """A game in this process. The record is written to a file, if one is given, after every move."""

    def __init__(
        self,
        game_record: record.Record,
        file: Path | None = None,
        deal: Callable[[list[int] | None], Position] | None = None,
        bot_delay_seconds: float = BOT_DELAY_SECONDS,
        countdown_seconds: float = COUNTDOWN_SECONDS,
        bot_worker: BotWorker | None = None,
        rng: Rng | None = None,
    ) -> None:
        """Start at the end of a record. `deal` deals the next game, given the winners of this one.

        With `bot_delay_seconds` 0, bots answer at once, in a race too.
        """
        super().__init__()
        self.game: Game[Any] = game_record.game
        self.names = game_record.seats
        self.own_seats = [seat for seat, name in enumerate(self.names) if not name.startswith(BOT_PREFIX)]
        self.record = game_record
        self.file = file
        self._levels = {
            seat: find(self.game, name.removeprefix(BOT_PREFIX))
            for seat, name in enumerate(self.names)
            if name.startswith(BOT_PREFIX)
        }
        self._deal = deal
        self._bot_delay_seconds = bot_delay_seconds
        self._countdown_seconds = countdown_seconds
        self._bot_worker = bot_worker or BotWorker(self.game)
        self._rng = rng or Rng.seeded(str(time.time_ns()))
        self._load(game_record)

    def _load(self, game_record: record.Record) -> None:
        """Continue a record; raise InvalidRecord if its moves break a rule."""
        self.record = game_record
        self._descriptions: list[dict[int, str]] = []  # of each move, by viewer
        for position in record.replay(game_record):
            self.position = position
            self._describe_last_move()
        self._next_event = asyncio.Event()  # set and replaced by the next event of the table
        self._elapsed_seconds = (game_record.moves[-1].at_ms or 0) / 1000 if game_record.moves else 0.0
        self._start_time = time.monotonic() + self._countdown_seconds
        self.save()

    def save(self) -> None:
        """Write the record to its file."""
        if self.file is not None:
            self.file.write_text(record.write(self.record), encoding="utf-8")

    async def run(self) -> None:
        while True:
            position = self.position
            bot_tasks = [asyncio.create_task(self._play_bot(position, seat)) for seat in self._levels]
            try:
                if self.game.simultaneous:
                    await self._count_down()
                while self.position is position:
                    await self._next_event.wait()
                    for task in bot_tasks:
                        if task.done():
                            task.result()
            finally:
                for task in bot_tasks:
                    task.cancel()

    async def _count_down(self) -> None:
        while self._seconds_to_start() > 0:
            self.on_change()
            await asyncio.sleep(min(1.0, self._seconds_to_start()))
        self.on_change()

    def _seconds_to_start(self) -> float:
        return self._start_time - time.monotonic() if self.game.simultaneous else 0.0

    async def _play_bot(self, position: Position, seat: int) -> None:
        """Make the moves of a bot until the game is over."""
        await asyncio.sleep(max(0.0, self._seconds_to_start()))
        while position.outcome() is None:
            if seat not in position.to_act():
                await self._next_event.wait()
                continue
            try:
                await self._make_bot_move(position, seat)
            except Exception:
                asyncio.get_running_loop().call_soon(self._notify)  # wakes `run`, which raises the error
                raise

    def _notify(self) -> None:
        event, self._next_event = self._next_event, asyncio.Event()
        event.set()
        self.on_change()

    async def _make_bot_move(self, position: Position, seat: int) -> None:
        """Choose and make a move after the delay of a person; in a race, another player may be faster."""
        level, seen, started = self._levels[seat], position.copy(), time.monotonic()
        move = await self._bot_worker.choose_move(seen, seat, level.name)
        text, delay_seconds = self.game.text(seen, seat, move), self._bot_delay_seconds
        if self.game.simultaneous:
            sent = race_move(self.game, seen, seat, move, level.reactions, self._rng)
            text, delay_seconds = sent.text, sent.delay_seconds if delay_seconds else 0.0
        await asyncio.sleep(max(0.0, started + delay_seconds - time.monotonic()))
        if position is self.position:
            with suppress(IllegalMove):
                self._play(seat, text)

    def _play(self, seat: int, text: str) -> None:
        move = parse(self.game, self.position, seat, text)
        at_ms = None
        if self.game.simultaneous:
            at_ms = int(1000 * (self._elapsed_seconds + time.monotonic() - self._start_time))
        self.record.moves.append(TimedMove(seat, self.game.text(self.position, seat, move), at_ms))
        self.position.play(seat, move)
        self.record.result = record.result_of(self.position)
        self._describe_last_move()
        self.save()
        self._notify()

    def _describe_last_move(self) -> None:
        describe = self.game.renderer().describe_last_move
        viewers = self.own_seats or [WATCHER]
        self._descriptions.append({viewer: describe(self.game.view(self.position, viewer)) for viewer in viewers})

    def to_act(self) -> list[int]:
        return self.position.to_act()

    def status_text(self) -> str:
        seconds = self._seconds_to_start()
        return f"Starting in {int(seconds) + 1}…" if seconds > 0 else ""

    def snapshot(self, viewer: int) -> Snapshot:
        assert viewer in (self.own_seats or [WATCHER]), f"seat {viewer} is not played from this terminal"
        snapshot = Snapshot(viewer, len(self.record.moves))
        snapshot.view = self.game.view(self.position, viewer)
        snapshot.to_act = self.to_act()
        snapshot.scores = self.position.scores()
        snapshot.log = [lines[viewer] for lines in self._descriptions if lines[viewer]]
        if viewer != WATCHER and self._seconds_to_start() <= 0:
            snapshot.legal = legal_texts(self.game, self.position, viewer)
        if self.record.result is not None:
            snapshot.result_text = describe_result(self.record.result, self.names)
        return snapshot

    async def set_viewer(self, seat: int | None) -> None:
        return

    async def move(self, seat: int, text: str) -> None:
        if self._seconds_to_start() > 0:
            raise SevenHuesError("The race hasn't started yet.")
        self._play(seat, text)

    async def hint(self, seat: int) -> list[Hint]:
        return await self._bot_worker.hints(self.position.copy(), seat)

    async def new_game(self) -> None:
        if self._deal is None:
            raise SevenHuesError("This game was loaded from a record, so you can't start another one here.")
        result = self.record.result
        position = self._deal(result["winners"] if result else None)
        event = self._next_event
        self._load(record.begin(self.game, position, self.record.options, self.names))
        event.set()
        self.on_change()

    def close(self) -> None:
        """Stop the bots."""
        self._bot_worker.close()
