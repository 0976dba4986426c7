"""Reasons why a game does not count that its log does not show: links between users, and flags.

The module needs no rating model, so that an offline server can do without it.
"""

from collections.abc import Sequence

from sevenhues.server.accounts import links
from sevenhues.server.accounts.links import DAY_MS
from sevenhues.server.query_steps import QuerySteps, placeholders
from sevenhues.server.ratings.contests import Exclusion


def find(table_id: str, user_ids: Sequence[str]) -> QuerySteps[Exclusion | None]:
    """Return why a game of these users at a table would not count if it ended now."""
    known = yield from stored(table_id)
    if known is not None:  # a player was deleted during the game, and their links
        return known
    rows = yield "SELECT created FROM tables WHERE id = ?", (table_id,)
    since = rows[0][0] - DAY_MS if rows else 0
    if len(user_ids) > 1 and (yield from links.any_linked(user_ids, since)):
        return "same-person"
    sql = f"SELECT 1 FROM restrictions WHERE kind = 'flagged' AND subject IN ({placeholders(len(user_ids))}) LIMIT 1"
    return "flagged" if user_ids and (yield sql, tuple(user_ids)) else None


def stored(table_id: str) -> QuerySteps[Exclusion | None]:
    """Return why the game of a table does not count, as is stored; None if it does, or nothing is stored yet."""
    rows = yield "SELECT refused FROM rated_games WHERE table_id = ?", (table_id,)
    return rows[0][0] if rows else None


def flagged_users() -> QuerySteps[set[str]]:
    """Return the users who are flagged as programs; a flag holds until it is lifted."""
    return {row[0] for row in (yield "SELECT subject FROM restrictions WHERE kind = 'flagged'", ())}
