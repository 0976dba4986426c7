"""Ratings in the store: what a game that has ended changes, what profiles and leaderboards ask, and all of it anew.

`rated` holds each table that counted, once, and when: strictly one after the other, so that the order in which they
were folded is known for ever. `changes` holds what each game did, seat by seat.
"""

from typing import NamedTuple

from sevenhues.server.ratings import rating_model
from sevenhues.server.ratings.rating_model import Contest, Skill
from sevenhues.server.store.shared_queries import Steps, marks

TABLES = ("ratings", "rated", "changes")


class Standing(NamedTuple):
    """What somebody is rated in a game."""

    game: str
    player: str
    identity: str | None
    name: str | None
    mu: float
    sigma: float
    games: int


class Change(NamedTuple):
    """What a game did to who sat in a seat; all but the place is None for who was forgotten."""

    table: str
    seat: int
    player: str | None
    identity: str | None
    name: str | None
    place: int
    was: float | None
    became: float | None


class Past(NamedTuple):
    """A rated game of somebody's: `changes` are of all its seats."""

    table: str
    game: str
    at: int
    public: bool
    changes: list[Change]


def count(table: str, at: int, contest: Contest) -> Steps[None]:
    """Count a game that has just ended: once, whoever asks, and after all that were counted before."""
    if (yield "SELECT 1 FROM rated WHERE table_id = ?", (table,)):
        return
    persons = tuple(player.identity for player in contest.players if player.identity is not None)
    query = f"SELECT id, deleted FROM identities WHERE deleted IS NOT NULL AND id IN ({marks(len(persons))})"
    gone: dict[str, int] = dict((yield query, persons))
    after = yield from _latest()
    yield from _fold(table, max([at, after + 1, *gone.values()]), contest, set(gone))


def forget(identity: str, at: int) -> Steps[int]:
    """Take a person out of all ratings; return when that was: after all games that had counted by then."""
    player = rating_model.player_of(identity).id
    yield "UPDATE changes SET player = NULL, was = NULL, became = NULL WHERE player = ?", (player,)
    yield "DELETE FROM ratings WHERE player = ?", (player,)
    return max(at, (yield from _latest()) + 1)


def rebuild(contests: dict[str, tuple[int, Contest]]) -> Steps[None]:
    """Fold all games anew, given with when they ended, in the order in which they counted.

    Who was forgotten since is rated on the way as they were then, and forgotten at the end.
    """
    kept: dict[str, int] = dict((yield "SELECT table_id, at FROM rated", ()))
    gone: dict[str, int] = dict((yield "SELECT id, deleted FROM identities WHERE deleted IS NOT NULL", ()))
    for name in TABLES:
        yield f"DELETE FROM {name}", ()
    last = 0
    for at, table in sorted((kept.get(table, ended), table) for table, (ended, _) in contests.items()):
        last = max(at, last + 1)
        yield from _fold(table, last, contests[table][1], {one for one, since in gone.items() if since <= last})
    for identity in gone:
        yield from forget(identity, 0)


def finished() -> Steps[list[str]]:
    """List the tables whose games are over."""
    return [row[0] for row in (yield "SELECT id FROM tables WHERE status = 'finished'", ())]


STANDING = "SELECT game, player, identity, name, mu, sigma, games FROM ratings LEFT JOIN identities ON id = identity"


def leaderboard(game: str, start: int, most: int) -> Steps[list[Standing]]:
    """List a game's players, the best first, and after them those whose rating is provisional."""
    rows = yield (
        f"{STANDING} WHERE game = ? ORDER BY CASE WHEN games < ? THEN 1 ELSE 0 END, mu DESC, player LIMIT ? OFFSET ?",
        (game, rating_model.PROVISIONAL, most, start),
    )
    return [Standing(*row) for row in rows]


def standings(player: str) -> Steps[list[Standing]]:
    """List what somebody is rated, by game; empty if they never played a game that counts."""
    rows = yield f"{STANDING} WHERE player = ? ORDER BY game", (player,)
    return [Standing(*row) for row in rows]


def curve(player: str, game: str, most: int) -> Steps[list[tuple[int, float]]]:
    """List when somebody's rating in a game became what, the latest, oldest first."""
    rows = yield (
        "SELECT DISTINCT at, became FROM changes WHERE player = ? AND game = ? ORDER BY at DESC LIMIT ?",
        (player, game, most),
    )
    return [(at, became) for at, became in reversed(rows)]


def history(player: str, before: int, most: int) -> Steps[list[Past]]:
    """List somebody's rated games before a time, newest first."""
    rows = yield (
        "SELECT DISTINCT table_id, changes.game, at, public FROM changes JOIN tables ON id = table_id"
        " WHERE player = ? AND at < ? ORDER BY at DESC LIMIT ?",
        (player, before, most),
    )
    found = {table: Past(table, game, at, bool(public), []) for table, game, at, public in rows}
    if found:
        changes = yield f"{CHANGE} WHERE table_id IN ({marks(len(found))}) ORDER BY table_id, seat", tuple(found)
        for row in changes:
            found[row[0]].changes.append(Change(*row))
    return list(found.values())


CHANGE = (
    "SELECT table_id, seat, changes.player, identity, name, place, was, became FROM changes"
    " LEFT JOIN ratings ON ratings.game = changes.game AND ratings.player = changes.player"
    " LEFT JOIN identities ON id = identity"
)


def of_table(table: str) -> Steps[list[Change]]:
    """List what a table's game did, by seat; empty if it did not count."""
    return [Change(*row) for row in (yield f"{CHANGE} WHERE table_id = ? ORDER BY seat", (table,))]


def _latest() -> Steps[int]:
    (last,) = (yield "SELECT max(at) FROM rated", ())[0]
    return last or 0


def _fold(table: str, at: int, contest: Contest, gone: set[str]) -> Steps[None]:
    """Count a game at a time; who is gone by then counts as a newcomer, and nothing is kept of them."""
    here = {player.id: player for player in contest.players if player.identity not in gone}
    query = f"SELECT player, mu, sigma FROM ratings WHERE game = ? AND player IN ({marks(len(here))})"
    rows = (yield query, (contest.game, *here)) if here else []
    before = {player: Skill(mu, sigma) for player, mu, sigma in rows}
    after = rating_model.rate(contest, before)
    yield "INSERT INTO rated (table_id, game, at) VALUES (?, ?, ?)", (table, contest.game, at)
    for player in here.values():
        yield (
            "INSERT INTO ratings (game, player, identity, mu, sigma, games) VALUES (?, ?, ?, ?, ?, 1)"
            " ON CONFLICT (game, player) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma,"
            " games = ratings.games + 1",
            (contest.game, player.id, player.identity, *after[player.id]),
        )
    for seat, player in enumerate(contest.players):
        known = player.id in here
        changed = (before.get(player.id, Skill()).mu, after[player.id].mu) if known else (None, None)
        yield (
            "INSERT INTO changes (table_id, seat, game, player, at, place, was, became)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (table, seat, contest.game, player.id if known else None, at, contest.places[seat], *changed),
        )
