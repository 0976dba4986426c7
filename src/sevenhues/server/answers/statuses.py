"""The HTTP status of each refusal."""

from typing import Final

STATUSES: Final = {
    "bad-request": 400,
    "bad-table": 400,
    "no-bot": 400,
    "clock-for-turns": 400,
    "seed-for-one": 400,
    "no-view": 400,
    "bad-record": 400,
    "invalid-record": 400,
    "unfinished-record": 400,
    "no-identity": 401,
    "not-your-seat": 403,
    "not-your-table": 403,
    "not-seated": 403,
    "no-hints": 403,
    "cross-origin": 403,
    "no-page": 404,
    "no-table": 404,
    "no-game": 404,
    "no-player": 404,
    "no-code": 404,
    "no-seat": 404,
    "no-ply": 404,
    "no-odds": 404,
    "no-lesson": 404,
    "no-step": 404,
    "seat-taken": 409,
    "table-full": 409,
    "seated-already": 409,
    "not-full": 409,
    "not-ready": 409,
    "wrong-entropy": 409,
    "started-already": 409,
    "not-started": 409,
    "countdown": 409,
    "over": 409,
    "not-your-turn": 409,
    "not-over": 409,
    "ended-there": 409,
    "bad-try": 409,
    "stale": 409,
    "too-many-changes": 409,
    "too-big": 413,
    "bad-type": 415,
    "too-many": 429,
    "too-many-sockets": 429,
    "internal-error": 500,
    "no-answer": 503,
    "store-failed": 503,
}


def close_code(key: str) -> int:
    """Return the code that closes a websocket which is refused: 4000 plus the HTTP status."""
    return 4000 + STATUSES[key]
