"""Files of secrets, which only their owner can read."""

import os
import secrets
from pathlib import Path


def create(path: Path, content: bytes) -> None:
    """Create a file, whole or not at all, unless there is one. Of processes that do so at once, one succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()
