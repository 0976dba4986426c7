"""Flags of users who are programs in disguise: their games do not count, and they are on no leaderboard.

A flag holds until it is lifted. What earlier games moved is taken back when ratings are rebuilt.
"""

import re

from sevenhues.server.accounts import restrictions
from sevenhues.server.accounts.restrictions import Restriction
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings import contests


class NoPlayer(Exception):
    """There is no user with this id, or with this id of a public profile."""


def flag(player: str, reason: str, now_ms: int) -> QuerySteps[bool]:
    """Flag a user as a program; False if the user is flagged already. Raise NoPlayer if there is no such user.

    `player` is the user's id, or the id of the public profile. Run it by `Store.change_ratings`.
    """
    user_id = yield from find_user(player)
    flagged = yield from is_flagged(user_id)
    yield from restrictions.restrict(Restriction(user_id, "flagged", None, reason, now_ms))
    return not flagged


def lift_flag(player: str) -> QuerySteps[bool]:
    """Lift the flag of a user; False if there is none. Raise NoPlayer if there is no such user."""
    user_id = yield from find_user(player)
    return (yield from restrictions.lift(user_id, "flagged"))


def is_flagged(user_id: str) -> QuerySteps[bool]:
    return bool((yield "SELECT 1 FROM restrictions WHERE subject = ? AND kind = 'flagged'", (user_id,)))


def find_user(player: str) -> QuerySteps[str]:
    """Return the id of a user, who is given by it or by the id of the public profile; raise NoPlayer."""
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
    raise NoPlayer
