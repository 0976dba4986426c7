"""A table dealt here: people of one terminal, and bots that answer at a person's pace."""

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
from sevenhues.core.play import TimedMove
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Rng
from sevenhues.terminal.bot_worker import Thinking
from sevenhues.terminal.session import Glimpse, Sitting

BOT = "bot:"
PAUSE = 0.9  # seconds a bot takes at least, so that a person can take in what happened
COUNTDOWN = 3.0  # seconds before everybody acts at once


class Local(Sitting):
    """A game in this process. Its record is kept in a file, if one is given, after every move."""

    def __init__(
        self,
        found: record.Record,
        save: Path | None = None,
        deal: Callable[[list[int] | None], Position] | None = None,
        pause: float = PAUSE,
        countdown: float = COUNTDOWN,
        thinking: Thinking | None = None,
        rng: Rng | None = None,
    ) -> None:
        super().__init__()
        self.game: Game[Any] = found.game
        self.names = found.seats
        self.mine = [seat for seat, name in enumerate(found.seats) if not name.startswith(BOT)]
        self.record = found
        self.saved = save
        self._levels = {
            seat: find(self.game, name.removeprefix(BOT))
            for seat, name in enumerate(found.seats)
            if name.startswith(BOT)
        }
        self._deal = deal
        self._pause = pause
        self._countdown = countdown
        self._thinking = thinking or Thinking(self.game)
        self._rng = rng or Rng.seeded(str(time.time_ns()))
        self._lay(found)

    def _lay(self, found: record.Record) -> None:
        """Begin where a record stands; raises Unsound if it cannot have come there."""
        self.record = found
        self._told: list[dict[int, str]] = []
        for position in record.replay(found):
            self.position = position
            self._tell()
        self._news = asyncio.Event()  # of the next thing that happens
        self._elapsed = (found.moves[-1].at_ms or 0) / 1000 if found.moves else 0.0
        self._began = time.monotonic() + self._countdown
        self.keep()

    def keep(self) -> None:
        """Write the record down."""
        if self.saved is not None:
            self.saved.write_text(record.write(self.record), encoding="utf-8")

    async def run(self) -> None:
        while True:
            position = self.position
            playing = [asyncio.create_task(self._play(position, seat)) for seat in self._levels]
            try:
                if self.game.simultaneous:
                    await self._count_down()
                while self.position is position:
                    await self._news.wait()
                    for task in playing:
                        if task.done():
                            task.result()
            finally:
                for task in playing:
                    task.cancel()

    async def _count_down(self) -> None:
        while self._waits() > 0:
            self.changed()
            await asyncio.sleep(min(1.0, self._waits()))
        self.changed()

    def _waits(self) -> float:
        return self._began - time.monotonic() if self.game.simultaneous else 0.0

    async def _play(self, position: Position, seat: int) -> None:
        """Make the moves of a bot's seat, until the game is over."""
        await asyncio.sleep(max(0.0, self._waits()))
        while position.outcome() is None:
            if seat not in position.to_act():
                await self._news.wait()
                continue
            try:
                await self._answer(position, seat)
            except Exception:
                asyncio.get_running_loop().call_soon(self._stir)  # so that `run` comes to know of it
                raise

    def _stir(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
        self.changed()

    async def _answer(self, position: Position, seat: int) -> None:
        """Look, choose, and have moved when a person would have, unless somebody was faster."""
        level, seen, began = self._levels[seat], position.copy(), time.monotonic()
        move = await self._thinking.choose(seen, seat, level.name)
        takes = self._pause
        if self.game.simultaneous:
            move = level.reactions.mistake(seen, seat, move, self._rng)
            takes = level.reactions.delay(seen, seat, move, self._rng) if takes else 0.0
        await asyncio.sleep(max(0.0, began + takes - time.monotonic()))
        if position is self.position:
            with suppress(IllegalMove):
                self._make(seat, self.game.conditional_text(seen, seat, move))

    def _make(self, seat: int, text: str) -> None:
        move = parse(self.game, self.position, seat, text)
        at = None
        if self.game.simultaneous:
            at = int(1000 * (self._elapsed + time.monotonic() - self._began))
        self.record.moves.append(TimedMove(seat, self.game.text(self.position, seat, move), at))
        self.position.play(seat, move)
        self.record.result = record.result_of(self.position)
        self._tell()
        self.keep()
        self._stir()

    def _tell(self) -> None:
        viewers = self.mine or [WATCHER]
        self._told.append(
            {seat: self.game.renderer().describe_last_move(self.game.view(self.position, seat)) for seat in viewers}
        )

    def turn(self) -> list[int]:
        return self.position.to_act()

    def note(self) -> str:
        waits = self._waits()
        return f"It starts in {int(waits) + 1}" if waits > 0 else ""

    def glimpse(self, seat: int) -> Glimpse:
        assert seat in (self.mine or [WATCHER]), "nobody here may look through that seat"
        seen = Glimpse(seat, len(self.record.moves))
        seen.view = self.game.view(self.position, seat)
        seen.turn = self.turn()
        seen.scores = self.position.scores()
        seen.log = [told[seat] for told in self._told if told[seat]]
        if seat != WATCHER and self._waits() <= 0:
            seen.legal = legal_texts(self.game, self.position, seat)
        if self.record.result is not None:
            seen.over = told_result(self.record.result, self.names)
        return seen

    async def look(self, seat: int | None) -> None:
        return

    async def move(self, seat: int, text: str) -> None:
        if self._waits() > 0:
            raise SevenHuesError("It has not started yet.")
        self._make(seat, text)

    async def hint(self, seat: int) -> list[Hint]:
        return await self._thinking.advise(self.position.copy(), seat)

    async def again(self) -> None:
        if self._deal is None:
            raise SevenHuesError("This table was brought from a record: there is no other game at it.")
        result = self.record.result
        position = self._deal(result["winners"] if result else None)
        news = self._news
        self._lay(record.begin(self.game, position, self.record.options, self.names))
        news.set()
        self.changed()

    def close(self) -> None:
        """Stop the bots."""
        self._thinking.close()


def told_result(result: dict[str, Any], names: list[str]) -> str:
    """Say in a sentence how a game ended."""
    winners = " and ".join([names[seat] for seat in result["winners"]]) or "nobody"
    scores = " : ".join([str(score) for score in result["scores"]])
    return f"The game is over ({result['reason']}): {winners} won, {scores}."
