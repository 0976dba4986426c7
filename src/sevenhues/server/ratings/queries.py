"""The queries of ratings: rate a game, show profiles and leaderboards, rebuild all ratings.

`rated_games` holds every rated table once. Its times are strictly increasing, so that they give the order in which the
games were rated. A game with an `excused` player was left early and had no effect, and a game that was `refused` does
not count. `rating_changes` holds the effect of each other game by seat. `quick_losses` holds the pairs of users of whom
one gave up soon after the start.
"""

from itertools import combinations
from typing import Any, NamedTuple

from sevenhues.server.query_steps import QuerySteps, placeholders
from sevenhues.server.ratings import contests, exclusions, rating_model
from sevenhues.server.ratings.contests import Contest, Exclusion, Player
from sevenhues.server.ratings.rating_model import DAY_MS, Skill, Weight

MAX_QUICK_LOSSES = 2  # that count, of two users against each other within the window
GIFT_WINDOW_MS = 30 * DAY_MS
TABLES = ("ratings", "rated_games", "rating_changes", "quick_losses")
UNFLAGGED = "NOT EXISTS (SELECT 1 FROM restrictions WHERE subject = ratings.user_id AND kind = 'flagged')"


class PlayerRating(NamedTuple):
    """The rating of a player in a game."""

    game: str
    player: str
    user_id: str | None
    name: str | None
    mu: float
    sigma: float
    games: int
    opponents: int  # different ones
    bot_account: bool

    @property
    def provisional(self) -> bool:
        return rating_model.is_provisional(self.sigma, self.games, self.opponents, self.user_id)


class SeatChange(NamedTuple):
    """The effect of a game on the player in a seat; all fields but the place are None for a deleted user."""

    table_id: str
    seat: int
    player: str | None
    user_id: str | None
    name: str | None
    place: int
    rating_before: float | None
    rating_after: float | None
    bot_account: bool


class RatedGame(NamedTuple):
    """A rated game with the changes of all its seats."""

    table_id: str
    game: str
    at: int
    public: bool
    changes: list[SeatChange]


def rate_game(table_id: str, at: int, contest: Contest) -> QuerySteps[None]:
    """Rate a game that has just ended, after all games rated before; do nothing if it is rated already."""
    if (yield "SELECT 1 FROM rated_games WHERE table_id = ?", (table_id,)):
        return
    user_ids = tuple(player.user_id for player in contest.players if player.user_id is not None)
    sql = f"SELECT id, deleted FROM users WHERE deleted IS NOT NULL AND id IN ({placeholders(len(user_ids))})"
    deleted: dict[str, int] = dict((yield sql, user_ids))
    latest = yield from _latest()
    exclusion = yield from exclusions.find(table_id, user_ids)
    yield from _apply(table_id, max([at, latest + 1, *deleted.values()]), contest, set(deleted), exclusion)


def keep_refused(table_id: str, at: int) -> QuerySteps[None]:
    """Refuse to rate the game of a table, which is in play, if its players may be one person.

    Done before one of them is deleted, with the links that show it.
    """
    user_ids = [row[0] for row in (yield "SELECT user_id FROM seated_users WHERE table_id = ?", (table_id,))]
    if (yield from exclusions.find(table_id, user_ids)) == "same-person":
        latest = yield from _latest()
        yield (
            "INSERT INTO rated_games (table_id, game, at, refused) SELECT id, game, ?, 'same-person' FROM tables"
            " WHERE id = ? ON CONFLICT (table_id) DO NOTHING",
            (max(at, latest + 1), table_id),
        )


def delete_user(user_id: str, at: int) -> QuerySteps[int]:
    """Delete a user's ratings; return the time of the deletion, which is after all games rated so far."""
    player = contests.player_of(user_id).id
    yield (
        "UPDATE rating_changes SET player = NULL, rating_before = NULL, rating_after = NULL WHERE player = ?",
        (player,),
    )
    yield "DELETE FROM ratings WHERE player = ?", (player,)
    yield "UPDATE rated_games SET excused = NULL WHERE excused = ?", (player,)
    yield "DELETE FROM quick_losses WHERE loser = ? OR winner = ?", (player, player)
    return max(at, (yield from _latest()) + 1)


def rebuild(contests: dict[str, tuple[int, Contest]]) -> QuerySteps[None]:
    """Replace all ratings by those that the contests give in the order in which they were rated.

    `contests` maps table ids to the time at which the game ended and its contest. A user who was deleted later is rated
    until the deletion, and the user's ratings are deleted at the end. Games of one person stay excluded, because the
    links that showed it may be gone. Games of users who are flagged now are excluded, and no others are for that.
    """
    rated_at: dict[str, int] = dict((yield "SELECT table_id, at FROM rated_games", ()))
    deleted: dict[str, int] = dict((yield "SELECT id, deleted FROM users WHERE deleted IS NOT NULL", ()))
    refused = yield "SELECT table_id, game, at FROM rated_games WHERE refused = 'same-person'", ()
    same_person = {row[0] for row in refused}
    flagged = yield from exclusions.flagged_users()
    for name in TABLES:
        yield f"DELETE FROM {name}", ()
    last = 0
    for at, table_id in sorted((rated_at.get(table_id, ended), table_id) for table_id, (ended, _) in contests.items()):
        last = max(at, last + 1)
        deleted_before = {user_id for user_id, deleted_at in deleted.items() if deleted_at <= last}
        contest = contests[table_id][1]
        exclusion: Exclusion | None = None
        if table_id in same_person:
            exclusion = "same-person"
        elif flagged.intersection(player.user_id for player in contest.players):
            exclusion = "flagged"
        yield from _apply(table_id, last, contest, deleted_before, exclusion)
    for table_id, game, at in refused:
        if table_id not in contests:  # it is in play
            last = max(at, last + 1)
            sql = "INSERT INTO rated_games (table_id, game, at, refused) VALUES (?, ?, ?, 'same-person')"
            yield sql, (table_id, game, last)
    for user_id in deleted:
        yield from delete_user(user_id, 0)


def finished_tables() -> QuerySteps[list[str]]:
    """List the tables whose games are over."""
    return [row[0] for row in (yield "SELECT id FROM tables WHERE status = 'finished'", ())]


IS_BOT_ACCOUNT = "EXISTS (SELECT 1 FROM bot_accounts WHERE bot_accounts.user_id = ratings.user_id)"
PLAYER_RATING = (
    f"SELECT game, player, user_id, name, mu, sigma, games, opponents, {IS_BOT_ACCOUNT}"
    " FROM ratings LEFT JOIN users ON id = user_id"
)


def leaderboard(game: str, start: int, limit: int, bot_accounts: bool = False) -> QuerySteps[list[PlayerRating]]:
    """List a game's players by rating, those with provisional ratings last: people or bot accounts, and all levels."""
    kind = IS_BOT_ACCOUNT if bot_accounts else f"NOT {IS_BOT_ACCOUNT}"
    rows = yield (
        f"{PLAYER_RATING} WHERE game = ? AND {UNFLAGGED} AND (user_id IS NULL OR {kind})"
        " ORDER BY CASE WHEN sigma > ? OR games < ? OR (user_id IS NOT NULL AND opponents < ?) THEN 1 ELSE 0 END,"
        " mu DESC, player LIMIT ? OFFSET ?",
        (game, rating_model.MAX_SIGMA, rating_model.MIN_GAMES, rating_model.MIN_OPPONENTS, limit, start),
    )
    return [_player_rating(*row) for row in rows]


def player_ratings(player: str) -> QuerySteps[list[PlayerRating]]:
    """List a player's ratings by game; empty if the player has no rated game."""
    rows = yield f"{PLAYER_RATING} WHERE player = ? ORDER BY game", (player,)
    return [_player_rating(*row) for row in rows]


def ranked_names(except_user_id: str) -> QuerySteps[list[str]]:
    """List the chosen names of all other users with a rank in some game."""
    rows = yield (
        "SELECT DISTINCT name FROM users JOIN ratings ON user_id = id"
        f" WHERE sigma <= ? AND games >= ? AND opponents >= ? AND name IS NOT NULL AND id <> ? AND {UNFLAGGED}",
        (rating_model.MAX_SIGMA, rating_model.MIN_GAMES, rating_model.MIN_OPPONENTS, except_user_id),
    )
    return [row[0] for row in rows]


def rating_curve(player: str, game: str, limit: int) -> QuerySteps[list[tuple[int, float]]]:
    """List the latest ratings of a player in a game with their times, oldest first."""
    rows = yield (
        "SELECT DISTINCT at, rating_after FROM rating_changes WHERE player = ? AND game = ? ORDER BY at DESC LIMIT ?",
        (player, game, limit),
    )
    return [(at, rating) for at, rating in reversed(rows)]


def rated_games(player: str, before: int, limit: int) -> QuerySteps[list[RatedGame]]:
    """List a player's rated games before a time, newest first."""
    rows = yield (
        "SELECT DISTINCT table_id, rating_changes.game, at, public FROM rating_changes JOIN tables ON id = table_id"
        " WHERE player = ? AND at < ? ORDER BY at DESC LIMIT ?",
        (player, before, limit),
    )
    games = {table_id: RatedGame(table_id, game, at, bool(public), []) for table_id, game, at, public in rows}
    if games:
        sql = f"{SEAT_CHANGE} WHERE table_id IN ({placeholders(len(games))}) ORDER BY table_id, seat"
        for row in (yield sql, tuple(games)):
            games[row[0]].changes.append(_seat_change(*row))
    return list(games.values())


SEAT_CHANGE = (
    f"SELECT table_id, seat, rating_changes.player, user_id, name, place, rating_before, rating_after, {IS_BOT_ACCOUNT}"
    " FROM rating_changes"
    " LEFT JOIN ratings ON ratings.game = rating_changes.game AND ratings.player = rating_changes.player"
    " LEFT JOIN users ON id = user_id"
)


def seat_changes(table_id: str) -> QuerySteps[list[SeatChange]]:
    """List the effect of a table's game by seat; empty if the game is not rated."""
    return [_seat_change(*row) for row in (yield f"{SEAT_CHANGE} WHERE table_id = ? ORDER BY seat", (table_id,))]


def _player_rating(*columns: Any) -> PlayerRating:
    rating = PlayerRating(*columns)
    return rating._replace(bot_account=bool(rating.bot_account))


def _seat_change(*columns: Any) -> SeatChange:
    change = SeatChange(*columns)
    return change._replace(bot_account=bool(change.bot_account))


def _latest() -> QuerySteps[int]:
    (latest,) = (yield "SELECT max(at) FROM rated_games", ())[0]
    return latest or 0


def _apply(
    table_id: str, at: int, contest: Contest, deleted: set[str], exclusion: Exclusion | None
) -> QuerySteps[None]:
    """Rate a game at a time. A deleted user is left out, and nothing is stored about the user."""
    rated = {player.id: player for player in contest.players if player.user_id not in deleted}
    left_early = contest.left_early
    excused = left_early.id if left_early is not None and left_early.id in rated else None
    if exclusion is not None or (excused is not None and (yield from _was_excused(excused, at))):
        excused = None
    if exclusion is None and excused is None and (yield from _is_gift(table_id, at, contest, rated)):
        exclusion = "gift"
    sql = "INSERT INTO rated_games (table_id, game, at, excused, refused) VALUES (?, ?, ?, ?, ?)"
    yield sql, (table_id, contest.game, at, excused, exclusion)
    if excused is not None or exclusion is not None:
        return
    sql = f"SELECT player, mu, sigma FROM ratings WHERE game = ? AND player IN ({placeholders(len(rated))})"
    rows = (yield sql, (contest.game, *rated)) if rated else []
    before = {player: Skill(mu, sigma) for player, mu, sigma in rows}
    weights, new_opponents = yield from _compare(contest.game, at, list(rated.values()), before)
    after = rating_model.rate(_among(contest, rated), before, weights)
    for player in rated.values():
        yield (
            "INSERT INTO ratings (game, player, user_id, mu, sigma, games, opponents) VALUES (?, ?, ?, ?, ?, 1, ?)"
            " ON CONFLICT (game, player) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma,"
            " games = ratings.games + 1, opponents = ratings.opponents + excluded.opponents",
            (contest.game, player.id, player.user_id, *after[player.id], new_opponents[player.id]),
        )
    for seat, player in enumerate(contest.players):
        known = player.id in rated
        ratings = (before.get(player.id, Skill()).mu, after[player.id].mu) if known else (None, None)
        yield (
            "INSERT INTO rating_changes (table_id, seat, game, player, at, place, rating_before, rating_after)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (table_id, seat, contest.game, player.id if known else None, at, contest.places[seat], *ratings),
        )


def _among(contest: Contest, rated: dict[str, Player]) -> Contest:
    """Return a contest among the players who are rated."""
    seats = [seat for seat, player in enumerate(contest.players) if player.id in rated]
    players, places = [contest.players[seat] for seat in seats], [contest.places[seat] for seat in seats]
    return Contest(contest.game, tuple(players), tuple(places))


def _is_gift(table_id: str, at: int, contest: Contest, rated: dict[str, Player]) -> QuerySteps[bool]:
    """Store which users gave up soon against which others; tell whether two of them have done so too often."""
    users = [player for player in rated.values() if player.user_id is not None]
    pairs = [(loser, one) for loser in contest.gave_up if loser.id in rated for one in users if one != loser]
    gift = False
    for loser, winner in pairs:
        rows = yield (
            "SELECT count(DISTINCT table_id) FROM quick_losses WHERE at > ? AND table_id <> ?"
            " AND ((loser = ? AND winner = ?) OR (loser = ? AND winner = ?))",
            (at - GIFT_WINDOW_MS, table_id, loser.id, winner.id, winner.id, loser.id),
        )
        gift = gift or rows[0][0] >= MAX_QUICK_LOSSES
        sql = "INSERT INTO quick_losses (table_id, loser, winner, at) VALUES (?, ?, ?, ?)"
        yield sql, (table_id, loser.id, winner.id, at)
    return gift


def _was_excused(player: str, at: int) -> QuerySteps[bool]:
    """Tell whether a player has left a game early, without a loss, within the last day."""
    sql = "SELECT 1 FROM rated_games WHERE excused = ? AND at > ? LIMIT 1"
    return bool((yield sql, (player, at - rating_model.DAY_MS)))


def _compare(
    game: str, at: int, players: list[Player], before: dict[str, Skill]
) -> QuerySteps[tuple[dict[str, Weight], dict[str, int]]]:
    """Return the weight of a game for each player, and the number of opponents whom the player has not met before.

    A weight is the smallest over the opponents. Two bots do not weigh on each other.
    """
    weights = {player.id: Weight() for player in players}
    new_opponents = dict.fromkeys(weights, 0)
    ages = yield from _first_game_ages(game, at, [player.id for player in players if player.user_id is not None])
    for one, other in combinations(players, 2):
        user, second = (one, other) if one.user_id is not None else (other, one)
        if user.user_id is None:
            continue
        met, games = yield from _games_together(game, at, user.id, second.id)
        repeated = rating_model.repeat_weight(games, second.user_id is None)
        for player, opponent in ((one, other), (other, one)):
            new_opponents[player.id] += not met
            weight = Weight()
            if opponent.user_id is not None:
                weight = rating_model.user_weight(before.get(opponent.id, Skill()).sigma, ages[opponent.id])
            weight = Weight(repeated * weight.mu, repeated * weight.sigma)
            weights[player.id] = min(weights[player.id], weight)
    return weights, new_opponents


def _first_game_ages(game: str, at: int, players: list[str]) -> QuerySteps[dict[str, int | None]]:
    """Return for each player the time since the first rated game; None if there is none."""
    ages: dict[str, int | None] = {}
    for player in players:
        sql = "SELECT at FROM rating_changes WHERE player = ? AND game = ? ORDER BY at LIMIT 1"
        rows = yield sql, (player, game)
        ages[player] = at - rows[0][0] if rows else None
    return ages


def _games_together(game: str, at: int, player: str, other: str) -> QuerySteps[tuple[bool, int]]:
    """Return whether two players have met before, and the number of their games within the last day."""
    sql = (
        "FROM rating_changes own JOIN rating_changes other ON other.table_id = own.table_id"
        " WHERE own.player = ? AND other.player = ? AND own.game = ?"
    )
    met = yield f"SELECT 1 {sql} LIMIT 1", (player, other, game)
    if not met:
        return False, 0
    since = at - rating_model.DAY_MS
    rows = yield f"SELECT count(DISTINCT own.table_id) {sql} AND own.at > ?", (player, other, game, since)
    return True, rows[0][0]
