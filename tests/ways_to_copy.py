"""The ways to copy an object with Python's own means."""

import copy
import pickle
from collections.abc import Callable
from typing import Any


def pickled(original: Any) -> Any:
    """Return what another process gets."""
    return pickle.loads(pickle.dumps(original))


INDEPENDENT: dict[str, Callable[[Any], Any]] = {"deepcopy": copy.deepcopy, "pickle": pickled}
WAYS: dict[str, Callable[[Any], Any]] = {"copy": copy.copy, **INDEPENDENT}
