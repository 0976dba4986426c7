"""Checks of files, of the machine and of the package."""

import fcntl
import os
import resource
import shutil
import stat
import time
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sevenhues import COMPILED, __version__
from sevenhues.server.doctor.diagnosis import Diagnosis
from sevenhues.server.doctor.findings import Finding, error, ok, skipped, warning
from sevenhues.server.settings import Settings
from sevenhues.server.store.backup import SUFFIXES
from sevenhues.server.store.backup_folder import BackupFolder, Sources

MB: Final = 1_000_000
MIN_FREE_BYTES: Final = 100 * MB  # below which a disk is as good as full
LOW_FREE_BYTES: Final = 1000 * MB
MIN_OPEN_FILES: Final = 1024
LOW_OPEN_FILES: Final = 8192
LATE_BACKUP: Final = 2  # intervals after which a backup is missing


def check_data(settings: Settings) -> Iterator[Finding]:
    """Check the data directory, and who can read its files."""
    data = settings.data
    if not data.is_dir():
        yield error("data", f"{data} is not a directory.", "Give the --data of the server, or start the server once.")
        return
    found = data.stat()
    if found.st_mode & stat.S_IWOTH:
        yield error("data", f"Everybody can write to {data}.", f"chmod 700 {data}")
    elif not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        yield error("data", f"This user cannot write to {data}.", f"Run the doctor as user {found.st_uid}.")
    elif os.geteuid() != found.st_uid:
        text = f"{data} belongs to user {found.st_uid}, and the doctor runs as user {os.geteuid()}."
        yield warning("data", text, "Run the doctor as the user of the server: it checks what that user may do.")
    else:
        yield ok("data", f"{data} is writable.")
    yield from _check_keys(settings, found.st_uid)
    if settings.database_url is None and settings.database.exists():
        yield _check_private("database", _existing(settings.database), found.st_uid)


def _check_keys(settings: Settings, owner: int) -> Iterator[Finding]:
    keys = [path for path in (settings.key_file, settings.push_key_file) if path.exists()]
    if settings.key_file not in keys:
        if settings.database_url is None and not settings.database.exists():
            yield skipped("keys", "The server has not been started yet.")
            return
        advice = "Restore it from a backup; without it all guests are signed out at the next start."
        yield error("keys", f"{settings.key_file} is missing.", advice)
        return
    yield _check_private("keys", keys, keys[0].stat().st_uid if settings.key_path else owner, group_is_error=True)


def _check_private(check: str, paths: list[Path], owner: int, group_is_error: bool = False) -> Finding:
    for path in paths:
        found = path.stat()
        if found.st_mode & stat.S_IRWXO:
            return error(check, f"Everybody on this machine can read {path}.", f"chmod 600 {path}")
        if found.st_mode & stat.S_IRWXG:
            make = error if group_is_error else warning
            return make(check, f"The group of {path} can read it.", f"chmod 600 {path}")
        if found.st_uid != owner:
            text = f"{path} belongs to user {found.st_uid}, its directory to user {owner}."
            return error(check, text, f"chown {owner} {path}")
    return ok(check, f"{', '.join(path.name for path in paths)}: only the owner can read.")


def _existing(database: Path) -> list[Path]:
    paths = [database.with_name(database.name + suffix) for suffix in ("", *SUFFIXES)]
    return [path for path in paths if path.exists()]


def check_disk(settings: Settings) -> Iterator[Finding]:
    """Check the free space for the database and for backups."""
    places = {"disk": settings.data, "backup disk": settings.backup_dir}
    size = sum(path.stat().st_size for path in _existing(settings.database))
    for check, folder in places.items():
        if folder is not None and folder.is_dir():
            yield judge_space(check, folder, shutil.disk_usage(folder).free, size)


def judge_space(check: str, folder: Path, free: int, database_size: int) -> Finding:
    """Judge the free space of a disk: there must be room for a backup, and for a database that grows."""
    text = f"{free // MB:,} MB are free in {folder}; the database has {database_size // MB:,} MB."
    advice = "Free space, or move the directory to a larger disk. On a full disk no move is stored."
    if free < max(MIN_FREE_BYTES, database_size):
        return error(check, text, advice)
    return warning(check, text, advice) if free < max(LOW_FREE_BYTES, 3 * database_size) else ok(check, text)


def check_backups(settings: Settings, diagnosis: Diagnosis | None) -> Iterator[Finding]:
    """Check that there is a backup, how old it is, and who can read it."""
    if settings.database_url is not None:
        return
    if settings.backup_dir is None:
        advice = "Start the server with --backup-dir, on another disk if possible."
        yield warning("backups", "The server writes no backups.", advice)
        return
    sources = Sources(settings.database, settings.key_file, settings.push_key_file)
    backups = BackupFolder(settings.backup_dir, sources).backups()
    advice = "Look for 'a backup failed' in the log of the server."
    if diagnosis is not None and diagnosis.backup_error is not None:
        yield error("backups", f"The last backup failed: {diagnosis.backup_error}", advice)
        return
    if not backups:
        yield error("backups", f"There is no complete backup of this database in {settings.backup_dir}.", advice)
        return
    age_seconds = time.time() - backups[-1].created_ms / 1000
    text = f"The newest of {len(backups)} backups is {age_seconds / 3600:.1f} hours old: {backups[-1].path}."
    if age_seconds > LATE_BACKUP * settings.backup_every_seconds:
        yield error("backups", text, advice)
    elif backups[-1].path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield error("backups", f"Others can read {backups[-1].path}.", f"chmod 700 {backups[-1].path}")
    else:
        same = settings.backup_dir.stat().st_dev == settings.data.stat().st_dev
        yield ok("backups", text + (" It is on the same disk as the database." if same else ""))


def data_is_locked(settings: Settings) -> bool:
    """Tell whether a server uses the data directory."""
    try:
        with open(settings.lock_file, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def check_machine(diagnosis: Diagnosis | None) -> Iterator[Finding]:
    """Check the limit of open files, the time zones and the build."""
    limit = diagnosis.max_open_files if diagnosis else resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if limit == resource.RLIM_INFINITY or limit >= LOW_OPEN_FILES:
        yield ok("open files", "The limit of open files is high enough.")
    else:
        make = error if limit < MIN_OPEN_FILES else warning
        text = f"The server may open {limit} files, and each connection is one."
        yield make("open files", text, "Raise the limit: LimitNOFILE=65536 in the systemd unit.")
    try:
        zoneinfo.ZoneInfo("Asia/Tokyo")
        yield ok("time zones", "Time zones are known.")
    except (zoneinfo.ZoneInfoNotFoundError, OSError):
        yield error("time zones", "There is no data of time zones, by which quiet hours are kept.", "Install tzdata.")
    compiled = diagnosis.compiled if diagnosis else COMPILED
    if diagnosis is not None and diagnosis.version != __version__:
        text = f"The server runs version {diagnosis.version}, and {__version__} is installed."
        yield warning("build", text, "Restart the server.")
    elif not compiled:
        text = "The package is not compiled: bots are weaker, because they search less in the same time."
        yield warning("build", text, "Install a wheel for this platform, or a C compiler before installing.")
    else:
        yield ok("build", f"Version {__version__}, compiled.")
