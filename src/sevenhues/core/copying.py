"""Copies and pickles: `copy.copy`, `copy.deepcopy` and `pickle` of objects of compiled and of plain classes."""

from functools import cache
from inspect import signature
from typing import Any, Final, TypeVar

from mypy_extensions import mypyc_attr

from sevenhues.core.native_classes import NativeBase, is_compiled

T = TypeVar("T")

INTERPRETED_ATTRIBUTES: Final = "__dict__"  # those that an interpreted subclass of a compiled class adds


@mypyc_attr(allow_interpreted_subclasses=True)
class Copyable(NativeBase):
    """An object that can be copied and pickled.

    `__new__` of a compiled class calls `__init__`, so a copy is made with the arguments of the original: a subclass
    keeps every argument of its constructor that has no default as an attribute of the same name. All attributes are
    restored afterwards, so the state in the middle of a game is kept.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        cls: type = type(self)
        arguments = {name: getattr(self, name) for name in _parameters(cls) if hasattr(self, name)}
        state: Any = self.__getstate__()
        if isinstance(state, dict) and INTERPRETED_ATTRIBUTES in state:
            state[INTERPRETED_ATTRIBUTES] = dict(state[INTERPRETED_ATTRIBUTES])  # not shared with a copy
        return new_instance, (cls, arguments), state


def new_instance(cls: type[T], arguments: dict[str, Any]) -> T:
    """Return an object whose state is yet to be restored."""
    return cls.__new__(cls, **arguments)


@cache
def _parameters(cls: type) -> tuple[str, ...]:
    """Return the names of the constructor's parameters if `__new__` may call it: if the class itself is compiled."""
    return tuple(signature(cls).parameters) if is_compiled(cls) else ()
