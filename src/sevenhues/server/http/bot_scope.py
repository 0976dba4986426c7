"""The scope of bot accounts, and closing their connections when a token is revoked."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from sevenhues.core.game import Game
from sevenhues.server.accounts import bot_accounts, names
from sevenhues.server.accounts.bot_accounts import BotAccount
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.bot_connections import BotConnection
from sevenhues.server.table.errors import Refused


def check_scope(bot: BotAccount, game: Game[Any], creates: bool = False) -> None:
    """Raise Refused if a bot may not play a game, or not create a table."""
    if not bot.may_play(game.id):
        raise Refused("bot-may-not-play", title=game.title)
    if creates and not bot.may_create:
        raise Refused("bot-may-not-create")


def check_no_names(chosen: Iterable[str | None]) -> None:
    """Raise Refused if a bot chooses a name for a table: it has the one that its owner gave it."""
    if any(name is not None for name in chosen):
        raise Refused("not-for-bots")


async def find_challenged(context: AppContext, game: Game[Any], player: str) -> tuple[str, str]:
    """Return the user id and the name of a bot; raise Refused if it cannot be challenged to a game now."""
    found = await context.store.read(bot_accounts.bot_of_player(player))
    if found is None or not found.bot.is_online(context.live_tables.now()) or not found.bot.may_play(game.id):
        raise Refused("bot-not-online", title=game.title)
    return found.bot.user_id, found.name or names.guest_name(found.bot.user_id)


@asynccontextmanager
async def watched_token(
    context: AppContext, bot: BotAccount | None, network: str, drop: Callable[[str], None]
) -> AsyncIterator[None]:
    """Have a connection dropped when the token of its bot is revoked. Connections of people are not watched."""
    if bot is None or bot.token_digest is None:
        yield
        return
    connections = context.live_tables.bot_connections
    watched = BotConnection(bot, network, drop)
    connections.add(watched)
    try:
        yield
    finally:
        await connections.remove(watched)
