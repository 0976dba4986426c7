"""A cluster in this process, some of whose workers end in the middle of a chunk."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from typing import Any

from sevenhues.executors.executor import Done, Executor, run_chunk


class NodeGone(Exception):
    """The node of a worker has ended."""


class FailingCluster(Executor):
    """Runs the chunks when they are submitted; the given ones, by number, are lost when half of them is done."""

    chunk_seconds = 0.05
    lost_errors = (NodeGone,)

    def __init__(self, workers: int, lost: Collection[int]) -> None:
        self.workers = workers
        self.lost = lost
        self.submitted: list[int] = []  # the number of items of each chunk
        self.closed = False

    def in_flight(self) -> int:
        return 2 * self.workers

    def submit(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Future[Done]:
        future: Future[Done] = Future()
        if len(self.submitted) in self.lost:
            run_chunk(function, items[: (len(items) + 1) // 2])
            future.set_exception(NodeGone())
        else:
            future.set_result(run_chunk(function, items))
        self.submitted.append(len(items))
        return future

    def close(self) -> None:
        self.closed = True
