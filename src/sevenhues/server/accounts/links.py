"""Links between users who may be one person: a browser, a passkey or a public network that they share.

A link is stored as a keyed digest. Browsers and passkeys lead from user to user over any number of links; a network
links two users directly, or users whom browsers and passkeys lead to. See docs/ratings.md.
"""

import secrets
from collections.abc import Collection
from typing import Literal, NamedTuple

from sevenhues.server.query_steps import Bulk, QuerySteps

Kind = Literal["device", "passkey", "network"]
DAY_MS = 24 * 3600 * 1000
WINDOW_MS = DAY_MS // 2
EXPIRY_MS: dict[Kind, int] = {"device": 180 * DAY_MS, "passkey": 180 * DAY_MS, "network": 7 * DAY_MS}
DELETED_PREFIX = "deleted "  # of what replaces the id of a deleted user


class Link(NamedTuple):
    """A digest of what users share."""

    kind: Kind
    digest: str


# All users to whom browsers and passkeys lead from a user, who is one of them, and those browsers and passkeys. Each is
# visited once: going from user to user would take a quadratic time if many users share a browser.
PERSON = (
    "WITH RECURSIVE reached (node, is_user) AS (SELECT CAST(? AS TEXT), 1 UNION"
    " SELECT CASE WHEN is_user = 1 THEN link ELSE user_id END, 1 - is_user FROM reached JOIN user_links"
    " ON (is_user = 1 AND user_id = node AND kind <> 'network') OR (is_user = 0 AND link = node)),"
    " person (id) AS (SELECT node FROM reached WHERE is_user = 1)"
)


def names_of(kind: Kind, value: str, now_ms: int) -> list[str]:
    """Return what is digested for a browser, a passkey or a network.

    Networks have two overlapping windows of a day at any time: users who are seen within half a day share one of them,
    and users who are seen more than a day apart share none.
    """
    if kind != "network":
        return [f"{kind} {value}"]
    window = now_ms // WINDOW_MS
    return [f"{kind} {value} {number}" for number in (window, window + 1)]


def add(links: Collection[Link], user_id: str, now_ms: int) -> QuerySteps[None]:
    """Store that a user who is not deleted was seen with links."""
    yield Bulk(
        "INSERT INTO user_links (link, user_id, kind, seen, expires) SELECT ?, ?, ?, ?, ?"
        " WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = ? AND deleted IS NOT NULL)"
        " ON CONFLICT (link, user_id) DO UPDATE SET seen = excluded.seen, expires = excluded.expires",
        [(one.digest, user_id, one.kind, now_ms, now_ms + EXPIRY_MS[one.kind], user_id) for one in sorted(links)],
    )


def any_linked(user_ids: Collection[str], since_ms: int) -> QuerySteps[bool]:
    """Tell whether two of these users may be one person. Networks count if they were shared after a time.

    A bot account counts as its owner.
    """
    seen_users: set[str] = set()
    seen_networks: set[str] = set()
    for user_id in user_ids:
        owners = yield "SELECT owner_id FROM bot_accounts WHERE user_id = ?", (user_id,)
        person = owners[0][0] if owners else user_id
        users = {row[0] for row in (yield f"{PERSON} SELECT id FROM person", (person,))}
        sql = f"{PERSON} SELECT link FROM person JOIN user_links ON user_id = id WHERE kind = 'network' AND seen >= ?"
        networks = {row[0] for row in (yield sql, (person, since_ms))}
        if owners:
            sql = "SELECT link FROM user_links WHERE user_id = ? AND kind = 'network' AND seen >= ?"
            networks |= {row[0] for row in (yield sql, (user_id, since_ms))}
        if users & seen_users or networks & seen_networks:
            return True
        seen_users |= users
        seen_networks |= networks
    return False


def delete_user(user_id: str) -> QuerySteps[None]:
    """Delete a user's links. Browsers and passkeys that the user has linked stay linked, by a random id."""
    yield "DELETE FROM user_links WHERE user_id = ? AND kind = 'network'", (user_id,)
    rows = yield "SELECT count(*) FROM user_links WHERE user_id = ?", (user_id,)
    if rows[0][0] == 1:
        yield "DELETE FROM user_links WHERE user_id = ?", (user_id,)
    else:
        anonymous = DELETED_PREFIX + secrets.token_hex(16)
        yield "UPDATE user_links SET user_id = ? WHERE user_id = ?", (anonymous, user_id)


def delete_expired(now_ms: int) -> QuerySteps[None]:
    yield "DELETE FROM user_links WHERE expires < ?", (now_ms,)
