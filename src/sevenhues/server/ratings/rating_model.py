"""Ratings: which games count, and what one does to who played it. Nothing here waits or stores; see docs/ratings.md.

OpenSkill (Plackett–Luce), for each game apart, folded over the games that count in the order they ended.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from openskill.models import PlackettLuce

from sevenhues.core.game import Outcome, rank
from sevenhues.protocol import Unrated, Verdict
from sevenhues.server.table.state import Table

NEWCOMER = 1500  # the rating one begins with
POINTS = 30  # in one unit of OpenSkill: 100 points more win about 64 % of games, as in chess
PROVISIONAL = 10  # games that a rating takes to be believed
BOT = "bot-"  # begins a bot's public id; a person's is hexadecimal

_model = PlackettLuce()


class Player(NamedTuple):
    """Who is rated: by a public id, and the person behind it, if it is one."""

    id: str
    identity: str | None = None


class Contest(NamedTuple):
    """A game that counts: who sat in each seat, and the place they came in (1 is best, equal ones share)."""

    game: str
    players: tuple[Player, ...]
    places: tuple[int, ...]


class Skill(NamedTuple):
    """What is known of how well somebody plays: OpenSkill's mean and standard deviation."""

    mu: float = _model.mu
    sigma: float = _model.sigma


def player_of(identity: str) -> Player:
    """Return what everybody may know a person by: it does not lead back to the identity, and outlives every key."""
    return Player(sha256(f"sevenhues player {identity}".encode()).hexdigest()[:16], identity)


def bot(level: str) -> Player:
    return Player(BOT + level)


def level_of(player: str) -> str | None:
    """Return a bot's level; None for a person."""
    return player.removeprefix(BOT) if player.startswith(BOT) else None


def shown(mu: float) -> int:
    """Write a mean as people read it."""
    return round(NEWCOMER + POINTS * (mu - _model.mu))


def doubt(sigma: float) -> int:
    return round(POINTS * sigma)


def unrated(table: Table) -> Unrated | None:
    """Tell why a table's game does not count; None if it does, as far as can be told yet."""
    made = table.made
    persons = [seat.by for seat in table.seats if seat.by is not None]
    if not table.own:
        return "elsewhere"
    if len(table.seats) == 1:
        return "alone"
    if made.hints:
        return "hints"
    if any(option.helps and table.options[option.name] != option.default for option in table.game.options):
        return "helped"
    if len(set(persons)) < len(persons):
        return "shared"
    if not persons and not any(seat.open for seat in table.seats):
        return "bots"
    if table.result is not None and table.position is not None and table.position.outcome() is None:
        if table.result.seat is None:
            return "abandoned"
        if table.ply == 0:
            return "unplayed"
    return None


def contest(table: Table, outcome: Outcome | None, gone: int | None) -> Contest | None:
    """Return what counts of a game that ends by its rules, or because the player of seat `gone` is; None if nothing."""
    if unrated(table) is not None or (outcome is None and (gone is None or table.ply == 0)):
        return None
    if outcome is not None:
        places = outcome.places if outcome.winners else [1] * len(table.seats)
    else:
        places = [2 if seat == gone else 1 for seat in range(len(table.seats))]
    # Whose seat a bot took over has lost to everybody who stayed, however the bot fared.
    left = [seat.by is not None and seat.level is not None for seat in table.seats]
    ranked = rank([-(len(places) + 1) if left[seat] else -place for seat, place in enumerate(places)])
    return Contest(table.game.id, tuple(_player(seat.by, seat.level) for seat in table.seats), tuple(ranked))


def finished(table: Table) -> Contest | None:
    """Return what counts of a game that is over."""
    if table.result is None or table.position is None:
        return None
    return contest(table, table.position.outcome(), table.result.seat)


def rate(played: Contest, before: Mapping[str, Skill]) -> dict[str, Skill]:
    """Return what a game makes of its players' skills, by id; who is not known `before` is a newcomer.

    A bot in several seats becomes the mean of what each would make of it.
    """
    teams = [[_model.rating(*before.get(player.id, Skill()))] for player in played.players]
    rated = [team[0] for team in _model.rate(teams, ranks=[float(place) for place in played.places])]
    after = {}
    for id in dict.fromkeys(player.id for player in played.players):
        own = [rated[seat] for seat, player in enumerate(played.players) if player.id == id]
        after[id] = Skill(sum(one.mu for one in own) / len(own), sum(one.sigma for one in own) / len(own))
    return after


def verdict(places: Sequence[int], place: int) -> Verdict:
    """Say in a word what a place among others means."""
    if len(set(places)) == 1:
        return "drawn"
    return "won" if place == 1 else "lost"


def _player(by: str | None, level: str | None) -> Player:
    return player_of(by) if by is not None else bot(level or "")
