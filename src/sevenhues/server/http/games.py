"""Routes of games: the list of games, and their rules."""

from litestar import get
from litestar.params import FromPath, FromQuery

from sevenhues import protocol
from sevenhues.core.resources import ENGLISH, rules_text
from sevenhues.server.answers.games import game_infos, game_named


@get("/api/games", tags=["games"], sync_to_thread=False)
def list_games() -> list[protocol.GameInfo]:
    """List the games that can be played here."""
    return game_infos()


@get("/api/games/{game:str}/rules", tags=["games"], media_type="text/markdown", sync_to_thread=False)
def show_rules(game: FromPath[str], language: FromQuery[str] = ENGLISH) -> str:
    """Return the numbered rules of a game; in English if there is no translation."""
    return rules_text(game_named(game), language)


ROUTES = (list_games, show_rules)
