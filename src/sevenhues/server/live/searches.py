"""The interface by which bots and hints search."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sevenhues.core.bot_support import Level

Answer = TypeVar("Answer")


class Searches(Protocol):
    """Runs searches, somewhere."""

    async def run(
        self, owner: str, function: Callable[..., Answer], *values: object, background: bool = False
    ) -> Answer:
        """Run a function for a user, in turn with other users; background work comes last."""

    def budget(self, level: Level, owner: str, background: bool = False) -> str:
        """Return the budget of a user's next search by a level."""

    def count(self) -> int:
        """Return the number of searches that wait or run."""

    async def close(self) -> None: ...
