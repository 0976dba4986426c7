"""The error of an environment that is used before its first reset."""

from typing import Any, ClassVar

from gymnasium import error


class ResetNeeded(error.ResetNeeded, AttributeError):
    """The environment has no game yet. `hasattr` takes it for a missing attribute, as wrappers expect."""


class NeedsReset:
    """Raises ResetNeeded where an attribute is read that only `reset` sets."""

    set_by_reset: ClassVar[frozenset[str]]

    def __getattr__(self, name: str) -> Any:
        if name in type(self).set_by_reset:
            raise ResetNeeded(f"call reset() first: the environment has no game yet, so it has no {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
