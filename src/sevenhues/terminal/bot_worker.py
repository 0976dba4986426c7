"""Runs bots outside the event loop: compiled bots in a process, pure Python bots in a thread."""

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
from sevenhues.workers import worker_pool

MOVE_BUDGET = "200ms"
HINT_BUDGET = "1s"

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class BotWorker:
    """Answers one request at a time. The process or thread starts with the first request."""

    def __init__(self, game: Game[Any], budget: str = MOVE_BUDGET) -> None:
        # A process can load a game by its id only if the game is registered.
        self._in_process = COMPILED and game.id in registry.names()
        self._game = game
        self._budget = budget
        self._executor: Executor | None = None
        if self._in_process and os.name == "posix":
            ensure_running()  # the resource tracker inherits standard error, which the app replaces later

    async def choose_move(self, position: Position, seat: int, level: str) -> int:
        """Return the move that a bot of a level chooses for a seat."""
        return await self._request(_choose_move, self._game_key(), position, seat, level, self._budget, _new_seed())

    async def hints(self, position: Position, seat: int) -> list[Hint]:
        """Return the best moves of a seat according to the best bot."""
        return await self._request(_hints, self._game_key(), position, seat, _new_seed())

    def close(self) -> None:
        """Cancel pending requests and stop the process or thread."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def _game_key(self) -> Game[Any] | str:
        return self._game.id if self._in_process else self._game

    async def _request(
        self, function: Callable[Parameters, Answer], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Answer:
        if self._executor is None:
            self._executor = worker_pool(1) if self._in_process else ThreadPoolExecutor(1)
        return await asyncio.get_running_loop().run_in_executor(self._executor, function, *args)


def _new_seed() -> int:
    return secrets.randbits(60)


def _choose_move(game_key: Game[Any] | str, position: Position, seat: int, level: str, budget: str, seed: int) -> int:
    game = registry.load(game_key) if isinstance(game_key, str) else game_key
    return bot_move(game, position, seat, make(game, level, budget), Rng(seed))


def _hints(game_key: Game[Any] | str, position: Position, seat: int, seed: int) -> list[Hint]:
    game = registry.load(game_key) if isinstance(game_key, str) else game_key
    return hints(game, position, seat, Rng(seed), HINT_BUDGET)
