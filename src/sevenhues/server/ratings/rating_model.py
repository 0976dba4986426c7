"""The rating model: how a game changes ratings. See docs/ratings.md.

Each game has its own ratings by OpenSkill (Plackett–Luce), computed from the rated games in the order they ended.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from openskill.models import PlackettLuce

from sevenhues.server.ratings.contests import Contest

Verdict = Literal["won", "drawn", "lost"]
INITIAL_RATING = 1500
POINTS_PER_UNIT = 30  # of OpenSkill: a player with 100 points more wins about 64 % of games, as in chess
MIN_GAMES = 10  # a rating after fewer games is provisional
MIN_OPPONENTS = 3  # different ones; a user's rating against fewer is provisional
MAX_SIGMA = 200 / POINTS_PER_UNIT  # a less certain rating is provisional
NEW_PLAYER_WEIGHT = 0.25  # of a game against a user who is new or whose rating is uncertain
REPEAT_WEIGHT = 0.5  # of a game, for every earlier one between the same two users within a day
BOT_REPEAT_WEIGHT = 0.8  # the same between a user and a bot
DAY_MS = 24 * 3600 * 1000

_model = PlackettLuce()


class Skill(NamedTuple):
    """An OpenSkill rating: mean and standard deviation."""

    mu: float = _model.mu
    sigma: float = _model.sigma


class Weight(NamedTuple):
    """The part of a game's effect on a skill that counts."""

    mu: float = 1.0
    sigma: float = 1.0


def rating_points(mu: float) -> int:
    """Convert a mean to points."""
    return round(INITIAL_RATING + POINTS_PER_UNIT * (mu - _model.mu))


def deviation_points(sigma: float) -> int:
    """Convert a standard deviation to points."""
    return round(POINTS_PER_UNIT * sigma)


def is_provisional(sigma: float, games: int, opponents: int, user_id: str | None) -> bool:
    """Tell whether a rating has no rank yet; a bot needs no different opponents."""
    return sigma > MAX_SIGMA or games < MIN_GAMES or (user_id is not None and opponents < MIN_OPPONENTS)


def rate(played: Contest, before: Mapping[str, Skill], weights: Mapping[str, Weight] | None = None) -> dict[str, Skill]:
    """Return the skills after a game, by player id; players absent from `before` are new.

    The skill of a bot in several seats becomes the mean of the skills that its seats would give. `weights` are the
    parts of the changes that count, by player id; by default the whole.
    """
    if len(played.players) < 2:
        return {player.id: before.get(player.id, Skill()) for player in played.players}
    teams = [[_model.rating(*before.get(player.id, Skill()))] for player in played.players]
    rated = [team[0] for team in _model.rate(teams, ranks=[float(place) for place in played.places])]
    after = {}
    for id in dict.fromkeys(player.id for player in played.players):
        own = [rated[seat] for seat, player in enumerate(played.players) if player.id == id]
        mu, sigma = sum(one.mu for one in own) / len(own), sum(one.sigma for one in own) / len(own)
        was, weight = before.get(id, Skill()), (weights or {}).get(id, Weight())
        after[id] = Skill(was.mu + weight.mu * (mu - was.mu), was.sigma + weight.sigma * (sigma - was.sigma))
    return after


def repeat_weight(games: int, with_bot: bool) -> float:
    """Return the weight of a game between two players who have had so many games within a day."""
    return float((BOT_REPEAT_WEIGHT if with_bot else REPEAT_WEIGHT) ** games)


def user_weight(sigma: float, first_game_age_ms: int | None) -> Weight:
    """Return the weight of a game against a user with an uncertainty, and with a first rated game so long ago.

    Games against a new user make no rating more certain.
    """
    if first_game_age_ms is None or first_game_age_ms < DAY_MS:
        return Weight(NEW_PLAYER_WEIGHT, 0.0)
    weight = NEW_PLAYER_WEIGHT if sigma > MAX_SIGMA else 1.0
    return Weight(weight, weight)


def verdict(places: Sequence[int], place: int) -> Verdict:
    """Return whether a place among others means a win, a draw or a loss."""
    if len(set(places)) == 1:
        return "drawn"
    return "won" if place == 1 else "lost"
