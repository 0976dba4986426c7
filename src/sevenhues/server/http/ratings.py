"""Routes of ratings: leaderboards, profiles and rated games. They do not reveal private tables."""

import re
from typing import Literal

from litestar import get
from litestar.params import FromPath, FromQuery

from sevenhues import protocol
from sevenhues.core.errors import shorten
from sevenhues.server.accounts import bot_accounts, names
from sevenhues.server.accounts.bot_accounts import BotAccount
from sevenhues.server.answers.games import game_named
from sevenhues.server.http.bots import games_on_wire
from sevenhues.server.http.context import AnyRequest, AppContext, context_of, name_of, table_named, user_of
from sevenhues.server.ratings import contests, queries, rating_model
from sevenhues.server.ratings.queries import PlayerRating, RatedGame, SeatChange
from sevenhues.server.table.errors import Refused

LEADERBOARD_SIZE = 50  # players of a page
PAGE_SIZE = 20  # games of a page
MAX_POINTS = 200  # of a curve
MAX_TIME = 2**53  # later than all times


@get("/api/ratings/{game:str}", tags=["ratings"])
async def show_leaderboard(
    request: AnyRequest,
    game: FromPath[str],
    after: FromQuery[int] = 0,
    players: FromQuery[Literal["people", "bots"]] = "people",
) -> protocol.Leaderboard:
    """List the players of a game, the best first; provisional ratings come last, without a rank.

    They are people or bot accounts, and in both lists the built-in levels.
    """
    game_id = game_named(game).id
    if not 0 <= after < MAX_TIME:
        raise Refused("bad-request", what="after: give back what `more` was")
    listed = queries.leaderboard(game_id, after, LEADERBOARD_SIZE + 1, bot_accounts=players == "bots")
    ratings = await context_of(request).store.read(listed)
    entries = [_leaderboard_entry(rank, rating) for rank, rating in enumerate(ratings[:LEADERBOARD_SIZE], after + 1)]
    more = after + LEADERBOARD_SIZE if len(ratings) > LEADERBOARD_SIZE else None
    return protocol.Leaderboard(game_id, entries, more)


@get("/api/players/{player:str}", tags=["ratings"])
async def show_player(request: AnyRequest, player: FromPath[str]) -> protocol.Profile:
    """Show a player's public profile: the ratings in each game and their history.

    A player without rated games has no profile, except for the player's own requests; a bot account always has one.
    """
    context = context_of(request)
    user_id = await user_of(request)
    bot = await context.store.read(bot_accounts.bot_of_player(player))
    if bot is not None:
        ratings = await context.store.read(queries.player_ratings(player))
    else:
        ratings = await _ratings_of(context, player, user_id)
    curves = [await context.store.read(queries.rating_curve(player, rating.game, MAX_POINTS)) for rating in ratings]
    own_id = bot.bot.user_id if bot is not None else user_id or ""
    return protocol.Profile(
        player,
        _display_name(ratings[0].user_id, ratings[0].name) if ratings else await name_of(context, own_id),
        contests.level_of(player),
        _is_player(user_id, player),
        [_game_rating(rating, curve) for rating, curve in zip(ratings, curves, strict=True)],
        _bot_profile(context, bot.bot) if bot is not None else None,
    )


@get("/api/players/{player:str}/games", tags=["ratings"])
async def list_rated_games(
    request: AnyRequest, player: FromPath[str], before: FromQuery[int | None] = None
) -> protocol.RatedGames:
    """List a player's rated games, newest first. The id of a private table is shown to its players alone."""
    context = context_of(request)
    user_id = await user_of(request)
    await _ratings_of(context, player, user_id)
    if before is not None and not 0 <= before <= MAX_TIME:
        raise Refused("bad-request", what="before: give back what `more` was")
    caller = contests.player_of(user_id).id if user_id is not None else None
    rated = await context.store.read(queries.rated_games(player, MAX_TIME if before is None else before, PAGE_SIZE + 1))
    games = [_rated_game(game, player, caller) for game in rated[:PAGE_SIZE]]
    return protocol.RatedGames(games, games[-1].at if len(rated) > PAGE_SIZE else None)


@get("/api/tables/{table:str}/ratings", tags=["ratings"])
async def show_rating_changes(request: AnyRequest, table: FromPath[str]) -> protocol.TableRatings:
    """Return the effect of a table's game on ratings; empty if it is not rated, or not over."""
    context = context_of(request)
    live_table = await table_named(request, table)
    changes = await context.store.read(queries.seat_changes(live_table.table.id))
    return protocol.TableRatings([_rating_change(change) for change in changes])


async def _ratings_of(context: AppContext, player: str, user_id: str | None) -> list[PlayerRating]:
    """Return a player's ratings; raise Refused if there are none and the player is not the caller."""
    ratings: list[PlayerRating] = []
    if re.fullmatch("[0-9a-f]{16}|bot-[ -~]{1,40}", player):
        ratings = await context.store.read(queries.player_ratings(player))
    if not ratings and not _is_player(user_id, player):
        raise Refused("no-player", player=shorten(player))
    return ratings


def _is_player(user_id: str | None, player: str) -> bool:
    return user_id is not None and contests.player_of(user_id).id == player


def _display_name(user_id: str | None, name: str | None) -> str | None:
    return name or (None if user_id is None else names.guest_name(user_id))


def _leaderboard_entry(rank: int, rating: PlayerRating) -> protocol.LeaderboardEntry:
    return protocol.LeaderboardEntry(
        None if rating.provisional else rank,
        rating.player,
        _display_name(rating.user_id, rating.name),
        contests.level_of(rating.player),
        rating_model.rating_points(rating.mu),
        rating_model.deviation_points(rating.sigma),
        rating.games,
        rating.provisional,
        rating.bot_account,
    )


def _bot_profile(context: AppContext, bot: BotAccount) -> protocol.BotProfile:
    return protocol.BotProfile(games_on_wire(bot), bot.is_online(context.live_tables.now()), bot.created)


def _game_rating(rating: PlayerRating, curve: list[tuple[int, float]]) -> protocol.GameRating:
    return protocol.GameRating(
        rating.game,
        rating_model.rating_points(rating.mu),
        rating_model.deviation_points(rating.sigma),
        rating.games,
        rating.provisional,
        [protocol.RatedAt(at, rating_model.rating_points(mu)) for at, mu in curve],
    )


def _rated_game(game: RatedGame, player: str, caller: str | None) -> protocol.RatedGame:
    own = next(change for change in game.changes if change.player == player)
    others = [change for change in game.changes if change is not own]
    places = [change.place for change in game.changes]
    played = any(change.player == caller for change in game.changes if caller is not None)
    before, after = own.rating_before, own.rating_after
    assert before is not None
    assert after is not None
    return protocol.RatedGame(
        game.game,
        game.table_id if game.public or played else None,
        game.at,
        rating_model.verdict(places, own.place),
        own.place,
        rating_model.rating_points(before),
        rating_model.rating_points(after),
        [_rated_seat(change) for change in others],
    )


def _rated_seat(change: SeatChange) -> protocol.RatedSeat:
    level = contests.level_of(change.player) if change.player is not None else None
    return protocol.RatedSeat(
        change.player, _display_name(change.user_id, change.name), level, change.place, change.bot_account
    )


def _rating_change(change: SeatChange) -> protocol.RatingChange | None:
    if change.rating_before is None or change.rating_after is None:
        return None
    before, after = rating_model.rating_points(change.rating_before), rating_model.rating_points(change.rating_after)
    return protocol.RatingChange(before, after)


ROUTES = (show_leaderboard, show_player, list_rated_games, show_rating_changes)
