"""The registry of games: the packages in sevenhues.games, and entry points `sevenhues.games` of other packages."""

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.game import Game

GROUP = "sevenhues.games"  # the package of the built-in games, and the entry point group of others


@cache
def names() -> tuple[str, ...]:
    """Return the ids of all games, the built-in ones first, without importing them."""
    built_in = _built_in_names()
    others = sorted(point.name for point in entry_points(group=GROUP))
    return (*built_in, *[name for name in others if name not in built_in])


@cache
def load(name: str) -> Game[Any]:
    """Import a game by its id; raise BadOption if there is none."""
    if name in _built_in_names():
        game: Game[Any] = import_module(f"{GROUP}.{name.replace('-', '_')}").game
        return game
    for point in entry_points(group=GROUP):
        if point.name == name:
            external: Game[Any] = point.load()
            return external
    raise BadOption(f"there is no game {shorten(name)}; games: {', '.join(names())}")


@cache
def _built_in_names() -> tuple[str, ...]:
    packages = pkgutil.iter_modules(import_module(GROUP).__path__)
    return tuple(sorted(package.name.replace("_", "-") for package in packages if package.ispkg))
