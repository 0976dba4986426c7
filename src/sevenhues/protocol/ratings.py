"""Ratings: leaderboards, profiles, and what a game did to those who played it."""

import msgspec

from sevenhues.protocol.tables import Verdict


class Ranked(msgspec.Struct):
    """A player's place on a leaderboard. The rating is a mean of 1500 for newcomers; see docs/ratings.md."""

    rank: int | None  # null while the rating is provisional
    player: str
    name: str | None  # null for a bot
    level: str | None  # of a bot
    rating: int
    doubt: int  # how far off it may be: a standard deviation
    games: int
    provisional: bool


class Leaderboard(msgspec.Struct):
    """Some players of a game, the best first; `more` is given back as `after` for the next page."""

    game: str
    players: list[Ranked]
    more: int | None = None


class RatedAt(msgspec.Struct):
    """A point of a rating's curve: what it became at a time."""

    at: int
    rating: int


class GameRating(msgspec.Struct):
    """What somebody is rated in a game, with the latest points of its curve, oldest first."""

    game: str
    rating: int
    doubt: int
    games: int
    provisional: bool
    curve: list[RatedAt]


class Profile(msgspec.Struct):
    """Somebody who has played rated games, as everybody may see them; a bot goes by its level in all games."""

    player: str
    name: str | None  # null for a bot
    level: str | None  # of a bot
    me: bool
    ratings: list[GameRating]


class Contender(msgspec.Struct):
    """A seat of a rated game; who wished to be forgotten has no name."""

    player: str | None
    name: str | None
    level: str | None
    place: int


class RatedGame(msgspec.Struct):
    """A rated game of somebody's, and what it did to their rating."""

    game: str
    table: str | None  # its link, where the caller may have it
    at: int
    result: Verdict
    place: int
    before: int
    after: int
    others: list[Contender]


class RatedGames(msgspec.Struct):
    """Somebody's rated games, newest first; `more` is given back as `before` for the next page."""

    games: list[RatedGame]
    more: int | None = None


class RatingChange(msgspec.Struct):
    """What a game did to the rating of who sat in a seat."""

    before: int
    after: int


class TableRatings(msgspec.Struct):
    """What a game did to everybody's ratings, by seat; empty if it did not count, null for who was forgotten."""

    seats: list[RatingChange | None]
