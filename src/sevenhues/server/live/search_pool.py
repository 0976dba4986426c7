"""Searches of bots and hints in worker processes, in turn by user."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from sevenhues.bots.budget import Budget
from sevenhues.core.bot_support import Level
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.log_format import configure_worker
from sevenhues.workers import worker_pool

WORKER_TIMEOUT_SECONDS = 12.0  # after which a worker that has not answered is replaced
TARGET_SECONDS = 0.6  # in which all searches that run at one time should finish
MIN_SEARCH_SECONDS = 0.01
Answer = TypeVar("Answer")


class SearchPool:
    """Runs searches in worker processes."""

    def __init__(self, budget: str, workers: int) -> None:
        self._budget = Budget.parse(budget)
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._queue = FairQueue(workers)

    async def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def run(
        self, owner: str, function: Callable[..., Answer], *values: object, background: bool = False
    ) -> Answer:
        """Run a function in a worker for a user, in turn with other users; background work comes last.

        If the worker dies or times out, try once more in a new one.
        """
        retried = False
        while True:
            async with self._queue.turn(owner, background):
                pool = self._worker_pool()
                try:
                    searching = asyncio.get_running_loop().run_in_executor(pool, function, *values)
                    async with asyncio.timeout(WORKER_TIMEOUT_SECONDS):  # wait_for may swallow a cancellation
                        return await searching
                except (BrokenProcessPool, TimeoutError):
                    if self._pool is pool:  # no other search has replaced it
                        self._pool = None
                    if retried:
                        raise
                    retried = True

    def count(self) -> int:
        return self._queue.jobs()

    def budget(self, level: Level, owner: str, background: bool = False) -> str:
        """Return the budget of a user's next search: shorter the more searches run, so that none finishes late.

        The searches of one user do not shorten those of others.
        """
        budget = self._budget
        if budget.seconds > 0:
            share = TARGET_SECONDS * self._workers * self._queue.share(owner, background)
            budget = Budget(seconds=min(budget.seconds, max(share, MIN_SEARCH_SECONDS)))
        return budget.text()

    def _worker_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = worker_pool(self._workers, configure_worker)
        return self._pool
