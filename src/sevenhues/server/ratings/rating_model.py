"""The rating model: which games are rated, and how a game changes ratings. See docs/ratings.md.

Each game has its own ratings by OpenSkill (Plackett–Luce), computed from the rated games in the order they ended.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from openskill.models import PlackettLuce

from sevenhues.core.position import Outcome, rank
from sevenhues.server.table.state import Table

UnratedReason = Literal["alone", "hints", "helped", "shared", "bots", "elsewhere", "abandoned", "unplayed"]
Verdict = Literal["won", "drawn", "lost"]
INITIAL_RATING = 1500
POINTS_PER_UNIT = 30  # of OpenSkill: a player with 100 points more wins about 64 % of games, as in chess
PROVISIONAL_GAMES = 10  # a rating after fewer games is provisional
BOT_PREFIX = "bot-"  # of a bot's public id; a user's public id is hexadecimal

_model = PlackettLuce()


class Player(NamedTuple):
    """A rated player: a public id, and the user's id unless the player is a bot."""

    id: str
    user_id: str | None = None


class Contest(NamedTuple):
    """A rated game: the player of each seat, and the place of each (1 is best, ties share a place)."""

    game: str
    players: tuple[Player, ...]
    places: tuple[int, ...]


class Skill(NamedTuple):
    """An OpenSkill rating: mean and standard deviation."""

    mu: float = _model.mu
    sigma: float = _model.sigma


def player_of(user_id: str) -> Player:
    """Return a user as a player. The public id does not reveal the user id, and does not depend on signing keys."""
    return Player(sha256(f"sevenhues player {user_id}".encode()).hexdigest()[:16], user_id)


def bot(level: str) -> Player:
    return Player(BOT_PREFIX + level)


def level_of(player: str) -> str | None:
    """Return the level of a bot's public id; None for a user's."""
    return player.removeprefix(BOT_PREFIX) if player.startswith(BOT_PREFIX) else None


def rating_points(mu: float) -> int:
    """Convert a mean to points."""
    return round(INITIAL_RATING + POINTS_PER_UNIT * (mu - _model.mu))


def deviation_points(sigma: float) -> int:
    """Convert a standard deviation to points."""
    return round(POINTS_PER_UNIT * sigma)


def unrated(table: Table) -> UnratedReason | None:
    """Return why a table's game is not rated; None if it is, as far as is known yet."""
    user_ids = [seat.user_id for seat in table.seats if seat.user_id is not None]
    if not table.dealt_here:
        return "elsewhere"
    if len(table.seats) == 1:
        return "alone"
    if table.config.hints:
        return "hints"
    if any(option.helps and table.options[option.name] != option.default for option in table.game.options):
        return "helped"
    if len(set(user_ids)) < len(user_ids):
        return "shared"
    if not user_ids and not any(seat.open for seat in table.seats):
        return "bots"
    if table.result is not None and table.position is not None and table.position.outcome() is None:
        if table.result.seat is None:
            return "abandoned"
        if table.ply == 0:
            return "unplayed"
    return None


def contest(table: Table, outcome: Outcome | None, loser: int | None) -> Contest | None:
    """Return the contest of a game that ends by its rules, or in which a seat resigned or ran out of time.

    None if the game is not rated.
    """
    if unrated(table) is not None or (outcome is None and (loser is None or table.ply == 0)):
        return None
    if outcome is not None:
        places = outcome.places if outcome.winners else [1] * len(table.seats)
    else:
        places = [2 if seat == loser else 1 for seat in range(len(table.seats))]
    # A user whose seat a bot took over has lost to all who stayed, whatever place the bot came in.
    left = [seat.user_id is not None and seat.level is not None for seat in table.seats]
    ranked = rank([-(len(places) + 1) if left[seat] else -place for seat, place in enumerate(places)])
    return Contest(table.game.id, tuple(_player(seat.user_id, seat.level) for seat in table.seats), tuple(ranked))


def finished_contest(table: Table) -> Contest | None:
    """Return the contest of a game that is over; None if it is not rated."""
    if table.result is None or table.position is None:
        return None
    return contest(table, table.position.outcome(), table.result.seat)


def rate(played: Contest, before: Mapping[str, Skill]) -> dict[str, Skill]:
    """Return the skills after a game, by player id; players absent from `before` are new.

    The skill of a bot in several seats becomes the mean of the skills that its seats would give.
    """
    teams = [[_model.rating(*before.get(player.id, Skill()))] for player in played.players]
    rated = [team[0] for team in _model.rate(teams, ranks=[float(place) for place in played.places])]
    after = {}
    for id in dict.fromkeys(player.id for player in played.players):
        own = [rated[seat] for seat, player in enumerate(played.players) if player.id == id]
        after[id] = Skill(sum(one.mu for one in own) / len(own), sum(one.sigma for one in own) / len(own))
    return after


def verdict(places: Sequence[int], place: int) -> Verdict:
    """Return whether a place among others means a win, a draw or a loss."""
    if len(set(places)) == 1:
        return "drawn"
    return "won" if place == 1 else "lost"


def _player(user_id: str | None, level: str | None) -> Player:
    return player_of(user_id) if user_id is not None else bot(level or "")
