"""The cookies of servers, saved in a file that only the user can read, so that a player returns to the same seat."""

import json
import os
from pathlib import Path

from platformdirs import user_data_path


def path() -> Path:
    """Return the file of the saved cookies."""
    return user_data_path("sevenhues") / "identities.json"


def load(server: str) -> str | None:
    """Return the saved cookie of a server, or None if there is none or the file is unreadable."""
    cookie = _read().get(server)
    return cookie if isinstance(cookie, str) else None


def save(server: str, cookie: str) -> None:
    """Save the cookie of a server."""
    cookies = _read()
    if cookies.get(server) == cookie:
        return
    file = path()
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
        json.dump(cookies | {server: cookie}, opened, indent=1)
    temporary.replace(file)


def _read() -> dict[str, object]:
    try:
        cookies = json.loads(path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cookies if isinstance(cookies, dict) else {}
