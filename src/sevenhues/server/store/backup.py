"""Backups of an SQLite database, and copies of it in PostgreSQL."""

import os
import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from sevenhues.server.query_steps import Rows
from sevenhues.server.store import StoreFailed, WrongDatabase
from sevenhues.server.store.migrations import APPLICATION_ID
from sevenhues.server.store.sqlite import create_private_file, open_database

SUFFIXES = ("-wal", "-shm")  # of the files that SQLite keeps beside a database
PAGES_AT_ONCE = 1024  # that are copied before a look whether the copy is to be given up
COLUMNS = {
    "tables": ("id", "game", "status", "public", "owner_id", "created", "updated", "needs_owner"),
    "events": ("table_id", "number", "at", "body"),
    "seated_users": ("table_id", "user_id"),
    "users": ("id", "name", "created", "deleted"),
    "transfer_codes": ("digest", "user_id", "expires"),
    "passkeys": ("id", "user_id", "name", "origin", "public_key", "sign_count", "created", "used"),
    "recovery_codes": ("user_id", "digest", "created"),
    "vacations": ("user_id", "number", "started", "until", "days"),
    "notification_settings": ("user_id", "kinds", "quiet_from", "quiet_until", "time_zone"),
    "notification_channels": (
        "id",
        "user_id",
        "kind",
        "address",
        "language",
        "p256dh",
        "auth",
        "token",
        "confirmed",
        "created",
    ),
    "outbox": ("table_id", "user_id", "kind", "channel_id", "number", "at", "due", "attempts", "holder"),
    "bot_accounts": (
        "user_id",
        "player",
        "owner_id",
        "token_digest",
        "games",
        "may_create",
        "created",
        "used",
        "online",
    ),
    "user_links": ("link", "user_id", "kind", "seen", "expires"),
    "restrictions": ("subject", "kind", "until", "reason", "created"),
    "audit_log": ("number", "at", "operator", "act", "target", "details"),
    "announcements": ("id", "starts", "ends", "note", "created"),
    "analyses": ("table_id", "version", "body"),
    "ratings": ("game", "player", "user_id", "mu", "sigma", "games", "opponents"),
    "rated_games": ("table_id", "game", "at", "excused", "refused"),
    "quick_losses": ("table_id", "loser", "winner", "at"),
    "rating_changes": ("table_id", "seat", "game", "player", "at", "place", "rating_before", "rating_after"),
}


class CopyTarget(Protocol):
    """A store into which the rows of an SQLite database can be copied."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def import_rows(self, rows: dict[str, Rows], columns: dict[str, tuple[str, ...]]) -> None: ...

    async def export_rows(self, columns: dict[str, tuple[str, ...]]) -> dict[str, Rows]: ...


def backup(database: Path, file: Path, stop: threading.Event | None = None) -> int:
    """Copy a database, which may be in use; return the number of its tables. Give up when `stop` is set."""
    if not database.exists():
        raise StoreFailed(f"there is no database at {database}")
    if file.exists() and file.samefile(database):
        raise StoreFailed(f"{file} is the database itself: give the backup another name")
    new = file.with_name(file.name + ".new")
    try:
        count = _copy(database, new, stop)
        os.replace(new, file)
    except sqlite3.Error as error:
        raise StoreFailed(f"cannot copy {database} to {file}: {error}") from None
    finally:
        _remove(new)
    return count


def restore(file: Path, database: Path) -> tuple[int, Path | None]:
    """Replace a database by a backup; return the number of its tables and the copy of the replaced database."""
    if database.exists() and file.samefile(database):
        raise StoreFailed(f"{file} is the database itself, not a backup of it")
    database.parent.mkdir(parents=True, exist_ok=True)
    new = database.with_name(database.name + ".new")
    try:
        count = _copy(file, new)
        # A backup of a newer release is refused before the database is replaced.
        open_database(new).close()
        replaced = _copy_replaced(database) if database.exists() else None
        for suffix in SUFFIXES:
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        os.replace(new, database)
    except sqlite3.Error as error:
        raise WrongDatabase(f"{file} is not a backup of Seven Hues: {error}") from None
    finally:
        _remove(new)
    return count, replaced


async def copy_to_postgres(database: Path, store: CopyTarget) -> tuple[int, int]:
    """Copy a database into an empty PostgreSQL database and compare every row; return its tables and events."""
    if not database.exists():
        raise StoreFailed(f"there is no database at {database}")
    db = open_database(database)
    await store.open()
    try:
        rows: dict[str, Rows] = {
            name: db.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall() for name, columns in COLUMNS.items()
        }
        await store.import_rows(rows, COLUMNS)
        copied = await store.export_rows(COLUMNS)
        for name, sent in rows.items():
            if set(sent) != set(copied[name]) or len(sent) != len(copied[name]):
                raise StoreFailed(f"the rows of {name} differ from those of {database} after copying")
        return len(rows["tables"]), len(rows["events"])
    finally:
        await store.close()
        db.close()


def _copy_replaced(database: Path) -> Path:
    """Copy a database that is about to be replaced; if it is damaged, copy its files as they are."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    copy = database.with_name(f"{database.name}.before-{stamp}")
    try:
        backup(database, copy)
    except (StoreFailed, WrongDatabase):
        for suffix in ("", *SUFFIXES):
            if database.with_name(database.name + suffix).exists():
                shutil.copy2(database.with_name(database.name + suffix), copy.with_name(copy.name + suffix))
    return copy


def _copy(file: Path, new: Path, stop: threading.Event | None = None) -> int:
    """Check a database and copy it to a new private file; return the number of its tables."""

    def check_stop(*_: int) -> None:
        if stop is not None and stop.is_set():
            raise StoreFailed(f"the copy of {file} was given up: the server stops")

    _remove(new)
    create_private_file(new)
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source:
        # All pages are of the moment at which this transaction begins, also if the database is written meanwhile.
        source.execute("BEGIN")
        _check_and_count(source, file)
        check_stop()
        with closing(sqlite3.connect(new, isolation_level=None)) as target:
            source.backup(target, pages=PAGES_AT_ONCE, progress=check_stop)
            target.execute("PRAGMA journal_mode = DELETE")  # so that the copy is a single file
            return _check_and_count(target, new)


def _remove(new: Path) -> None:
    for suffix in ("", *SUFFIXES):
        new.with_name(new.name + suffix).unlink(missing_ok=True)


def _check_and_count(db: sqlite3.Connection, path: Path) -> int:
    """Raise WrongDatabase unless this is a sound database of Seven Hues; return the number of its tables."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise WrongDatabase(f"{path} is not a database of Seven Hues")
    problems = db.execute("PRAGMA integrity_check").fetchone()[0]
    if problems != "ok":
        raise WrongDatabase(f"{path} is damaged: {problems}")
    count: int = db.execute("SELECT count(*) FROM tables").fetchone()[0]
    return count
