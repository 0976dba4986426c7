"""The versions of the SQLite database: each step makes the next one of it, filling in what it adds from the log."""

import json
import sqlite3
from pathlib import Path

from sevenhues.server.store import WrongDatabase

OURS = 0x53484855  # "SHHU", in the file's header
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


def check(db: sqlite3.Connection, path: Path) -> int:
    """Return a database's version; refuse what is not ours, and what a newer release wrote."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if application != OURS and not empty:
        raise WrongDatabase(f"{path} is a database of another program")
    if version > len(STEPS):
        raise WrongDatabase(
            f"{path} was written by a newer release of Seven Hues (its version is {version}, this release knows "
            f"up to {len(STEPS)}): upgrade sevenhues, or give another --data"
        )
    return int(version)


def upgrade(db: sqlite3.Connection, path: Path) -> None:
    """Bring a database to the newest version."""
    for number in range(check(db, path), len(STEPS)):
        db.execute("BEGIN IMMEDIATE")
        try:
            STEPS[number](db)
            db.execute(f"PRAGMA application_id = {OURS}")
            db.execute(f"PRAGMA user_version = {number + 1}")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def _version_1(db: sqlite3.Connection) -> None:
    _run(db, VERSION_1)


def _version_2(db: sqlite3.Connection) -> None:
    """Who sits where, so that a person's tables can be listed."""
    _run(db, VERSION_2)
    seated: dict[tuple[str, int], str | None] = {}
    for table, body in db.execute("SELECT table_id, body FROM events ORDER BY table_id, number").fetchall():
        event = json.loads(body)
        if event["kind"] in ("sat", "left"):
            seated[table, event["seat"]] = event.get("by")
    rows = {(table, by) for (table, _), by in seated.items() if by is not None}
    db.executemany("INSERT INTO persons (table_id, identity) VALUES (?, ?)", sorted(rows))


def _version_3(db: sqlite3.Connection) -> None:
    """At which tables something may happen by itself; of older ones we do not know."""
    _run(db, VERSION_3)


def _version_4(db: sqlite3.Connection) -> None:
    """The stories of finished games, as far as somebody asked for them."""
    _run(db, VERSION_4)


def _version_5(db: sqlite3.Connection) -> None:
    """Ratings; older games are counted by `sevenhues rerate`."""
    _run(db, VERSION_5)


def _run(db: sqlite3.Connection, script: str) -> None:
    """Run statements inside the transaction that is open (executescript would commit it)."""
    for statement in script.split(";"):
        if statement.strip():
            db.execute(statement)


STEPS = (_version_1, _version_2, _version_3, _version_4, _version_5)
