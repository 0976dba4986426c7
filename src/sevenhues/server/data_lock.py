"""One server to a data directory: a lock that ends with the process, however it ends."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.settings import Settings


@contextmanager
def only_server(settings: Settings) -> Iterator[None]:
    """Hold the data directory, or say who else may be holding it."""
    settings.data.mkdir(parents=True, exist_ok=True)
    with open(settings.lock_file, "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SevenHuesError(
                f"another server is using {settings.data}: stop it first, or give another --data"
            ) from None
        yield
