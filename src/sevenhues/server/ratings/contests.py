"""Contests: which games are rated, between whom, and with which places. See docs/ratings.md."""

from hashlib import sha256
from typing import Literal, NamedTuple

from sevenhues.core.position import Outcome, rank
from sevenhues.server.table import ids
from sevenhues.server.table.state import Departure, Table

UnratedReason = Literal["alone", "hints", "helped", "shared", "bots", "elsewhere", "offline", "abandoned"]
Exclusion = Literal["same-person", "flagged", "gift"]  # why a game does not count, by what the log does not say
GRACE_MS = 30_000  # after the deal, in which a player may leave without a loss, once a day
QUICK_MOVES = 5  # a player who gives up before has lost quickly
QUICK_MS = 60_000  # after the start, in which a player who gives up has lost quickly
QUICK_RACE_MS = 20_000  # the same in a race
BOT_PREFIX = "bot-"  # of a bot's public id; a user's public id is hexadecimal


class Player(NamedTuple):
    """A rated player: a public id, and the user's id unless the player is a bot."""

    id: str
    user_id: str | None = None


class Contest(NamedTuple):
    """A rated game: the player of each seat, and the place of each (1 is best, ties share a place).

    `left_early` is a player who ended it within the grace after the deal: it is rated if the grace is used up.
    `gave_up` are the users who gave up soon after the start.
    """

    game: str
    players: tuple[Player, ...]
    places: tuple[int, ...]
    left_early: Player | None = None
    gave_up: tuple[Player, ...] = ()


def player_of(user_id: str) -> Player:
    """Return a user as a player. The public id does not reveal the user id, and does not depend on signing keys."""
    return Player(sha256(f"sevenhues player {user_id}".encode()).hexdigest()[:16], user_id)


def bot(level: str) -> Player:
    return Player(BOT_PREFIX + level)


def level_of(player: str) -> str | None:
    """Return the level of a bot's public id; None for a user's."""
    return player.removeprefix(BOT_PREFIX) if player.startswith(BOT_PREFIX) else None


def unrated(table: Table) -> UnratedReason | None:
    """Return why a table's game is not rated; None if it is, as far as is known yet."""
    user_ids = [seat.user_id for seat in table.seats if seat.user_id is not None]
    if table.config.played_offline or table.id.startswith(ids.OFFLINE_PREFIX):
        return "offline"
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
    ended_early = table.result is not None and table.position is not None and table.position.outcome() is None
    if ended_early and finished_loser(table) is None:
        return "abandoned"
    return None


def absent_seat(table: Table) -> int | None:
    """Return the seat whose user left an abandoned game: the one to move. None in a race, or if a bot is to move."""
    to_act = table.position.to_act() if table.position is not None and not table.game.simultaneous else []
    return to_act[0] if len(to_act) == 1 and table.seats[to_act[0]].acting_user_id is not None else None


def finished_loser(table: Table) -> int | None:
    """Return the seat that has lost a finished game outside its rules."""
    assert table.result is not None
    if table.ended_by_operator:
        return None
    return absent_seat(table) if table.result.reason == "abandoned" else table.result.seat


def contest(table: Table, outcome: Outcome | None, loser: int | None, ended_ms: int) -> Contest | None:
    """Return the contest of a game that ends by its rules, or in which a seat resigned, ran out of time or left.

    None if the game is not rated.
    """
    if unrated(table) is not None or (outcome is None and loser is None):
        return None
    if outcome is not None:
        places = outcome.places if outcome.winners else [1] * len(table.seats)
    else:
        places = [2 if seat == loser else 1 for seat in range(len(table.seats))]
    # A user whose seat a bot took over has lost to all who stayed, whatever place the bot came in.
    left = [seat.user_id is not None and seat.level is not None for seat in table.seats]
    ranked = rank([-(len(places) + 1) if left[seat] else -place for seat, place in enumerate(places)])
    players = tuple(_player(seat.user_id, seat.level) for seat in table.seats)
    some_have_not_moved = len({move.seat for move in table.moves}) < len(table.seats)
    early = loser is not None and some_have_not_moved and ended_ms - table.begins_at <= GRACE_MS
    left_early = players[loser] if early and loser is not None else None
    return Contest(table.game.id, players, tuple(ranked), left_early, _gave_up(table, players, loser, ended_ms))


def finished_contest(table: Table) -> Contest | None:
    """Return the contest of a game that is over; None if it is not rated."""
    if table.result is None or table.position is None or table.ended_at is None:
        return None
    outcome = table.position.outcome()
    return contest(table, outcome, finished_loser(table) if outcome is None else None, table.ended_at)


def _gave_up(table: Table, players: tuple[Player, ...], loser: int | None, ended_ms: int) -> tuple[Player, ...]:
    """Return the users who resigned, ran out of time or left soon after the start, in the order of their seats."""
    departures = dict(table.departures)
    if loser is not None:
        departures[loser] = Departure(sum(move.seat == loser for move in table.moves), ended_ms)
    quick_ms = QUICK_RACE_MS if table.game.simultaneous else QUICK_MS
    return tuple(
        players[seat]
        for seat, left in sorted(departures.items())
        if players[seat].user_id is not None and (left.moves < QUICK_MOVES or left.at_ms - table.begins_at < quick_ms)
    )


def _player(user_id: str | None, level: str | None) -> Player:
    return player_of(user_id) if user_id is not None else bot(level or "")
