"""Compiled classes of other packages: only those that know the layout of ours may inherit from them.

mypyc alone treats our compiled classes as Python classes. A compiled subclass then has another layout than its base,
and the first call of a method crashes the interpreter. So such a class is refused when it is created. Packages that
are compiled by `sevenhues.compiling` are registered here when they are loaded.
"""

from typing import Any, Final

from mypy_extensions import mypyc_attr

COMPILED_ATTRIBUTES: Final = "__mypyc_attrs__"  # where a compiled class names its attributes

_linked: Final[set[str]] = {"sevenhues"}


def register_linked(package: str) -> None:
    """Allow the compiled classes of a package to inherit from ours."""
    _linked.add(package)


@mypyc_attr(allow_interpreted_subclasses=True)
class NativeBase:
    """The base of all classes that other packages inherit from."""

    @classmethod
    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        check_linked(cls)


def check_linked(cls: type) -> None:
    """Raise TypeError if a class is compiled and its package does not know the layout of its compiled base."""
    package = cls.__module__.split(".")[0]
    if is_compiled(cls) and is_compiled(NativeBase) and package not in _linked:
        raise TypeError(
            f"{cls.__module__}.{cls.__name__} was compiled by mypyc alone, so it cannot inherit from the compiled "
            f"classes of Seven Hues: build {package} with the build hook of Seven Hues (docs/adding-a-game.md)"
        )


def is_compiled(cls: type) -> bool:
    """Return whether a class itself is compiled, and not only its base."""
    return COMPILED_ATTRIBUTES in vars(cls)
