"""The audit log: every act of an operator, in order. Triggers of the database refuse to change or delete entries.

It names people by their ids alone, so that the deletion of a person leaves no name in it.
"""

import getpass
import json
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.store import Conflict, StoreFailed

T = TypeVar("T")
Value = str | int | bool | None
MAX_ATTEMPTS = 100  # of a transaction: each that fails lets another act into the log, of those at the same time


class Operator(NamedTuple):
    """The author of an act: the name that the operator gave, and the way by which the act came."""

    name: str
    way: str  # `command line`, `page`, `link` or, for a command that opens the database itself, `database`


def operator_name() -> str:
    """Return the name of the user who runs this program; `unnamed` where there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unnamed"


class Entry(NamedTuple):
    """An act in the log."""

    number: int
    at: int
    operator: str
    way: str
    act: str
    target: str  # a user's id, an address with its prefix, or the id of a table or an announcement
    details: dict[str, Value]


COLUMNS = "number, at, operator, way, act, target, details"


def record(at: int, operator: Operator, act: str, target: str, **details: Value) -> QuerySteps[int]:
    """Add an act, and return its number. Of two concurrent transactions, one has a conflict and runs again."""
    number = (yield from last_number()) + 1
    text = json.dumps(details, ensure_ascii=False)
    sql = f"INSERT INTO audit_log ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
    yield sql, (number, at, operator.name, operator.way, act, target, text)
    return number


def last_number() -> QuerySteps[int]:
    """Return the number of the last act; 0 if there is none."""
    (number,) = (yield "SELECT max(number) FROM audit_log", ())[0]
    return number or 0


def latest(before: int, limit: int, target: str | None = None) -> QuerySteps[list[Entry]]:
    """List acts before a number, all of them or those on a target, the newest first."""
    where, values = ("", ()) if target is None else (" AND target = ?", (target,))
    sql = f"SELECT {COLUMNS} FROM audit_log WHERE number < ?{where} ORDER BY number DESC LIMIT ?"
    return [_entry(row) for row in (yield sql, (before, *values, limit))]


def after(number: int) -> QuerySteps[list[Entry]]:
    """List the acts after a number, the oldest first."""
    sql = f"SELECT {COLUMNS} FROM audit_log WHERE number > ? ORDER BY number"
    return [_entry(row) for row in (yield sql, (number,))]


def was_done(act: str, target: str) -> QuerySteps[bool]:
    """Tell whether an act on a target is in the log."""
    return bool((yield "SELECT 1 FROM audit_log WHERE target = ? AND act = ? LIMIT 1", (target, act)))


async def retried(transaction: Callable[[], Awaitable[T]]) -> T:
    """Run a transaction that adds an act, and run it again if another process adds one first."""
    for _ in range(MAX_ATTEMPTS):
        try:
            return await transaction()
        except Conflict:
            continue
    raise StoreFailed("the audit log could not be written: other processes write it all the time")


def _entry(row: tuple[int, int, str, str, str, str, str]) -> Entry:
    return Entry(*row[:-1], json.loads(row[-1]))
