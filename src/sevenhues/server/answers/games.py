"""Descriptions of games."""

from typing import Any

from sevenhues import bots, protocol
from sevenhues.core import registry
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.resources import lesson_folder
from sevenhues.server.table.errors import Refused


def game_named(name: str) -> Game[Any]:
    """Return a game by its id; raise Refused if there is none."""
    try:
        return registry.load(name)
    except BadOption as error:
        raise Refused("no-game", what=str(error)) from None


def game_infos() -> list[protocol.GameInfo]:
    """Describe the games that can be played here."""
    return [_game_info(registry.load(name)) for name in registry.names()]


def _game_info(game: Game[Any]) -> protocol.GameInfo:
    options = [
        protocol.Choice(option.name, list(option.choices), option.about, option.helps) for option in game.options
    ]
    levels = [protocol.LevelInfo(level.name, level.about) for level in game.bot_support().levels() or bots.levels(game)]
    return protocol.GameInfo(
        game.id,
        game.title,
        game.min_seats,
        game.max_seats,
        game.simultaneous,
        game.hidden_information,
        game.rules_version,
        options,
        levels,
        lesson_folder(game) is not None,
    )
