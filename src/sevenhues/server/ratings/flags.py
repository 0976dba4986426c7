"""Flags of users who are programs in disguise: their games do not count, and they are on no leaderboard.

A flag holds until it is lifted. What earlier games moved is taken back when ratings are rebuilt.
"""

import re

from sevenhues.server.accounts import restrictions
from sevenhues.server.accounts.restrictions import Restriction
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings import contests


def flag(user_id: str, reason: str, now_ms: int) -> QuerySteps[bool]:
    """Flag a user as a program; False if the user is flagged already. Run it by `Store.change_ratings`."""
    flagged = yield from is_flagged(user_id)
    yield from restrictions.restrict(Restriction(user_id, "flagged", None, reason, now_ms))
    return not flagged


def lift(user_id: str) -> QuerySteps[bool]:
    """Lift the flag of a user; False if there is none. Run it by `Store.change_ratings`."""
    return (yield from restrictions.lift(user_id, "flagged"))


def is_flagged(user_id: str) -> QuerySteps[bool]:
    return bool((yield "SELECT 1 FROM restrictions WHERE subject = ? AND kind = 'flagged'", (user_id,)))


def find_user(player: str) -> QuerySteps[str | None]:
    """Return the id of a user, who is given by it or by the id of the public profile; None if there is none."""
    rated = yield "SELECT user_id FROM ratings WHERE player = ? AND user_id IS NOT NULL LIMIT 1", (player,)
    if rated:
        return str(rated[0][0])
    if re.fullmatch("[0-9a-f]{32}|[0-9a-f]{16}", player):
        # The id of a profile is a digest: a user without rated games is found by trying all users.
        rows = yield (
            "SELECT subject FROM restrictions WHERE kind = 'flagged' UNION SELECT id FROM users"
            " UNION SELECT user_id FROM seated_users",
            (),
        )
        for (user_id,) in rows:
            if player in (user_id, contests.player_of(user_id).id):
                return str(user_id)
    return None
