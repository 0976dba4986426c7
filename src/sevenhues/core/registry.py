"""Finds games: every folder of sevenhues.games, and the entry points `sevenhues.games` of other packages."""

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.game import Game

GROUP = "sevenhues.games"


@cache
def names() -> tuple[str, ...]:
    """List the ids of all games, ours first, without importing them."""
    others = sorted(point.name for point in entry_points(group=GROUP))
    return (*_ours(), *[name for name in others if name not in _ours()])


@cache
def load(name: str) -> Game[Any]:
    """Return a game by its id."""
    if name in _ours():
        game: Game[Any] = import_module(f"{GROUP}.{name.replace('-', '_')}").game
        return game
    for point in entry_points(group=GROUP):
        if point.name == name:
            outside: Game[Any] = point.load()
            return outside
    raise BadOption(f"there is no game {shorten(name)}; games: {', '.join(names())}")


@cache
def _ours() -> tuple[str, ...]:
    folders = pkgutil.iter_modules(import_module(GROUP).__path__)
    return tuple(sorted(folder.name.replace("_", "-") for folder in folders if folder.ispkg))
