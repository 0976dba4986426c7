"""Ratings on the wire: leaderboards, profiles, and the effect of a game on ratings."""

import msgspec

from sevenhues.protocol.bots import BotProfile
from sevenhues.protocol.tables import Verdict


class LeaderboardEntry(msgspec.Struct):
    """A player on a leaderboard. Ratings start at 1500; see docs/ratings.md."""

    rank: int | None  # null while the rating is provisional
    player: str
    name: str | None  # null for a bot
    level: str | None  # of a bot
    rating: int
    deviation: int  # the standard deviation of the rating
    games: int
    provisional: bool
    bot_account: bool = False


class Leaderboard(msgspec.Struct):
    """Players of a game, the best first; `more` is given back as `after` for the next page."""

    game: str
    players: list[LeaderboardEntry]
    more: int | None = None


class RatedAt(msgspec.Struct):
    """A point of a rating's curve: the rating from a time on."""

    at: int
    rating: int


class GameRating(msgspec.Struct):
    """A player's rating in a game, with the latest points of its curve, oldest first."""

    game: str
    rating: int
    deviation: int
    games: int
    provisional: bool
    curve: list[RatedAt]


class Profile(msgspec.Struct):
    """The public profile of a player with rated games. A bot has one profile per level, for all games."""

    player: str
    name: str | None  # null for a bot
    level: str | None  # of a bot
    me: bool
    ratings: list[GameRating]
    bot: BotProfile | None = None  # null unless the player is a bot account


class RatedSeat(msgspec.Struct):
    """A seat of a rated game; a deleted user has no name."""

    player: str | None
    name: str | None
    level: str | None
    place: int
    bot_account: bool = False


class RatedGame(msgspec.Struct):
    """A rated game of a player, and its effect on the player's rating."""

    game: str
    table: str | None  # its id, if the caller may know it
    at: int
    result: Verdict
    place: int
    before: int
    after: int
    others: list[RatedSeat]


class RatedGames(msgspec.Struct):
    """Rated games of a player, newest first; `more` is given back as `before` for the next page."""

    games: list[RatedGame]
    more: int | None = None


class RatingChange(msgspec.Struct):
    """The effect of a game on the rating of the player in a seat."""

    before: int
    after: int


class TableRatings(msgspec.Struct):
    """The effect of a game on ratings, by seat; empty if it is not rated, null for deleted users."""

    seats: list[RatingChange | None]
