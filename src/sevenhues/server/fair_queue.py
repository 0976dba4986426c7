"""A queue for limited work in which users take turns, so that one with many jobs does not delay the others."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairQueue:
    """Runs a number of jobs at a time. Of waiting jobs, the owners take turns; background jobs come last."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        # The waiting jobs by owner, the owner whose turn is next first: of ordinary jobs, and of background jobs.
        self._waiting: tuple[OrderedDict[str, deque[asyncio.Future[None]]], ...] = (OrderedDict(), OrderedDict())
        self._counts: tuple[Counter[str], ...] = (Counter(), Counter())  # waiting and running jobs by owner

    @asynccontextmanager
    async def turn(self, owner: str, background: bool = False) -> AsyncIterator[None]:
        """Wait for a turn, and hold a slot until the end of the block."""
        counts = self._counts[background]
        counts[owner] += 1
        try:
            await self._wait(owner, background)
            try:
                yield
            finally:
                self._free += 1
                self._start_next()
        finally:
            counts[owner] -= 1
            if not counts[owner]:
                del counts[owner]

    def jobs_of(self, owner: str) -> int:
        """Return the number of an owner's waiting and running jobs."""
        return sum(counts[owner] for counts in self._counts)

    def jobs(self) -> int:
        """Return the number of all waiting and running jobs."""
        return sum(counts.total() for counts in self._counts)

    def share(self, owner: str, background: bool = False) -> float:
        """Return the part of all slots that a new job of an owner can expect.

        All owners of ordinary jobs have equal shares, which their own jobs divide. A background job shares with all.
        """
        ordinary, other = self._counts
        if background:
            return 1 / (ordinary.total() + other.total() + 1)
        return 1 / ((len(ordinary) + (owner not in ordinary)) * (ordinary[owner] + 1))

    async def _wait(self, owner: str, background: bool) -> None:
        if self._free and not any(self._waiting):
            self._free -= 1
            return
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[background].setdefault(owner, deque()).append(granted)
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():  # granted and cancelled at once
                self._free += 1
                self._start_next()
            raise

    def _start_next(self) -> None:
        """Give free slots to waiting jobs."""
        for queues in self._waiting:
            while self._free and queues:
                owner, jobs = queues.popitem(last=False)
                granted = jobs.popleft()
                if jobs:
                    queues[owner] = jobs  # behind the other owners
                if not granted.done():  # it was not cancelled while it waited
                    granted.set_result(None)
                    self._free -= 1
