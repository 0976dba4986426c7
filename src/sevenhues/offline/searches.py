"""Searches in the worker's only thread, limited by simulations so that they are short and everywhere the same."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from sevenhues.core.bot_support import Level

Answer = TypeVar("Answer")
DEFAULT_SIMULATIONS: Final = 50  # for a level that does not say how many
YIELD_SECONDS: Final = 0.01  # before a search, in which waiting messages are carried out


class InlineSearches:
    """Runs one search at a time."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def run(
        self, owner: str, function: Callable[..., Answer], *values: object, background: bool = False
    ) -> Answer:
        async with self._lock:
            await asyncio.sleep(YIELD_SECONDS)
            return function(*values)

    def budget(self, level: Level, owner: str, background: bool = False) -> str:
        return str(level.fixed_simulations or DEFAULT_SIMULATIONS)

    def count(self) -> int:
        return int(self._lock.locked())

    async def close(self) -> None:
        """Do nothing: a search ends before anything else can happen."""
