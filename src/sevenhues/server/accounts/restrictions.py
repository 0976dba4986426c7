"""Restrictions by operators: banned and muted users, flagged programs, and banned addresses.

A subject is a user's id, or `address ` and a network (see `client_address.client_network`).
"""

from typing import Literal, NamedTuple

from sevenhues.server.query_steps import Counted, QuerySteps

Kind = Literal["banned", "muted", "flagged"]
ADDRESS_PREFIX = "address "


class Restriction(NamedTuple):
    """A restriction of a subject, until a time or for good."""

    subject: str
    kind: Kind
    until: int | None
    reason: str
    created: int


COLUMNS = ", ".join(Restriction._fields)


def restrict(added: Restriction) -> QuerySteps[None]:
    """Store a restriction in place of an older one of the same kind."""
    yield (
        f"INSERT INTO restrictions ({COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (subject, kind)"
        " DO UPDATE SET until = excluded.until, reason = excluded.reason, created = excluded.created",
        tuple(added),
    )


def lift(subject: str, kind: Kind) -> QuerySteps[bool]:
    """Remove a restriction; False if there is none."""
    rows = yield Counted("DELETE FROM restrictions WHERE subject = ? AND kind = ?", (subject, kind))
    return bool(rows[0][0])


def restrictions_of(subject: str, now_ms: int) -> QuerySteps[dict[Kind, Restriction]]:
    """Return the restrictions of a subject that hold now, by kind."""
    sql = f"SELECT {COLUMNS} FROM restrictions WHERE subject = ? AND (until IS NULL OR until > ?)"
    return {row[1]: Restriction(*row) for row in (yield sql, (subject, now_ms))}


def restricted(kind: Kind, now_ms: int) -> QuerySteps[list[Restriction]]:
    """List the restrictions of a kind that hold now, the newest first."""
    sql = f"SELECT {COLUMNS} FROM restrictions WHERE kind = ? AND (until IS NULL OR until > ?) ORDER BY created DESC"
    return [Restriction(*row) for row in (yield sql, (kind, now_ms))]


def delete_user(user_id: str) -> QuerySteps[None]:
    """Delete the restrictions of a deleted user that do not protect others."""
    yield "DELETE FROM restrictions WHERE subject = ? AND kind = 'muted'", (user_id,)
