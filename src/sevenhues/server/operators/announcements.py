"""Announcements of maintenance windows, which are shown to everybody until they end or are withdrawn."""

from typing import NamedTuple

from sevenhues.server.query_steps import Counted, QuerySteps


class Announcement(NamedTuple):
    """A time in which the server may be away, and a note of the operator."""

    id: str
    starts: int
    ends: int
    note: str
    created: int


COLUMNS = ", ".join(Announcement._fields)


def add(announcement: Announcement) -> QuerySteps[None]:
    """Store an announcement."""
    yield f"INSERT INTO announcements ({COLUMNS}) VALUES (?, ?, ?, ?, ?)", tuple(announcement)


def withdraw(id: str) -> QuerySteps[bool]:
    """Remove an announcement; False if there is none with this id."""
    rows = yield Counted("DELETE FROM announcements WHERE id = ?", (id,))
    return bool(rows[0][0])


def current(now_ms: int, limit: int) -> QuerySteps[list[Announcement]]:
    """List the announcements that have not ended, the earliest first."""
    sql = f"SELECT {COLUMNS} FROM announcements WHERE ends > ? ORDER BY starts, id LIMIT ?"
    return [Announcement(*row) for row in (yield sql, (now_ms, limit))]
