"""A lock on the data directory, so that one server uses it. The kernel releases it when the process ends."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.settings import Settings


@contextmanager
def locked_data(settings: Settings) -> Iterator[None]:
    """Lock the data directory; raise SevenHuesError if another process has locked it."""
    settings.data.mkdir(parents=True, exist_ok=True)
    with open(settings.lock_file, "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SevenHuesError(
                f"another server is using {settings.data}: stop it first, or give another --data"
            ) from None
        yield
