"""Searches for people: by user id, by the id of the public profile, and by names that contain or resemble a text."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sevenhues.server.accounts.names import skeleton
from sevenhues.server.query_steps import QuerySteps, placeholders
from sevenhues.server.ratings.contests import player_of

USER_ID = re.compile("[0-9a-f]{32}")
PLAYER_ID = re.compile("[0-9a-f]{16}")
# Everybody of whom the store knows something; guests who only looked are not stored.
KNOWN = (
    "SELECT id AS user_id FROM users UNION SELECT user_id FROM seated_users UNION SELECT owner_id FROM tables"
    " UNION SELECT user_id FROM passkeys UNION SELECT user_id FROM bot_accounts"
)


class Person(NamedTuple):
    """A user whom the store knows. Guests who have chosen no name have none."""

    id: str
    name: str | None
    created: int | None
    deleted: int | None


def is_user_id(text: str) -> bool:
    return USER_ID.fullmatch(text) is not None


def find(ids: Iterable[str]) -> QuerySteps[list[Person]]:
    """Return people by their ids, in the order of the ids."""
    wanted = tuple(ids)
    if not wanted:
        return []
    sql = f"SELECT id, name, created, deleted FROM users WHERE id IN ({placeholders(len(wanted))})"
    named = {row[0]: Person(*row) for row in (yield sql, wanted)}
    return [named.get(id) or Person(id, None, None, None) for id in wanted]


def is_known(user_id: str) -> QuerySteps[bool]:
    """Tell whether the store knows a user."""
    return bool((yield f"SELECT 1 FROM ({KNOWN}) AS known WHERE user_id = ? LIMIT 1", (user_id,)))


def newest(limit: int) -> QuerySteps[list[Person]]:
    """List the people who chose a name last."""
    sql = "SELECT id, name, created, deleted FROM users WHERE deleted IS NULL ORDER BY created DESC, id LIMIT ?"
    return [Person(*row) for row in (yield sql, (limit,))]


def ids() -> QuerySteps[list[str]]:
    """List the ids of everybody whom the store knows."""
    return [row[0] for row in (yield KNOWN, ())]


def chosen_names() -> QuerySteps[list[tuple[str, str]]]:
    """List the ids and names of everybody who has chosen a name."""
    return [(row[0], row[1]) for row in (yield "SELECT id, name FROM users WHERE name IS NOT NULL", ())]


def active_names(except_user_id: str) -> QuerySteps[list[str]]:
    """List the chosen names of all other people with a rated game."""
    sql = "SELECT DISTINCT name FROM users JOIN ratings ON user_id = id WHERE name IS NOT NULL AND id <> ?"
    return [row[0] for row in (yield sql, (except_user_id,))]


def with_player_id(user_ids: Iterable[str], player: str) -> str | None:
    """Return the user whose public profile has an id."""
    return next((user_id for user_id in user_ids if player_of(user_id).id == player), None)


def matching(names: Iterable[tuple[str, str]], text: str) -> list[str]:
    """Return the ids of people whose name contains or resembles a text, the best match first."""
    lower, bare = text.casefold(), skeleton(text)
    ranks: list[tuple[int, str, str]] = []
    for user_id, name in names:
        if name.casefold() == lower:
            ranks.append((0, name, user_id))
        elif skeleton(name) == bare:
            ranks.append((1, name, user_id))
        elif lower in name.casefold() or (bare and bare in skeleton(name)):
            ranks.append((2, name, user_id))
    return [user_id for _, _, user_id in sorted(ranks)]


def is_similar(name: str, others: Iterable[str]) -> bool:
    """Tell whether a name looks like one of the others."""
    return skeleton(name) in map(skeleton, others)


def lookalikes(names: Iterable[tuple[str, str]]) -> dict[str, list[tuple[str, str]]]:
    """Return all people by what their names have in common."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for user_id, name in names:
        groups[skeleton(name)].append((user_id, name))
    return groups
