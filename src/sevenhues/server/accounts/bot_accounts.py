"""Bot accounts: users that programs play as, each owned by a person and authenticated by a token.

Only the digest of a token is stored. All of a bot account but its name and its games at tables is in `bot_accounts`.
"""

import re
import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import NamedTuple

from sevenhues.server.query_steps import Bulk, Counted, QuerySteps, placeholders

MAX_BOTS = 5  # of a person
TOKEN_PREFIX = "shbot_"  # by which scanners for secrets recognize a token
TOKEN_BYTES = 32
ALL_GAMES = "*"
ONLINE_MS = 15_000  # for which a bot is taken to be online after its process was last heard of
USED_MS = 60_000  # after which the time of the last use is stored again
COLUMNS = "user_id, player, owner_id, token_digest, games, may_create, created, used, online"


class BotAccount(NamedTuple):
    """A bot account. `games` are the ids of those that it may play, separated by spaces, or * for all."""

    user_id: str
    player: str  # the public id, as of any user
    owner_id: str
    token_digest: str | None  # None after its token was revoked
    games: str
    may_create: bool  # tables of its own
    created: int
    used: int | None = None  # when a request was last authenticated by its token
    online: int | None = None  # when it was last known to be connected for challenges

    def may_play(self, game: str) -> bool:
        return self.games == ALL_GAMES or game in self.games.split()

    def is_online(self, now_ms: int) -> bool:
        return self.token_digest is not None and self.online is not None and self.online > now_ms - ONLINE_MS


class NamedBot(NamedTuple):
    """A bot account and its name."""

    bot: BotAccount
    name: str | None


def new_token() -> str:
    """Generate a token: a prefix and 43 characters."""
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def token_digest(token: str) -> str | None:
    """Return the digest of a token; None if this is not a token of a bot account."""
    if not re.fullmatch(TOKEN_PREFIX + "[A-Za-z0-9_-]{43}", token):
        return None
    return sha256(token.encode("ascii")).hexdigest()


def create(added: BotAccount, name: str) -> QuerySteps[bool]:
    """Store a bot account with its name; False if its owner has the most that are allowed."""
    # The row of the owner is locked: of two requests at once, the second counts what the first has stored.
    yield (
        "INSERT INTO users (id, name, created) VALUES (?, NULL, ?) ON CONFLICT (id) DO UPDATE SET id = excluded.id",
        (added.owner_id, added.created),
    )
    rows = yield "SELECT count(*) FROM bot_accounts WHERE owner_id = ?", (added.owner_id,)
    if rows[0][0] >= MAX_BOTS:
        return False
    yield "INSERT INTO users (id, name, created) VALUES (?, ?, ?)", (added.user_id, name, added.created)
    yield f"INSERT INTO bot_accounts ({COLUMNS}) VALUES ({placeholders(len(added))})", tuple(added)
    return True


def bot_of_token(digest: str) -> QuerySteps[BotAccount | None]:
    rows = yield f"SELECT {COLUMNS} FROM bot_accounts WHERE token_digest = ?", (digest,)
    return _bot(*rows[0]) if rows else None


def bot_of_player(player: str) -> QuerySteps[NamedBot | None]:
    """Return the bot account with a public id."""
    rows = yield f"{NAMED_BOTS} WHERE player = ?", (player,)
    return _named_bot(*rows[0]) if rows else None


def bots_of(owner_id: str) -> QuerySteps[list[str]]:
    """Return the user ids of a person's bot accounts."""
    return [row[0] for row in (yield "SELECT user_id FROM bot_accounts WHERE owner_id = ?", (owner_id,))]


def list_bots(owner_id: str) -> QuerySteps[list[NamedBot]]:
    """List a person's bot accounts, the oldest first."""
    rows = yield f"{NAMED_BOTS} WHERE owner_id = ? ORDER BY bot_accounts.created, player", (owner_id,)
    return [_named_bot(*row) for row in rows]


def online_bots(now_ms: int, limit: int) -> QuerySteps[list[NamedBot]]:
    """List the bot accounts that can be challenged now, by name."""
    sql = f"{NAMED_BOTS} WHERE token_digest IS NOT NULL AND online > ? ORDER BY name, player LIMIT ?"
    return [_named_bot(*row) for row in (yield sql, (now_ms - ONLINE_MS, limit))]


def set_token(owner_id: str, player: str, digest: str | None) -> QuerySteps[bool]:
    """Replace the token of a person's bot, or revoke it; False if the person has no such bot."""
    sql = "UPDATE bot_accounts SET token_digest = ?, online = NULL WHERE player = ? AND owner_id = ?"
    return bool((yield Counted(sql, (digest, player, owner_id)))[0][0])


def set_scope(owner_id: str, player: str, games: str, may_create: bool) -> QuerySteps[bool]:
    """Change what a person's bot may do; False if the person has no such bot."""
    sql = "UPDATE bot_accounts SET games = ?, may_create = ? WHERE player = ? AND owner_id = ?"
    return bool((yield Counted(sql, (games, may_create, player, owner_id)))[0][0])


def mark_used(user_id: str, at_ms: int) -> QuerySteps[None]:
    """Store when a bot's token was last used."""
    yield "UPDATE bot_accounts SET used = ? WHERE user_id = ?", (at_ms, user_id)


def valid_digests(digests: Collection[str]) -> QuerySteps[set[str]]:
    """Return those of some digests that belong to tokens which are not revoked."""
    sql = f"SELECT token_digest FROM bot_accounts WHERE token_digest IN ({placeholders(len(digests))})"
    return {row[0] for row in (yield sql, tuple(digests))}


def set_online(user_ids: Collection[str], at_ms: int | None) -> QuerySteps[None]:
    """Store that bots are connected at a time, or are not any more."""
    yield Bulk("UPDATE bot_accounts SET online = ? WHERE user_id = ?", [(at_ms, user_id) for user_id in user_ids])


def unfinished_tables(user_ids: Collection[str], since_ms: int) -> QuerySteps[list[tuple[str, str, int]]]:
    """List the tables of bots whose games are not over and that have changed since a time: bot, table and time."""
    rows = yield (
        "SELECT user_id, table_id, updated FROM seated_users JOIN tables ON id = table_id"
        f" WHERE user_id IN ({placeholders(len(user_ids))}) AND status <> 'finished' AND updated >= ? ORDER BY updated",
        (*user_ids, since_ms),
    )
    return [(user_id, table_id, updated) for user_id, table_id, updated in rows]


def delete_bot(user_id: str) -> QuerySteps[None]:
    """Delete what makes a user a bot account, also its token."""
    yield "DELETE FROM bot_accounts WHERE user_id = ?", (user_id,)


_OWN_COLUMNS = ", ".join(f"bot_accounts.{name}" for name in COLUMNS.split(", "))
NAMED_BOTS = f"SELECT {_OWN_COLUMNS}, name FROM bot_accounts LEFT JOIN users ON id = user_id"


def _bot(*columns: object) -> BotAccount:
    bot = BotAccount(*columns)  # type: ignore[arg-type]
    return bot._replace(may_create=bool(bot.may_create))


def _named_bot(*columns: object) -> NamedBot:
    *own, name = columns
    return NamedBot(_bot(*own), name)  # type: ignore[arg-type]
