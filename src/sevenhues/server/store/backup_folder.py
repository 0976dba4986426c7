"""A folder of scheduled backups. Each backup is a folder of its own with the database, the keys and a manifest.

The folder may hold other files and backups of other servers: only what a manifest of this database lists is deleted,
and nothing behind a link.
"""

import os
import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sevenhues.server.store import WrongDatabase
from sevenhues.server.store import backup as database_backup

MANIFEST: Final = "backup.json"
DATABASE: Final = "sevenhues.db"
SIGNING_KEYS: Final = "signing.keys"
PUSH_KEY: Final = "push.key"
NAME: Final = re.compile(r"sevenhues-\d{8}T\d{6}Z")
NEW: Final = re.compile(r"\.sevenhues-\d{8}T\d{6}Z\.new")  # a backup that is being written, or was interrupted
WRITTEN: Final = (DATABASE, f"{DATABASE}.new", SIGNING_KEYS, PUSH_KEY, MANIFEST)


class Manifest(msgspec.Struct):
    """The content of a backup. It is written last, so a backup with a manifest is complete."""

    database: str  # the path of the database that was copied
    created_ms: int
    tables: int
    files: dict[str, int]  # names and sizes in bytes, without the manifest


class Backup(NamedTuple):
    """A complete backup."""

    path: Path
    manifest: Manifest

    @property
    def created_ms(self) -> int:
        return self.manifest.created_ms


class Sources(NamedTuple):
    """The files of a server that are backed up. Without its keys, guests lose their seats."""

    database: Path
    signing_keys: Path
    push_key: Path

    @property
    def keys(self) -> dict[str, Path]:
        """Return the keys by their names in a backup."""
        return {SIGNING_KEYS: self.signing_keys, PUSH_KEY: self.push_key}


class BackupFolder:
    """The backups of one server."""

    def __init__(self, folder: Path, sources: Sources) -> None:
        self.path = folder
        self._sources = sources

    def backups(self) -> list[Backup]:
        """Return the complete backups of this server's database, the oldest first."""
        own = str(self._sources.database.absolute())
        listed = sorted(self.path.iterdir()) if self.path.is_dir() else []
        folders = [path for path in listed if NAME.fullmatch(path.name) and not path.is_symlink()]
        complete = [backup for path in folders if (backup := read_backup(path))]
        return sorted(
            (backup for backup in complete if backup.manifest.database == own), key=lambda one: one.created_ms
        )

    def write(self, stop: threading.Event | None = None) -> Backup:
        """Back up the database and the keys; raise StoreFailed or OSError if that is impossible or was stopped."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for interrupted in self.path.iterdir():
            if NEW.fullmatch(interrupted.name) and not interrupted.is_symlink():
                _delete(interrupted, WRITTEN)
        now = datetime.now(UTC)
        path = self._unused_path(now)
        new = self.path / f".{path.name}.new"
        new.mkdir(mode=0o700)
        try:
            tables = database_backup.backup(self._sources.database, new / DATABASE, stop)
            for name, source in self._sources.keys.items():
                if source.exists():
                    _write_private(new / name, source.read_bytes())
            files = {each.name: each.stat().st_size for each in sorted(new.iterdir())}
            created_ms = int(now.timestamp() * 1000)
            manifest = Manifest(str(self._sources.database.absolute()), created_ms, tables, files)
            _write_private(new / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
            _synchronize(new / DATABASE)
            _synchronize(new)
            new.rename(path)
            _synchronize(self.path)
        except BaseException:
            _delete(new, WRITTEN)
            raise
        return Backup(path, manifest)

    def rotate(self, keep: int) -> list[Path]:
        """Delete all but the newest backups and the one that was written last; return what was deleted."""
        backups = self.backups()
        written_last = max(backups, key=lambda one: one.path.stat().st_mtime_ns, default=None)
        old = [one for one in backups[: max(0, len(backups) - max(1, keep))] if one != written_last]
        return [one.path for one in old if _delete(one.path, (MANIFEST, *one.manifest.files))]

    def _unused_path(self, at: datetime) -> Path:
        while (path := self.path / f"sevenhues-{at:%Y%m%dT%H%M%SZ}").exists():
            at += timedelta(seconds=1)
        return path


def read_backup(path: Path) -> Backup | None:
    """Return the backup in a folder; None if it is not complete."""
    try:
        manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=Manifest)
        complete = DATABASE in manifest.files and all(
            "/" not in name and (path / name).stat().st_size == size for name, size in manifest.files.items()
        )
    except (OSError, msgspec.DecodeError):
        return None
    return Backup(path, manifest) if complete else None


def restore_backup(path: Path, sources: Sources, replace_keys: bool) -> tuple[int, Path | None, list[Path]]:
    """Restore the database and missing keys from a backup.

    Return the number of tables, the copy of the replaced database, and the keys that differ from those of the backup
    and were kept.
    """
    backup = read_backup(path)
    if backup is None:
        raise WrongDatabase(f"{path} is not a complete backup of Seven Hues: its {MANIFEST} does not fit its files")
    count, replaced = database_backup.restore(path / DATABASE, sources.database)
    kept = []
    for name, target in sources.keys.items():
        if name not in backup.manifest.files:
            continue
        saved = (path / name).read_bytes()
        if not target.exists() or replace_keys:
            target.parent.mkdir(parents=True, exist_ok=True)
            _write_private(target, saved)
        elif target.read_bytes() != saved:
            kept.append(target)
    return count, replaced, kept


def _write_private(path: Path, data: bytes) -> None:
    """Replace a file by one that only its owner can read."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def _synchronize(path: Path) -> None:
    """Wait until a file or the entries of a folder are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _delete(path: Path, names: tuple[str, ...]) -> bool:
    """Delete these files of a folder, and the folder if nothing else is in it; tell whether it is gone.

    The manifest goes first, so that a deletion that is interrupted leaves no backup that seems complete.
    """
    for name in (MANIFEST, *names):
        (path / name).unlink(missing_ok=True)
    try:
        path.rmdir()
    except OSError:
        return False
    return True
