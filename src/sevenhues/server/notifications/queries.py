"""The queries of notifications: settings, the ways to reach a user, and the outbox.

The outbox has a row for each message and each way to reach its user. A process claims a row until a time; what it did
not finish by then, because it was killed or had no answer, is claimed again.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

from sevenhues.server.notifications.notices import KINDS, Notice
from sevenhues.server.query_steps import Bulk, Counted, QuerySteps

MAX_PUSH_CHANNELS = 10  # of a user; an older one gives way to a new one
MAX_UNCONFIRMED_MS = 7 * 24 * 3600 * 1000  # after which an unconfirmed e-mail address is forgotten
CONFIRMATION = "confirm"  # the kind of the message that asks to confirm an e-mail address; it has no table
T = TypeVar("T")


class Settings(NamedTuple):
    """The kinds of messages that a user wants, and quiet hours."""

    kinds: tuple[str, ...] = KINDS
    quiet_from: int | None = None  # minutes after midnight; None without quiet hours
    quiet_until: int | None = None
    time_zone: str | None = None


class Channel(NamedTuple):
    """A way to reach a user: a push subscription of a browser, or an e-mail address."""

    id: str
    user_id: str
    kind: Literal["push", "email"]
    address: str
    language: str
    p256dh: str | None  # the key of a push subscription
    auth: str | None  # its secret
    token: str | None  # that confirms an e-mail address, and stops e-mail to it
    confirmed: int | None  # when


class Entry(NamedTuple):
    """A claimed row of the outbox."""

    table_id: str
    user_id: str
    kind: str
    channel_id: str
    number: int  # of the event that caused it
    at_ms: int  # the time of that event
    attempts: int


COLUMNS = "id, user_id, kind, address, language, p256dh, auth, token, confirmed"
ENTRY_COLUMNS = "table_id, user_id, kind, channel_id, number, at, attempts"
OWN = "table_id = ? AND user_id = ? AND kind = ? AND channel_id = ? AND number = ? AND holder = ?"
# A user's next turn at a table replaces the one before: a late user is told of the last one alone.
ENQUEUE = (
    "INSERT INTO outbox (table_id, user_id, kind, channel_id, number, at, due, attempts)"
    " SELECT ?, user_id, ?, id, ?, ?, ?, 0 FROM notification_channels WHERE user_id = ? AND confirmed IS NOT NULL"
    " ON CONFLICT (table_id, user_id, kind, channel_id) DO UPDATE SET number = excluded.number, at = excluded.at,"
    " due = excluded.due, attempts = 0, holder = NULL"
)


def enqueue(table_id: str, number: int, at_ms: int, notices: Sequence[Notice]) -> QuerySteps[None]:
    """Add notices to the outbox, for every way to reach their users."""
    if notices:
        rows = [(table_id, notice.kind, number, at_ms, notice.due_ms, notice.user_id) for notice in notices]
        yield Bulk(ENQUEUE, list(rows))


def claim(holder: str, now_ms: int, until_ms: int, limit: int, lock: str) -> QuerySteps[list[Entry]]:
    """Claim rows that are due, oldest first; `lock` makes processes that claim at once skip each other's rows."""
    keys = "table_id, user_id, kind, channel_id"
    rows = yield (
        "UPDATE outbox SET holder = ?, due = ?, attempts = attempts + 1"
        f" WHERE due <= ? AND ({keys}) IN (SELECT {keys} FROM outbox WHERE due <= ? ORDER BY due LIMIT ?{lock})"
        f" RETURNING {ENTRY_COLUMNS}",
        (holder, until_ms, now_ms, now_ms, limit),
    )
    return [Entry(*row) for row in rows]


def release(now_ms: int, holder: str | None) -> QuerySteps[None]:
    """Give up the claims of a process that ends; without a holder, those of all processes, none of which is left."""
    if holder is None:
        yield "UPDATE outbox SET due = ?, holder = NULL WHERE holder IS NOT NULL", (now_ms,)
    else:
        yield "UPDATE outbox SET due = ?, holder = NULL WHERE holder = ?", (now_ms, holder)


def is_claimed(entry: Entry, holder: str) -> QuerySteps[bool]:
    """Tell whether a process still has a row that it claimed: no later event has taken its place."""
    return bool((yield f"SELECT 1 FROM outbox WHERE {OWN}", (*entry[:5], holder)))


def finish(entry: Entry, holder: str) -> QuerySteps[None]:
    """Remove a claimed row, unless a later event has taken its place."""
    yield f"DELETE FROM outbox WHERE {OWN}", (*entry[:5], holder)


def postpone(entry: Entry, holder: str, due_ms: int, attempts: int) -> QuerySteps[None]:
    """Give up a claimed row until a time."""
    sql = f"UPDATE outbox SET due = ?, attempts = ?, holder = NULL WHERE {OWN}"
    yield sql, (due_ms, attempts, *entry[:5], holder)


def next_due() -> QuerySteps[int | None]:
    """Return the time at which the next row is due."""
    rows = yield "SELECT min(due) FROM outbox", ()
    due: int | None = rows[0][0]
    return due


def channel(channel_id: str) -> QuerySteps[Channel | None]:
    rows = yield f"SELECT {COLUMNS} FROM notification_channels WHERE id = ?", (channel_id,)
    return Channel(*rows[0]) if rows else None


def channels(user_id: str) -> QuerySteps[list[Channel]]:
    """Return the ways to reach a user, the oldest first."""
    rows = yield f"SELECT {COLUMNS} FROM notification_channels WHERE user_id = ? ORDER BY created, id", (user_id,)
    return [Channel(*row) for row in rows]


def settings(user_id: str) -> QuerySteps[Settings]:
    sql = "SELECT kinds, quiet_from, quiet_until, time_zone FROM notification_settings WHERE user_id = ?"
    rows = yield sql, (user_id,)
    return Settings(tuple(rows[0][0].split()), *rows[0][1:]) if rows else Settings()


def save_settings(user_id: str, new: Settings) -> QuerySteps[None]:
    yield (
        "INSERT INTO notification_settings (user_id, kinds, quiet_from, quiet_until, time_zone) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (user_id) DO UPDATE SET kinds = excluded.kinds, quiet_from = excluded.quiet_from,"
        " quiet_until = excluded.quiet_until, time_zone = excluded.time_zone",
        (user_id, " ".join(new.kinds), new.quiet_from, new.quiet_until, new.time_zone),
    )


def save_channel(new: Channel, now_ms: int) -> QuerySteps[None]:
    """Store a way to reach a user; a browser or an e-mail address that was stored before is replaced."""
    if new.kind == "email":
        yield from remove_email(new.user_id)
    else:
        yield from remove_channel(new.id)
        for old in (yield from _surplus(new.user_id)):
            yield from remove_channel(old)
    yield (
        f"INSERT INTO notification_channels ({COLUMNS}, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*new, now_ms),
    )
    if new.confirmed is None:
        yield (
            "INSERT INTO outbox (table_id, user_id, kind, channel_id, number, at, due, attempts)"
            " VALUES ('', ?, ?, ?, 0, ?, ?, 0)",
            (new.user_id, CONFIRMATION, new.id, now_ms, now_ms),
        )


def _surplus(user_id: str) -> QuerySteps[list[str]]:
    stored = yield from channels(user_id)
    pushes = [one.id for one in stored if one.kind == "push"]
    return pushes[: max(0, len(pushes) + 1 - MAX_PUSH_CHANNELS)]


def confirm(token: str, now_ms: int) -> QuerySteps[Channel | None]:
    """Confirm the e-mail address of a token; None if there is none, or it is too old."""
    yield (
        "DELETE FROM notification_channels WHERE confirmed IS NULL AND created < ?",
        (now_ms - MAX_UNCONFIRMED_MS,),
    )
    sql = f"UPDATE notification_channels SET confirmed = coalesce(confirmed, ?) WHERE token = ? RETURNING {COLUMNS}"
    rows = yield sql, (now_ms, token)
    return Channel(*rows[0]) if rows else None


def unsubscribe(token: str) -> QuerySteps[bool]:
    """Remove the e-mail address of a token; False if there is none."""
    rows = yield "SELECT id FROM notification_channels WHERE token = ?", (token,)
    for (channel_id,) in rows:
        yield from remove_channel(channel_id)
    return bool(rows)


def remove_channel(channel_id: str, user_id: str | None = None) -> QuerySteps[None]:
    """Remove a way to reach a user, if it is that user's, and what was to be sent by it."""
    if user_id is not None:
        sql = "DELETE FROM notification_channels WHERE id = ? AND user_id = ?"
        if (yield Counted(sql, (channel_id, user_id)))[0][0] == 0:
            return
    yield "DELETE FROM notification_channels WHERE id = ?", (channel_id,)
    yield "DELETE FROM outbox WHERE channel_id = ?", (channel_id,)


def remove_email(user_id: str) -> QuerySteps[None]:
    rows = yield "SELECT id FROM notification_channels WHERE user_id = ? AND kind = 'email'", (user_id,)
    for (channel_id,) in rows:
        yield from remove_channel(channel_id)


def stop_all(user_id: str) -> QuerySteps[None]:
    """Remove all ways to reach a user, and what was to be sent; the settings stay."""
    for name in ("notification_channels", "outbox"):
        yield f"DELETE FROM {name} WHERE user_id = ?", (user_id,)


def delete_user(user_id: str) -> QuerySteps[None]:
    yield from stop_all(user_id)
    yield "DELETE FROM notification_settings WHERE user_id = ?", (user_id,)


def remove_table(table_id: str) -> QuerySteps[None]:
    yield "DELETE FROM outbox WHERE table_id = ?", (table_id,)
