"""The error of an environment that is used before its first reset."""

from typing import Any, Final

from gymnasium import error


class ResetNeeded(error.ResetNeeded, AttributeError):
    """The environment has no game yet. It is also an AttributeError, as wrappers and `copy` expect."""


class _NotReset:
    """Stands for what `reset` sets. Every use of it raises ResetNeeded, so that steps need no check."""

    def _refuse(self, *_: object) -> Any:
        raise ResetNeeded("call reset() first: the environment has no game yet")

    __getattr__ = __bool__ = __contains__ = __iter__ = __len__ = __hash__ = _refuse


NOT_RESET: Final[Any] = _NotReset()
