"""Copies of an SQLite database: taken while it is in use, and brought back."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sevenhues.server.store import StoreFailed, WrongDatabase
from sevenhues.server.store.migrations import OURS
from sevenhues.server.store.sqlite import open_database, touch

LEFTOVERS = ("-wal", "-shm")  # what SQLite keeps beside a database

if TYPE_CHECKING:
    from sevenhues.server.store.postgres import PostgresStore


def backup(database: Path, file: Path) -> int:
    """Copy a database as it is at this moment; return how many tables it holds."""
    if not database.exists():
        raise StoreFailed(f"there is no database at {database}")
    if file.exists() and file.samefile(database):
        raise StoreFailed(f"{file} is the database itself: give the copy another name")
    new = file.with_name(file.name + ".new")
    try:
        count = _copy(database, new)
        os.replace(new, file)
    except sqlite3.Error as error:
        raise StoreFailed(f"cannot copy {database} to {file}: {error}") from None
    finally:
        _remove(new)
    return count


def restore(file: Path, database: Path) -> tuple[int, Path | None]:
    """Put a backup in the place of a database; return its tables, and where the old one is kept."""
    if database.exists() and file.samefile(database):
        raise StoreFailed(f"{file} is the database itself, and no copy of it")
    database.parent.mkdir(parents=True, exist_ok=True)
    new = database.with_name(database.name + ".new")
    try:
        count = _copy(file, new)
        # A newer release's backup is refused before anything is replaced.
        open_database(new).close()
        kept = _keep(database) if database.exists() else None
        for leftover in LEFTOVERS:
            database.with_name(database.name + leftover).unlink(missing_ok=True)
        os.replace(new, database)
    except sqlite3.Error as error:
        raise WrongDatabase(f"{file} is no backup of Seven Hues: {error}") from None
    finally:
        _remove(new)
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
    "stories": ("table_id", "version", "body"),
    "ratings": ("game", "player", "identity", "mu", "sigma", "games"),
    "rated": ("table_id", "game", "at"),
    "changes": ("table_id", "seat", "game", "player", "at", "place", "was", "became"),
}


def _keep(database: Path) -> Path:
    """Copy what is about to be replaced: soundly, or, where it is damaged, file by file as it is."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    kept = database.with_name(f"{database.name}.before-{stamp}")
    try:
        backup(database, kept)
    except (StoreFailed, WrongDatabase):
        for part in ("", *LEFTOVERS):
            if database.with_name(database.name + part).exists():
                shutil.copy2(database.with_name(database.name + part), kept.with_name(kept.name + part))
    return kept


def _copy(file: Path, new: Path) -> int:
    """Copy a sound database of ours to a new file that only the owner reads; return how many tables it holds."""
    _remove(new)
    touch(new)
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source:
        _checked(source, file)
        with closing(sqlite3.connect(new, isolation_level=None)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # so that a copy is one file, whoever reads it
            return _checked(target, new)


def _remove(new: Path) -> None:
    for part in ("", *LEFTOVERS):
        new.with_name(new.name + part).unlink(missing_ok=True)


def _checked(db: sqlite3.Connection, path: Path) -> int:
    """Count the tables of a sound database of ours."""
    if db.execute("PRAGMA application_id").fetchone()[0] != OURS:
        raise WrongDatabase(f"{path} is no database of Seven Hues")
    problems = db.execute("PRAGMA integrity_check").fetchone()[0]
    if problems != "ok":
        raise WrongDatabase(f"{path} is damaged: {problems}")
    count: int = db.execute("SELECT count(*) FROM tables").fetchone()[0]
    return count
