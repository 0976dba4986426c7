"""Queries that follow from one another, written once for both databases: a generator yields each, and is sent rows."""

from collections.abc import Awaitable, Callable, Generator
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
Rows = list[tuple[Any, ...]]
Query = tuple[str, tuple[Any, ...]]  # with a question mark for each value
Steps = Generator[Query, Rows, T]


def run(steps: Steps[T], ask: Callable[[str, tuple[Any, ...]], Rows]) -> T:
    """Ask one query after the other."""
    try:
        query = next(steps)
        while True:
            query = steps.send(ask(*query))
    except StopIteration as end:
        answer: T = end.value
        return answer


async def run_async(steps: Steps[T], ask: Callable[[str, tuple[Any, ...]], Awaitable[Rows]]) -> T:
    """Ask one query after the other, waiting for each."""
    try:
        query = next(steps)
        while True:
            query = steps.send(await ask(*query))
    except StopIteration as end:
        answer: T = end.value
        return answer


@cache
def numbered(query: str) -> str:
    """Write a query's question marks as PostgreSQL does: $1, $2 and so on."""
    first, *rest = query.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def marks(count: int) -> str:
    return ", ".join("?" * count)
