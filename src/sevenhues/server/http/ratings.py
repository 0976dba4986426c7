"""The routes of ratings: leaderboards, profiles, what a game did. Names only, and no way into private tables."""

import re
from typing import Any

from litestar import Request, get
from litestar.params import FromPath, FromQuery

from sevenhues import protocol
from sevenhues.core.errors import shorten
from sevenhues.server.accounts import names
from sevenhues.server.errors import Declined
from sevenhues.server.http.tables import game_named, house_of, name_of, who
from sevenhues.server.live.live_tables import House
from sevenhues.server.ratings import queries, rating_model
from sevenhues.server.ratings.queries import Change, Past, Standing

BOARD = 50  # players on a page
PAGE = 20  # games on a page
POINTS = 200  # of a curve
LAST = 2**53  # later than all times
AnyRequest = Request[Any, Any, Any]


@get("/api/ratings/{game:str}", tags=["ratings"])
async def show_leaderboard(request: AnyRequest, game: FromPath[str], after: FromQuery[int] = 0) -> protocol.Leaderboard:
    """List who plays a game best, people and bots; provisional ratings come last, and have no rank."""
    id = game_named(game).id
    if not 0 <= after < LAST:
        raise Declined("bad-request", what="after: give back what `more` was")
    found = await house_of(request).store.ask(queries.leaderboard(id, after, BOARD + 1))
    ranked = [_ranked(after + place, standing) for place, standing in enumerate(found[:BOARD], 1)]
    return protocol.Leaderboard(id, ranked, after + BOARD if len(found) > BOARD else None)


@get("/api/players/{player:str}", tags=["ratings"])
async def show_player(request: AnyRequest, player: FromPath[str]) -> protocol.Profile:
    """Show somebody by their public id: what they are rated in each game, and how it came about.

    There is nobody by that id who has not played a game that counts, except to themselves.
    """
    house = house_of(request)
    by = await who(request)
    found = await _standings(house, player, by)
    curves = [await house.store.ask(queries.curve(player, standing.game, POINTS)) for standing in found]
    return protocol.Profile(
        player,
        _name(found[0].identity, found[0].name) if found else await name_of(house, by or ""),
        rating_model.level_of(player),
        _is(by, player),
        [_rating(standing, curve) for standing, curve in zip(found, curves, strict=True)],
    )


@get("/api/players/{player:str}/games", tags=["ratings"])
async def list_rated_games(
    request: AnyRequest, player: FromPath[str], before: FromQuery[int | None] = None
) -> protocol.RatedGames:
    """List somebody's rated games, newest first. A private table is named to those who sat there, and nobody else."""
    house = house_of(request)
    by = await who(request)
    await _standings(house, player, by)
    if before is not None and not 0 <= before <= LAST:
        raise Declined("bad-request", what="before: give back what `more` was")
    me = rating_model.player_of(by).id if by is not None else None
    found = await house.store.ask(queries.history(player, LAST if before is None else before, PAGE + 1))
    games = [_game(past, player, me) for past in found[:PAGE]]
    return protocol.RatedGames(games, games[-1].at if len(found) > PAGE else None)


@get("/api/tables/{table:str}/ratings", tags=["ratings"])
async def show_changes(request: AnyRequest, table: FromPath[str]) -> protocol.TableRatings:
    """Tell what a table's game did to everybody's ratings; nothing where it does not count, or goes on."""
    house = house_of(request)
    room = await house.room(table)
    found = await house.store.ask(queries.of_table(room.table.id))
    return protocol.TableRatings([_change(change) for change in found])


async def _standings(house: House, player: str, by: str | None) -> list[Standing]:
    """Find what somebody is rated; raises Declined if there is nobody that `by` may know of."""
    found = None
    if re.fullmatch("[0-9a-f]{16}|bot-[ -~]{1,40}", player):
        found = await house.store.ask(queries.standings(player))
    if not found and not _is(by, player):
        raise Declined("no-player", player=shorten(player))
    return found or []


def _is(by: str | None, player: str) -> bool:
    return by is not None and rating_model.player_of(by).id == player


def _name(identity: str | None, name: str | None) -> str | None:
    return name or (None if identity is None else names.guest_name(identity))


def _ranked(rank: int, standing: Standing) -> protocol.Ranked:
    provisional = standing.games < rating_model.PROVISIONAL
    return protocol.Ranked(
        None if provisional else rank,
        standing.player,
        _name(standing.identity, standing.name),
        rating_model.level_of(standing.player),
        rating_model.shown(standing.mu),
        rating_model.doubt(standing.sigma),
        standing.games,
        provisional,
    )


def _rating(standing: Standing, curve: list[tuple[int, float]]) -> protocol.GameRating:
    return protocol.GameRating(
        standing.game,
        rating_model.shown(standing.mu),
        rating_model.doubt(standing.sigma),
        standing.games,
        standing.games < rating_model.PROVISIONAL,
        [protocol.RatedAt(at, rating_model.shown(mu)) for at, mu in curve],
    )


def _game(past: Past, player: str, me: str | None) -> protocol.RatedGame:
    own = next(change for change in past.changes if change.player == player)
    others = [change for change in past.changes if change is not own]
    places = [change.place for change in past.changes]
    mine = any(change.player == me for change in past.changes if me is not None)
    before, after = own.was, own.became
    assert before is not None
    assert after is not None
    return protocol.RatedGame(
        past.game,
        past.table if past.public or mine else None,
        past.at,
        rating_model.verdict(places, own.place),
        own.place,
        rating_model.shown(before),
        rating_model.shown(after),
        [_contender(change) for change in others],
    )


def _contender(change: Change) -> protocol.Contender:
    level = rating_model.level_of(change.player) if change.player is not None else None
    return protocol.Contender(change.player, _name(change.identity, change.name), level, change.place)


def _change(change: Change) -> protocol.RatingChange | None:
    if change.was is None or change.became is None:
        return None
    return protocol.RatingChange(rating_model.shown(change.was), rating_model.shown(change.became))


ROUTES = (show_leaderboard, show_player, list_rated_games, show_changes)
