"""Executors on this machine: this process, or a pool of processes."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from sevenhues.executors.executor import Done, Executor, run_chunk
from sevenhues.workers import worker_pool


class ThisProcess(Executor):
    """Runs chunks in this process, when they are submitted."""

    chunk_seconds = 0.02  # short: an interrupted chunk is lost

    def in_flight(self) -> int:
        return 1

    def submit(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Future[Done]:
        future: Future[Done] = Future()
        future.set_result(run_chunk(function, items))
        return future

    def close(self) -> None:
        pass


class Processes(Executor):
    """Runs chunks in a pool of processes. If a process ends, the pool is started again."""

    chunk_seconds = 0.5
    lost_errors = (BrokenProcessPool,)

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.pool = worker_pool(jobs)

    def in_flight(self) -> int:
        return 2 * self.jobs

    def submit(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Future[Done]:
        try:
            return self.pool.submit(run_chunk, function, items)
        except BrokenProcessPool:
            self.close()
            self.pool = worker_pool(self.jobs)
            return self.pool.submit(run_chunk, function, items)

    def close(self) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)
