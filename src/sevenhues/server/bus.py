"""How processes tell each other that a table's log has grown, and who is at it. Here: one process, nobody else."""

from collections.abc import Callable
from typing import Protocol

Hear = Callable[[str, int], None]  # a table's id, and how many events its log has


class Bus(Protocol):
    """Carries no truth: whoever hears of a table reads its log."""

    async def open(self, hear: Hear) -> None: ...

    async def close(self) -> None: ...

    def publish(self, table: str, number: int) -> None: ...


class Lease(Protocol):
    """Says which process plays a table's bots and watches its clocks, so that no two do the same work.

    A late duplicate does no harm: it loses at the log's key.
    """

    def held(self, table: str) -> bool: ...


class OwnBus:
    """The bus of a process that is alone: whoever appends has told all viewers itself."""

    async def open(self, hear: Hear) -> None:
        return

    async def close(self) -> None:
        return

    def publish(self, table: str, number: int) -> None:
        return


class OwnLease:
    """The lease of a process that is alone."""

    def held(self, table: str) -> bool:
        return True
