"""Where bots think, so that the screen goes on meanwhile: compiled ones hold a whole process, plain ones a thread."""

import asyncio
import os
import secrets
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from multiprocessing.resource_tracker import ensure_running
from typing import Any, ParamSpec, TypeVar

from sevenhues import COMPILED
from sevenhues.bots import Hint, hints, make
from sevenhues.core import registry
from sevenhues.core.game import Game
from sevenhues.core.play import bot_move
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.workers import processes

THINK = "200ms"
ADVISE = "1s"

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class Thinking:
    """One who thinks at a time; made when first asked."""

    def __init__(self, game: Game[Any], think: str = THINK) -> None:
        # A game that the registry does not know cannot be found by another process.
        self._alone = COMPILED and game.id in registry.names()
        self._game = game
        self._think = think
        self._worker: Executor | None = None
        if self._alone and os.name == "posix":
            ensure_running()  # what watches over processes inherits standard error, which the app will replace

    async def choose(self, position: Position, seat: int, level: str) -> int:
        """Have a bot choose a move for a seat."""
        return await self._ask(_choose, self._known(), position, seat, level, self._think, secrets.randbits(60))

    async def advise(self, position: Position, seat: int) -> list[Hint]:
        """Have the best bot weigh the moves of a seat."""
        return await self._ask(_advise, self._known(), position, seat, secrets.randbits(60))

    def close(self) -> None:
        """Stop thinking, whatever about."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None

    def _known(self) -> Game[Any] | str:
        return self._game.id if self._alone else self._game

    async def _ask(self, function: Callable[Asked, Answer], *values: Asked.args, **nothing: Asked.kwargs) -> Answer:
        if self._worker is None:
            self._worker = processes(1) if self._alone else ThreadPoolExecutor(1)
        return await asyncio.get_running_loop().run_in_executor(self._worker, function, *values)


def _choose(known: Game[Any] | str, position: Position, seat: int, level: str, think: str, seed: int) -> int:
    game = registry.load(known) if isinstance(known, str) else known
    return bot_move(game, position, seat, make(game, level, think), Rng(seed))


def _advise(known: Game[Any] | str, position: Position, seat: int, seed: int) -> list[Hint]:
    game = registry.load(known) if isinstance(known, str) else known
    return hints(game, position, seat, Rng(seed), ADVISE)
