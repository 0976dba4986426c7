"""Copies of an SQLite database: taken while it is in use, and brought back."""

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sevenhues.server.store import StoreFailed, WrongDatabase
from sevenhues.server.store.migrations import OURS
from sevenhues.server.store.sqlite import open_database

if TYPE_CHECKING:
    from sevenhues.server.store.postgres import PostgresStore


def backup(database: Path, file: Path) -> int:
    """Copy a database as it is at this moment; return how many tables it holds."""
    if not database.exists():
        raise StoreFailed(f"there is no database at {database}")
    new = file.with_name(file.name + ".new")
    new.unlink(missing_ok=True)
    try:
        source = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        target = sqlite3.connect(new)
        with source, target:
            source.backup(target)
        count = _checked(target, new)
        target.close()
        source.close()
    except sqlite3.Error as error:
        new.unlink(missing_ok=True)
        raise StoreFailed(f"cannot copy {database} to {file}: {error}") from None
    os.replace(new, file)
    return count


def restore(file: Path, database: Path) -> tuple[int, Path | None]:
    """Put a backup in the place of a database; return its tables, and where the old one is kept."""
    source = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        count = _checked(source, file)
        database.parent.mkdir(parents=True, exist_ok=True)
        new = database.with_name(database.name + ".new")
        new.unlink(missing_ok=True)
        target = sqlite3.connect(new)
        with target:
            source.backup(target)
        target.close()
    except sqlite3.Error as error:
        raise WrongDatabase(f"{file} is no backup of Seven Hues: {error}") from None
    finally:
        source.close()
    # A newer release's backup is refused before anything is replaced.
    open_database(new).close()
    kept = None
    if database.exists():
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        kept = database.with_name(f"{database.name}.before-{stamp}")
        backup(database, kept)
    for leftover in ("-wal", "-shm"):
        database.with_name(database.name + leftover).unlink(missing_ok=True)
        new.with_name(new.name + leftover).unlink(missing_ok=True)
    os.replace(new, database)
    return count, kept


async def move(database: Path, store: "PostgresStore") -> tuple[int, int]:
    """Copy everything into an empty PostgreSQL database and compare it there; return how many tables and events."""
    if not database.exists():
        raise StoreFailed(f"there is no database at {database}")
    db = open_database(database)
    await store.open()
    try:
        rows = {
            name: db.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall() for name, columns in ALL.items()
        }
        await store.fill(rows, ALL)
        found = await store.everything(ALL)
        for name, copied in rows.items():
            if set(copied) != set(found[name]) or len(copied) != len(found[name]):
                raise StoreFailed(f"what arrived in {name} is not what was sent: the database is left as it is")
        return len(rows["tables"]), len(rows["events"])
    finally:
        await store.close()
        db.close()


ALL = {
    "tables": ("id", "game", "status", "public", "owner", "created", "updated", "attended"),
    "events": ("table_id", "number", "at", "body"),
    "persons": ("table_id", "identity"),
    "identities": ("id", "name", "created", "deleted"),
    "carries": ("digest", "identity", "expires"),
}


def _checked(db: sqlite3.Connection, path: Path) -> int:
    """Count the tables of a sound database of ours."""
    if db.execute("PRAGMA application_id").fetchone()[0] != OURS:
        raise WrongDatabase(f"{path} is no database of Seven Hues")
    problems = db.execute("PRAGMA integrity_check").fetchone()[0]
    if problems != "ok":
        raise WrongDatabase(f"{path} is damaged: {problems}")
    count: int = db.execute("SELECT count(*) FROM tables").fetchone()[0]
    return count
