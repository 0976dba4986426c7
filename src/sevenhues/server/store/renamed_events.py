"""Rewrites stored events to the names that this release gives them. Version 6 of SQLite, 4 of PostgreSQL."""

import json
from typing import Final, NamedTuple


class Renamed(NamedTuple):
    kind: str
    fields: dict[str, str]


RENAMED: Final = {
    "created": Renamed(
        "created",
        {
            "owner": "owner_id",
            "takeover": "bot_takeover",
            "waits": "manual_start",
            "winners": "previous_winners",
            "previous": "previous_table",
        },
    ),
    "sat": Renamed("seat-taken", {"by": "user_id"}),
    "left": Renamed("seat-left", {}),
    "added": Renamed("entropy-added", {"by": "user_id"}),
    "started": Renamed("started", {"begins": "begins_at"}),
    "played": Renamed("move-played", {"id": "request_id", "at": "race_ms"}),
    "resigned": Renamed("resigned", {}),
    "timeout": Renamed("timed-out", {}),
    "abandoned": Renamed("abandoned", {}),
    "taken-over": Renamed("bot-took-over", {}),
    "granted": Renamed("time-granted", {"milliseconds": "granted_ms"}),
    "offered": Renamed("rematch-offered", {"by": "user_id"}),
    "followed": Renamed("rematch-created", {}),
}


def rename_event(body: bytes) -> bytes:
    """Return a stored event under its new name, with the new names of its fields."""
    event = json.loads(body)
    renamed = RENAMED[event["kind"]]
    fields = {renamed.fields.get(name, name): value for name, value in event.items()}
    fields["kind"] = renamed.kind
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
