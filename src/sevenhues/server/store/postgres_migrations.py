"""The versions of the PostgreSQL schema. Each step upgrades a database to the next version."""

from collections.abc import Awaitable, Callable
from typing import Any

from sevenhues.server.store import WrongDatabase
from sevenhues.server.store.renamed_events import rename_event

ADVISORY_LOCK = 0x53484855  # held by the process that creates or upgrades the schema
UPGRADE_TIMEOUT_SECONDS = 3600.0
EVENTS_PER_UPDATE = 1000
VERSION_1 = """
CREATE TABLE sevenhues_version (version integer NOT NULL);
INSERT INTO sevenhues_version VALUES (1);
CREATE TABLE tables (
    id text PRIMARY KEY, game text NOT NULL, status text NOT NULL, public boolean NOT NULL, owner text NOT NULL,
    created bigint NOT NULL, updated bigint NOT NULL, attended boolean NOT NULL
);
CREATE INDEX tables_listed ON tables (public, status, updated);
CREATE TABLE events (
    table_id text NOT NULL, number integer NOT NULL, at bigint NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (table_id, number)
);
CREATE TABLE persons (table_id text NOT NULL, identity text NOT NULL, PRIMARY KEY (identity, table_id));
CREATE INDEX persons_by_table ON persons (table_id);
CREATE TABLE identities (id text PRIMARY KEY, name text, created bigint NOT NULL, deleted bigint);
CREATE TABLE carries (digest text PRIMARY KEY, identity text NOT NULL, expires bigint NOT NULL);
CREATE TABLE leases (table_id text PRIMARY KEY, holder text NOT NULL, until timestamptz NOT NULL);
CREATE TABLE checks (done bigint NOT NULL);
INSERT INTO checks VALUES (0);
"""
VERSION_2 = "CREATE TABLE stories (table_id text PRIMARY KEY, version integer NOT NULL, body bytea NOT NULL)"
VERSION_3 = """
CREATE TABLE ratings (
    game text NOT NULL, player text NOT NULL, identity text, mu double precision NOT NULL,
    sigma double precision NOT NULL, games integer NOT NULL, PRIMARY KEY (game, player)
);
CREATE INDEX ratings_by_player ON ratings (player);
CREATE TABLE rated (table_id text PRIMARY KEY, game text NOT NULL, at bigint NOT NULL UNIQUE);
CREATE TABLE changes (
    table_id text NOT NULL, seat integer NOT NULL, game text NOT NULL, player text, at bigint NOT NULL,
    place integer NOT NULL, was double precision, became double precision, PRIMARY KEY (table_id, seat)
);
CREATE INDEX changes_by_player ON changes (player, at);
"""
VERSION_4 = """
ALTER TABLE tables RENAME COLUMN owner TO owner_id;
ALTER TABLE tables RENAME COLUMN attended TO needs_owner;
ALTER TABLE persons RENAME TO seated_users;
ALTER TABLE seated_users RENAME COLUMN identity TO user_id;
ALTER INDEX persons_pkey RENAME TO seated_users_pkey;
ALTER INDEX persons_by_table RENAME TO seated_users_by_table;
ALTER TABLE identities RENAME TO users;
ALTER INDEX identities_pkey RENAME TO users_pkey;
ALTER TABLE carries RENAME TO transfer_codes;
ALTER TABLE transfer_codes RENAME COLUMN identity TO user_id;
ALTER INDEX carries_pkey RENAME TO transfer_codes_pkey;
ALTER TABLE checks RENAME TO write_checks;
ALTER TABLE stories RENAME TO analyses;
ALTER INDEX stories_pkey RENAME TO analyses_pkey;
DELETE FROM analyses;
ALTER TABLE ratings RENAME COLUMN identity TO user_id;
ALTER TABLE rated RENAME TO rated_games;
ALTER INDEX rated_pkey RENAME TO rated_games_pkey;
ALTER INDEX rated_at_key RENAME TO rated_games_at_key;
ALTER TABLE changes RENAME TO rating_changes;
ALTER TABLE rating_changes RENAME COLUMN was TO rating_before;
ALTER TABLE rating_changes RENAME COLUMN became TO rating_after;
ALTER INDEX changes_pkey RENAME TO rating_changes_pkey;
ALTER INDEX changes_by_player RENAME TO rating_changes_by_player;
"""

VERSION_5 = """
ALTER TABLE ratings ADD COLUMN opponents integer NOT NULL DEFAULT 0;
UPDATE ratings SET opponents = (
    SELECT count(DISTINCT other.player)
    FROM rating_changes own JOIN rating_changes other ON other.table_id = own.table_id AND other.player <> own.player
    WHERE own.player = ratings.player AND own.game = ratings.game
);
ALTER TABLE rated_games ADD COLUMN excused text;
CREATE INDEX rated_games_by_excused ON rated_games (excused, at);
"""

VERSION_6 = """
CREATE TABLE passkeys (
    id text PRIMARY KEY, user_id text NOT NULL, name text NOT NULL, origin text NOT NULL, public_key bytea NOT NULL,
    sign_count bigint NOT NULL, created bigint NOT NULL, used bigint
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);
CREATE TABLE passkey_challenges (
    user_id text NOT NULL, purpose text NOT NULL, challenge text NOT NULL, expires bigint NOT NULL,
    PRIMARY KEY (user_id, purpose)
);
CREATE TABLE recovery_codes (user_id text PRIMARY KEY, digest text NOT NULL UNIQUE, created bigint NOT NULL);
CREATE TABLE vacations (
    user_id text NOT NULL, number integer NOT NULL, started bigint NOT NULL, until bigint NOT NULL,
    days integer NOT NULL, PRIMARY KEY (user_id, number)
);
"""

VERSION_7 = """
CREATE TABLE notification_settings (
    user_id text PRIMARY KEY, kinds text NOT NULL, quiet_from integer, quiet_until integer, time_zone text
);
CREATE TABLE notification_channels (
    id text PRIMARY KEY, user_id text NOT NULL, kind text NOT NULL, address text NOT NULL, language text NOT NULL,
    p256dh text, auth text, token text UNIQUE, confirmed bigint, created bigint NOT NULL
);
CREATE INDEX notification_channels_by_user ON notification_channels (user_id);
CREATE TABLE outbox (
    table_id text NOT NULL, user_id text NOT NULL, kind text NOT NULL, channel_id text NOT NULL,
    number integer NOT NULL, at bigint NOT NULL, due bigint NOT NULL, attempts integer NOT NULL, holder text,
    PRIMARY KEY (table_id, user_id, kind, channel_id)
);
CREATE INDEX outbox_by_due ON outbox (due);
CREATE INDEX outbox_by_user ON outbox (user_id);
CREATE INDEX outbox_by_channel ON outbox (channel_id);
"""

VERSION_8 = """
CREATE TABLE bot_accounts (
    user_id text PRIMARY KEY, player text NOT NULL UNIQUE, owner_id text NOT NULL, token_digest text UNIQUE,
    games text NOT NULL, may_create boolean NOT NULL, created bigint NOT NULL, used bigint, online bigint
);
CREATE INDEX bot_accounts_by_owner ON bot_accounts (owner_id);
CREATE TABLE user_links (
    link text NOT NULL, user_id text NOT NULL, kind text NOT NULL, seen bigint NOT NULL, expires bigint NOT NULL,
    PRIMARY KEY (link, user_id)
);
CREATE INDEX user_links_by_user ON user_links (user_id);
CREATE INDEX user_links_by_expiry ON user_links (expires);
ALTER TABLE rated_games ADD COLUMN refused text;
CREATE TABLE quick_losses (
    table_id text NOT NULL, loser text NOT NULL, winner text NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (loser, winner, table_id)
);
CREATE TABLE restrictions (
    subject text NOT NULL, kind text NOT NULL, until bigint, reason text NOT NULL, created bigint NOT NULL,
    PRIMARY KEY (subject, kind)
);
CREATE TABLE audit_log (
    number bigint PRIMARY KEY, at bigint NOT NULL, operator text NOT NULL,
    act text NOT NULL, target text NOT NULL, details text NOT NULL
);
CREATE TABLE announcements (
    id text PRIMARY KEY, starts bigint NOT NULL, ends bigint NOT NULL, note text NOT NULL, created bigint NOT NULL
);
"""


async def upgrade(db: Any) -> None:
    """Bring a database to the newest version in the open transaction; raise WrongDatabase if it is newer."""
    await db.execute("SELECT pg_advisory_xact_lock($1)", ADVISORY_LOCK, timeout=UPGRADE_TIMEOUT_SECONDS)
    version = 0
    if await db.fetchval("SELECT to_regclass('sevenhues_version')") is not None:
        version = await db.fetchval("SELECT version FROM sevenhues_version")
    if version > len(STEPS):
        raise WrongDatabase(
            f"the database was written by a newer release of Seven Hues (its version is {version}, this release "
            f"supports versions up to {len(STEPS)}): upgrade sevenhues, or give another --database-url"
        )
    for step in STEPS[version:]:
        await step(db)
    if version < len(STEPS):
        await db.execute("UPDATE sevenhues_version SET version = $1", len(STEPS))


def _script(sql: str) -> Callable[[Any], Awaitable[None]]:
    async def step(db: Any) -> None:
        await db.execute(sql, timeout=UPGRADE_TIMEOUT_SECONDS)

    return step


async def _version_4(db: Any) -> None:
    """Rename tables, columns and events.

    Stored analyses are deleted: the names in them changed too, and an analysis is computed again on request.
    """
    await _script(VERSION_4)(db)
    update = "UPDATE events SET body = $3 WHERE table_id = $1 AND number = $2"
    cursor = await db.cursor("SELECT table_id, number, body FROM events", timeout=UPGRADE_TIMEOUT_SECONDS)
    while rows := await cursor.fetch(EVENTS_PER_UPDATE, timeout=UPGRADE_TIMEOUT_SECONDS):
        renamed = [(table_id, number, rename_event(body)) for table_id, number, body in rows]
        await db.executemany(update, renamed, timeout=UPGRADE_TIMEOUT_SECONDS)


STEPS = (
    _script(VERSION_1),
    _script(VERSION_2),
    _script(VERSION_3),
    _version_4,
    _script(VERSION_5),
    _script(VERSION_6),
    _script(VERSION_7),
    _script(VERSION_8),
)
