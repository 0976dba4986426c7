"""Messages of commands that need an extra of the package."""

from collections.abc import Iterator
from contextlib import contextmanager

from sevenhues.core.errors import SevenHuesError


@contextmanager
def requires_play(what: str) -> Iterator[None]:
    """Import modules in this context: raise SevenHuesError if a package of the extra `play` is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "sevenhues":
            raise
        raise SevenHuesError(f'{what} needs {error.name}: pip install "sevenhues[play]"') from None
