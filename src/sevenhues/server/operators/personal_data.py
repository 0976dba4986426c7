"""The export of a person's data: every row of the store that holds something of the person.

Secrets, which give access to accounts and addresses, are left out. A test compares these lists with the columns of the
store, so that a new table is not forgotten.
"""

import base64
from typing import Any, Final

import msgspec

from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings.contests import player_of
from sevenhues.server.store.backup import COLUMNS
from sevenhues.server.table import events

# The columns that name a user, by table.
USER_COLUMNS: Final = {
    "tables": ("owner_id",),
    "seated_users": ("user_id",),
    "users": ("id",),
    "transfer_codes": ("user_id",),
    "passkeys": ("user_id",),
    "recovery_codes": ("user_id",),
    "vacations": ("user_id",),
    "notification_settings": ("user_id",),
    "notification_channels": ("user_id",),
    "outbox": ("user_id",),
    "bot_accounts": ("user_id", "owner_id"),
    "user_links": ("user_id",),
    "restrictions": ("subject",),
    "audit_log": ("target",),
    "ratings": ("user_id",),
}
# The columns that name a user by the id of the public profile.
PLAYER_COLUMNS: Final = {
    "rated_games": ("excused",),
    "quick_losses": ("loser", "winner"),
    "rating_changes": ("player",),
}
EVENTS: Final = "events"  # in which a user is named within the body
NOT_PERSONAL: Final = ("announcements", "analyses")  # analyses follow from the events, which are exported
SECRETS: Final = ("digest", "token_digest", "token", "p256dh", "auth", "holder")
OF_DEAL: Final = ("secret", "deal", "entropy")  # of events: they determine the deal of a game that is not over


def export(user_id: str) -> QuerySteps[dict[str, list[dict[str, Any]]]]:
    """Return the rows of every table that hold something of a person, without secrets."""
    exported: dict[str, list[dict[str, Any]]] = {}
    for name, columns in USER_COLUMNS.items():
        exported[name] = yield from _rows(name, columns, user_id)
    for name, columns in PLAYER_COLUMNS.items():
        exported[name] = yield from _rows(name, columns, player_of(user_id).id)
    exported[EVENTS] = yield from _events(user_id)
    return {name: exported[name] for name in COLUMNS if name in exported}


def _rows(table: str, columns: tuple[str, ...], subject: str) -> QuerySteps[list[dict[str, Any]]]:
    shown = [column for column in COLUMNS[table] if column not in SECRETS]
    where = " OR ".join(f"{column} = ?" for column in columns)
    rows = yield f"SELECT {', '.join(shown)} FROM {table} WHERE {where}", (subject,) * len(columns)
    return [_readable(dict(zip(shown, row, strict=True))) for row in rows]


def _events(user_id: str) -> QuerySteps[list[dict[str, Any]]]:
    """Return what the user did at tables: the events that name the user, and those of the user's seats."""
    sql = "SELECT table_id FROM seated_users WHERE user_id = ? UNION SELECT id FROM tables WHERE owner_id = ?"
    tables = [row[0] for row in (yield sql, (user_id, user_id))]
    exported: list[dict[str, Any]] = []
    for table_id in tables:
        seats: set[int] = set()
        sql = "SELECT number, at, body FROM events WHERE table_id = ? ORDER BY number"
        for number, at, body in (yield sql, (table_id,)):
            event = events.decode(at, body).event
            if isinstance(event, events.SeatTaken):
                (seats.add if event.user_id == user_id else seats.discard)(event.seat)
            own = user_id in (getattr(event, "user_id", None), getattr(event, "owner_id", None))
            if own or getattr(event, "seat", None) in seats:
                shown = {key: value for key, value in msgspec.to_builtins(event).items() if key not in OF_DEAL}
                exported.append({"table_id": table_id, "number": number, "at": at, "event": shown})
    return exported


def _readable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as JSON can hold it."""
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value for name, value in row.items()
    }
