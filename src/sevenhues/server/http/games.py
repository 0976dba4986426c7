"""Routes of games: the list of games, and their rules."""

from typing import Any

from litestar import get
from litestar.params import FromPath, FromQuery

from sevenhues import bots, protocol
from sevenhues.core import registry
from sevenhues.core.game import Game
from sevenhues.core.resources import ENGLISH, lesson_folder, rules_text
from sevenhues.server.http.context import game_named


@get("/api/games", tags=["games"], sync_to_thread=False)
def list_games() -> list[protocol.GameInfo]:
    """List the games that can be played here."""
    return game_infos()


@get("/api/games/{game:str}/rules", tags=["games"], media_type="text/markdown", sync_to_thread=False)
def show_rules(game: FromPath[str], language: FromQuery[str] = ENGLISH) -> str:
    """Return the numbered rules of a game; in English if there is no translation."""
    return rules_text(game_named(game), language)


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


ROUTES = (list_games, show_rules)
