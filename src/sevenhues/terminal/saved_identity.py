"""Who one is at servers: a cookie for each, kept for its owner alone, so that one comes back to one's seat."""

import json
import os
from pathlib import Path

from platformdirs import user_data_path


def place() -> Path:
    """Return the file they are kept in."""
    return user_data_path("sevenhues") / "identities.json"


def recall(server: str) -> str | None:
    """Return the cookie of a server, if there is one that can be read."""
    cookie = _read().get(server)
    return cookie if isinstance(cookie, str) else None


def keep(server: str, cookie: str) -> None:
    """Remember a server's cookie."""
    known = _read()
    if known.get(server) == cookie:
        return
    path = place()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(known | {server: cookie}, file, indent=1)
    new.replace(path)


def _read() -> dict[str, object]:
    try:
        known = json.loads(place().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
