"""Holidays of users, which stop their clocks in games over days, as steps for either SQL store."""

from typing import NamedTuple

from sevenhues.server.query_steps import QuerySteps

DAY_MS = 86_400_000
YEAR_MS = 365 * DAY_MS
MAX_DAYS = 30  # in any 365 days


class Vacation(NamedTuple):
    """Some whole days of a user's holidays, from the moment at which they began."""

    number: int  # of the user's holidays, from 0
    started: int
    until: int
    days: int  # that are counted: those that have begun, if the user came back early


def vacations_of(user_id: str) -> QuerySteps[list[Vacation]]:
    """Return all holidays of a user, the latest first."""
    sql = "SELECT number, started, until, days FROM vacations WHERE user_id = ? ORDER BY number DESC"
    rows = yield sql, (user_id,)
    return [Vacation(*row) for row in rows]


def days_left(vacations: list[Vacation], now_ms: int) -> int:
    """Return the days that a user may still take."""
    return max(0, MAX_DAYS - sum(one.days for one in vacations if one.started > now_ms - YEAR_MS))


def begin(user_id: str, days: int, now_ms: int) -> QuerySteps[bool]:
    """Begin holidays; False if the user is away already, or has too few days left.

    Of two processes that begin holidays of a user at once, one raises Conflict.
    """
    known = yield from vacations_of(user_id)
    if days > days_left(known, now_ms) or (known and known[0].until > now_ms):
        return False
    yield (
        "INSERT INTO vacations (user_id, number, started, until, days) VALUES (?, ?, ?, ?, ?)",
        (user_id, len(known), now_ms, now_ms + days * DAY_MS, days),
    )
    return True


def end(user_id: str, now_ms: int) -> QuerySteps[None]:
    """End a user's holidays now, if they are on; the days that have begun are counted."""
    known = yield from vacations_of(user_id)
    if known and known[0].until > now_ms:
        begun = max(1, -(-(now_ms - known[0].started) // DAY_MS))
        sql = "UPDATE vacations SET until = ?, days = ? WHERE user_id = ? AND number = ?"
        yield sql, (now_ms, begun, user_id, known[0].number)


def delete_user(user_id: str) -> QuerySteps[None]:
    yield "DELETE FROM vacations WHERE user_id = ?", (user_id,)
