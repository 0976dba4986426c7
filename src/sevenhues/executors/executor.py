"""The contract of executors, and what all have in common: chunks, their order, and the retry of lost chunks."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from time import perf_counter
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeVar

from sevenhues.core.errors import SevenHuesError

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_CHUNK: Final = 256  # items
MAX_LOSSES: Final = 3  # of one chunk, before the work is given up


class WorkLost(SevenHuesError):
    """The workers of one chunk ended again and again."""


class Done(NamedTuple):
    """A chunk that was run: the results of its items in order, and the error that ended it, if any."""

    results: list[Any]
    seconds: float
    error: SevenHuesError | None


def run_chunk(function: Callable[[Any], Any], items: Sequence[Any]) -> Done:
    """Call a function for each item, in a worker."""
    start = perf_counter()
    results: list[Any] = []
    error = None
    for item in items:
        try:
            results.append(function(item))
        except SevenHuesError as raised:
            error = raised
            break
    return Done(results, perf_counter() - start, error)


class Executor(ABC):
    """Runs chunks of items somewhere.

    A function and its items are pickled, and a function must give the same result wherever and however often it is
    called. Results therefore do not depend on the executor. Use an executor as a context manager.
    """

    chunk_seconds: float  # the duration of a chunk that is aimed at
    lost_errors: tuple[type[Exception], ...] = ()  # of a future whose worker has ended before the chunk was done

    @abstractmethod
    def in_flight(self) -> int:
        """Return the number of chunks to submit at a time."""

    @abstractmethod
    def submit(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Future[Done]:
        """Have `run_chunk` called by a worker."""

    @abstractmethod
    def close(self) -> None:
        """Stop all workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the result of each item once, in the order of the items."""
        size, next_item = 1, 0
        waiting: deque[_Chunk] = deque()
        try:
            while next_item < len(items) or waiting:
                in_flight = self.in_flight()
                while next_item < len(items) and len(waiting) < in_flight:
                    # The last chunks are smaller, so that all workers end at about the same time.
                    count = min(size, -(-(len(items) - next_item) // in_flight))
                    waiting.append(_Chunk(self, function, items[next_item : next_item + count]))
                    next_item += count
                done = waiting.popleft().wait()
                size = self._next_size(size, done)
                yield from done.results
                if done.error is not None:
                    raise done.error
        finally:
            for chunk in waiting:
                chunk.future.cancel()

    def _next_size(self, size: int, done: Done) -> int:
        """Return the number of items of the next chunk."""
        if not done.results or done.seconds == 0.0:
            return size
        fitting = int(self.chunk_seconds * len(done.results) / done.seconds)
        return max(1, min(fitting, 2 * size, MAX_CHUNK))


class _Chunk:
    """A chunk that was submitted, and is submitted again if its worker is lost."""

    def __init__(self, executor: Executor, function: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self.executor = executor
        self.function = function
        self.items = items
        self.future = executor.submit(function, items)

    def wait(self) -> Done:
        for _ in range(MAX_LOSSES):
            try:
                return self.future.result()
            except self.executor.lost_errors as error:
                last_error = error
            self.future = self.executor.submit(self.function, self.items)
        try:
            return self.future.result()
        except self.executor.lost_errors:
            raise WorkLost(
                f"{MAX_LOSSES + 1} workers ended while they ran the same {len(self.items)} item(s): {last_error!r}"
            ) from last_error
