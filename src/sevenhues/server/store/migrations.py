"""The versions of the SQLite database. Each step upgrades a database to the next version."""

import json
import sqlite3
from pathlib import Path
from struct import Struct

from sevenhues.server.store import WrongDatabase
from sevenhues.server.store.renamed_events import rename_event

APPLICATION_ID = 0x53484855  # "SHHU", in the file's header
# The first page of a file: magic, user version, application id, and the type and cell count of the list of tables.
HEADER = Struct(">16s 44x i 4x i 28x B 2x H")
LEAF_PAGE = 13
VERSION_1 = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, status TEXT NOT NULL, public INTEGER NOT NULL, owner TEXT NOT NULL,
    created INTEGER NOT NULL, updated INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_listed ON tables (public, status, updated);
CREATE TABLE events (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE identities (id TEXT PRIMARY KEY, name TEXT, created INTEGER NOT NULL, deleted INTEGER) WITHOUT ROWID;
CREATE TABLE carries (digest TEXT PRIMARY KEY, identity TEXT NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
"""
VERSION_2 = """
CREATE TABLE persons (table_id TEXT NOT NULL, identity TEXT NOT NULL, PRIMARY KEY (identity, table_id)) WITHOUT ROWID;
CREATE INDEX persons_by_table ON persons (table_id);
CREATE TABLE checks (done INTEGER NOT NULL);
INSERT INTO checks VALUES (0);
"""
VERSION_3 = """
ALTER TABLE tables ADD COLUMN attended INTEGER NOT NULL DEFAULT 1
"""
VERSION_4 = """
CREATE TABLE stories (table_id TEXT PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID
"""
VERSION_5 = """
CREATE TABLE ratings (
    game TEXT NOT NULL, player TEXT NOT NULL, identity TEXT, mu REAL NOT NULL, sigma REAL NOT NULL,
    games INTEGER NOT NULL, PRIMARY KEY (game, player)
) WITHOUT ROWID;
CREATE INDEX ratings_by_player ON ratings (player);
CREATE TABLE rated (table_id TEXT PRIMARY KEY, game TEXT NOT NULL, at INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE changes (
    table_id TEXT NOT NULL, seat INTEGER NOT NULL, game TEXT NOT NULL, player TEXT, at INTEGER NOT NULL,
    place INTEGER NOT NULL, was REAL, became REAL, PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX changes_by_player ON changes (player, at);
"""
VERSION_6 = """
ALTER TABLE tables RENAME COLUMN owner TO owner_id;
ALTER TABLE tables RENAME COLUMN attended TO needs_owner;
ALTER TABLE persons RENAME TO seated_users;
ALTER TABLE seated_users RENAME COLUMN identity TO user_id;
DROP INDEX persons_by_table;
CREATE INDEX seated_users_by_table ON seated_users (table_id);
ALTER TABLE identities RENAME TO users;
ALTER TABLE carries RENAME TO transfer_codes;
ALTER TABLE transfer_codes RENAME COLUMN identity TO user_id;
ALTER TABLE checks RENAME TO write_checks;
ALTER TABLE stories RENAME TO analyses;
DELETE FROM analyses;
ALTER TABLE ratings RENAME COLUMN identity TO user_id;
ALTER TABLE rated RENAME TO rated_games;
ALTER TABLE changes RENAME TO rating_changes;
ALTER TABLE rating_changes RENAME COLUMN was TO rating_before;
ALTER TABLE rating_changes RENAME COLUMN became TO rating_after;
DROP INDEX changes_by_player;
CREATE INDEX rating_changes_by_player ON rating_changes (player, at);
UPDATE events SET body = rename_event(body);
"""

VERSION_7 = """
ALTER TABLE ratings ADD COLUMN opponents INTEGER NOT NULL DEFAULT 0;
UPDATE ratings SET opponents = (
    SELECT count(DISTINCT other.player)
    FROM rating_changes own JOIN rating_changes other ON other.table_id = own.table_id AND other.player <> own.player
    WHERE own.player = ratings.player AND own.game = ratings.game
);
ALTER TABLE rated_games ADD COLUMN excused TEXT;
CREATE INDEX rated_games_by_excused ON rated_games (excused, at);
"""

VERSION_8 = """
CREATE TABLE passkeys (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL, origin TEXT NOT NULL, public_key BLOB NOT NULL,
    sign_count INTEGER NOT NULL, created INTEGER NOT NULL, used INTEGER
) WITHOUT ROWID;
CREATE INDEX passkeys_by_user ON passkeys (user_id);
CREATE TABLE passkey_challenges (
    user_id TEXT NOT NULL, purpose TEXT NOT NULL, challenge TEXT NOT NULL, expires INTEGER NOT NULL,
    PRIMARY KEY (user_id, purpose)
) WITHOUT ROWID;
CREATE TABLE recovery_codes (
    user_id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE vacations (
    user_id TEXT NOT NULL, number INTEGER NOT NULL, started INTEGER NOT NULL, until INTEGER NOT NULL,
    days INTEGER NOT NULL, PRIMARY KEY (user_id, number)
) WITHOUT ROWID;
"""

VERSION_9 = """
CREATE TABLE notification_settings (
    user_id TEXT PRIMARY KEY, kinds TEXT NOT NULL, quiet_from INTEGER, quiet_until INTEGER, time_zone TEXT
) WITHOUT ROWID;
CREATE TABLE notification_channels (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL, kind TEXT NOT NULL, address TEXT NOT NULL, language TEXT NOT NULL,
    p256dh TEXT, auth TEXT, token TEXT UNIQUE, confirmed INTEGER, created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX notification_channels_by_user ON notification_channels (user_id);
CREATE TABLE outbox (
    table_id TEXT NOT NULL, user_id TEXT NOT NULL, kind TEXT NOT NULL, channel_id TEXT NOT NULL,
    number INTEGER NOT NULL, at INTEGER NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL, holder TEXT,
    PRIMARY KEY (table_id, user_id, kind, channel_id)
) WITHOUT ROWID;
CREATE INDEX outbox_by_due ON outbox (due);
CREATE INDEX outbox_by_user ON outbox (user_id);
CREATE INDEX outbox_by_channel ON outbox (channel_id);
"""

VERSION_10 = """
CREATE TABLE bot_accounts (
    user_id TEXT PRIMARY KEY, player TEXT NOT NULL UNIQUE, owner_id TEXT NOT NULL, token_digest TEXT UNIQUE,
    games TEXT NOT NULL, may_create INTEGER NOT NULL, created INTEGER NOT NULL, used INTEGER, online INTEGER
) WITHOUT ROWID;
CREATE INDEX bot_accounts_by_owner ON bot_accounts (owner_id);
CREATE TABLE user_links (
    link TEXT NOT NULL, user_id TEXT NOT NULL, kind TEXT NOT NULL, seen INTEGER NOT NULL, expires INTEGER NOT NULL,
    PRIMARY KEY (link, user_id)
) WITHOUT ROWID;
CREATE INDEX user_links_by_user ON user_links (user_id);
CREATE INDEX user_links_by_expiry ON user_links (expires);
ALTER TABLE rated_games ADD COLUMN refused TEXT;
CREATE TABLE quick_losses (
    table_id TEXT NOT NULL, loser TEXT NOT NULL, winner TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (loser, winner, table_id)
) WITHOUT ROWID;
CREATE TABLE restrictions (
    subject TEXT NOT NULL, kind TEXT NOT NULL, until INTEGER, reason TEXT NOT NULL, created INTEGER NOT NULL,
    PRIMARY KEY (subject, kind)
) WITHOUT ROWID;
CREATE TABLE audit_log (
    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, operator TEXT NOT NULL, act TEXT NOT NULL, target TEXT NOT NULL,
    details TEXT NOT NULL
);
CREATE TABLE announcements (
    id TEXT PRIMARY KEY, starts INTEGER NOT NULL, ends INTEGER NOT NULL, note TEXT NOT NULL, created INTEGER NOT NULL
) WITHOUT ROWID;
"""


def check_header(path: Path) -> None:
    """Raise WrongDatabase if the header of a file shows that another program or a newer release wrote it.

    The bytes are read without SQLite, which would change the file, or refuse it if its server was killed in a
    checkpoint: then some pages are newer than others until SQLite has read the WAL. The first page is always whole.
    """
    with open(path, "rb") as file:
        header = file.read(HEADER.size)
    if not header:
        return
    if len(header) < HEADER.size:
        raise WrongDatabase(f"{path} is not a database of Seven Hues")
    magic, version, application, page_type, cells = HEADER.unpack(header)
    if magic != b"SQLite format 3\0":
        raise WrongDatabase(f"{path} is not a database of Seven Hues")
    _check(application, version, page_type == LEAF_PAGE and cells == 0, path)


def check_version(db: sqlite3.Connection, path: Path) -> int:
    """Return a database's version; raise WrongDatabase if another program or a newer release wrote it."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    _check(application, version, empty, path)
    return int(version)


def _check(application: int, version: int, empty: bool, path: Path) -> None:
    if application != APPLICATION_ID and not empty:
        raise WrongDatabase(f"{path} is a database of another program")
    if version > len(STEPS):
        raise WrongDatabase(
            f"{path} was written by a newer release of Seven Hues (its version is {version}, this release supports "
            f"versions up to {len(STEPS)}): upgrade sevenhues, or give another --data"
        )


def upgrade(db: sqlite3.Connection, path: Path) -> None:
    """Bring a database to the newest version, each step in a transaction."""
    for number in range(check_version(db, path), len(STEPS)):
        db.execute("BEGIN IMMEDIATE")
        try:
            STEPS[number](db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {number + 1}")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def _version_1(db: sqlite3.Connection) -> None:
    _execute_script(db, VERSION_1)


def _version_2(db: sqlite3.Connection) -> None:
    """Add the users seated at each table, taken from the events."""
    _execute_script(db, VERSION_2)
    seated: dict[tuple[str, int], str | None] = {}
    for table_id, body in db.execute("SELECT table_id, body FROM events ORDER BY table_id, number").fetchall():
        event = json.loads(body)
        if event["kind"] in ("sat", "left"):
            seated[table_id, event["seat"]] = event.get("by")
    rows = {(table_id, user_id) for (table_id, _), user_id in seated.items() if user_id is not None}
    db.executemany("INSERT INTO persons (table_id, identity) VALUES (?, ?)", sorted(rows))


def _version_3(db: sqlite3.Connection) -> None:
    """Add whether a table needs a process to act; older tables are assumed to."""
    _execute_script(db, VERSION_3)


def _version_4(db: sqlite3.Connection) -> None:
    """Add analyses of finished games."""
    _execute_script(db, VERSION_4)


def _version_5(db: sqlite3.Connection) -> None:
    """Add ratings; `sevenhues rebuild-ratings` rates older games."""
    _execute_script(db, VERSION_5)


def _version_6(db: sqlite3.Connection) -> None:
    """Rename tables, columns and events.

    Stored analyses are deleted: the names in them changed too, and an analysis is computed again on request.
    """
    db.create_function("rename_event", 1, rename_event, deterministic=True)
    _execute_script(db, VERSION_6)


def _version_7(db: sqlite3.Connection) -> None:
    """Add the number of different opponents to ratings, and the player who was excused from a game."""
    _execute_script(db, VERSION_7)


def _version_8(db: sqlite3.Connection) -> None:
    """Add passkeys, recovery codes and holidays."""
    _execute_script(db, VERSION_8)


def _version_9(db: sqlite3.Connection) -> None:
    """Add notifications."""
    _execute_script(db, VERSION_9)


def _version_10(db: sqlite3.Connection) -> None:
    """Add bot accounts, links between users, games that do not count, and what operators do."""
    _execute_script(db, VERSION_10)


def _execute_script(db: sqlite3.Connection, script: str) -> None:
    """Execute statements inside the open transaction, which `executescript` would commit."""
    for statement in script.split(";"):
        if statement.strip():
            db.execute(statement)


STEPS = (
    _version_1,
    _version_2,
    _version_3,
    _version_4,
    _version_5,
    _version_6,
    _version_7,
    _version_8,
    _version_9,
    _version_10,
)
