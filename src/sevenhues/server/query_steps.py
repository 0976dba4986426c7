"""SQL that is written once for SQLite and PostgreSQL: a generator yields statements and is sent their rows."""

from collections.abc import Awaitable, Callable, Generator
from functools import cache
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
Row = tuple[Any, ...]
Rows = list[Row]


class Bulk(NamedTuple):
    """One statement that is executed for each of several rows of values."""

    sql: str
    rows: Rows


class Counted(NamedTuple):
    """One statement that gives the number of rows it changed, as its only row."""

    sql: str
    values: Row


Statement = tuple[str, Row] | Bulk | Counted  # SQL with a question mark for each value
QuerySteps = Generator[Statement, Rows, T]


def run(steps: QuerySteps[T], execute: Callable[[Statement], Rows]) -> T:
    """Execute the statements one after the other; return the generator's result."""
    try:
        statement = next(steps)
        while True:
            statement = steps.send(execute(statement))
    except StopIteration as end:
        result: T = end.value
        return result


async def run_async(steps: QuerySteps[T], execute: Callable[[Statement], Awaitable[Rows]]) -> T:
    """Execute the statements one after the other, awaiting each; return the generator's result."""
    try:
        statement = next(steps)
        while True:
            statement = steps.send(await execute(statement))
    except StopIteration as end:
        result: T = end.value
        return result


@cache
def postgres_sql(sql: str) -> str:
    """Translate a statement for PostgreSQL: its placeholders are numbered, its binary collation is called C."""
    first, *rest = sql.replace("COLLATE BINARY", 'COLLATE "C"').split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def placeholders(count: int) -> str:
    return ", ".join("?" * count)
