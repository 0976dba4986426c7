"""Checks of the database and of Redis."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.doctor.findings import Finding, error, ok, skipped, warning
from sevenhues.server.settings import Settings
from sevenhues.server.store import WrongDatabase
from sevenhues.server.store.migrations import STEPS, check_header, check_version

TIMEOUT_SECONDS: Final = 10.0
CHANNEL: Final = "sevenhues-doctor"
MAX_FUTURE_SECONDS: Final = 60.0  # of the newest event
SLOW_CLOCK_SECONDS: Final = 5.0
WRONG_CLOCK_SECONDS: Final = 60.0
KEEP_TIME = "Synchronize the clocks by NTP, for example with systemd-timesyncd."
NEWEST = "SELECT max(updated) FROM tables"


def check_store(settings: Settings) -> Iterator[Finding]:
    """Check that the database can be used, and that its times agree with the clock."""
    if settings.database_url is None:
        yield from _check_sqlite(settings)
    else:
        yield from asyncio.run(_check_postgres(settings.database_url))


def _check_sqlite(settings: Settings) -> Iterator[Finding]:
    path = settings.database
    if not path.exists():
        yield skipped("store", f"There is no database at {path} yet.")
        return
    if os.geteuid() != path.stat().st_uid:
        # SQLite creates files beside a database, which the server could not open.
        yield skipped("store", f"{path} belongs to another user.")
        return
    try:
        check_header(path)
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            version = check_version(db, path)
            # Not quick_check: SQLite 3.40 finds NULL values that are not there in tables without rowids.
            problem = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            newest_ms = db.execute(NEWEST).fetchone()[0]
    except WrongDatabase as wrong:
        yield error("store", f"{wrong}.", "Restore a backup, or install the release that wrote it.")
        return
    except sqlite3.Error as failed:
        yield error("store", f"{path} cannot be read: {failed}.", "Stop the server and restore a backup.")
        return
    if problem != "ok":
        yield error("store", f"{path} is damaged: {problem}.", "Stop the server and restore a backup.")
    elif not os.access(path, os.W_OK):
        yield error("store", f"{path} cannot be written.", f"chmod 600 {path}")
    else:
        yield ok("store", f"The SQLite database is sound ({_version(version, len(STEPS))}).")
    yield judge_newest_event(newest_ms)


def _version(version: int, newest: int) -> str:
    return f"version {version}" + (f"; it becomes {newest} at the next start" if version < newest else "")


async def _check_postgres(url: str) -> list[Finding]:
    try:
        import asyncpg

        from sevenhues.server.store.postgres_lock import SERVER_LOCK
        from sevenhues.server.store.postgres_migrations import STEPS as POSTGRES_STEPS
    except ImportError:
        return [error("store", "The packages for PostgreSQL are missing.", "pip install 'sevenhues[scale]'")]
    try:
        db: Any = await asyncpg.connect(url, timeout=TIMEOUT_SECONDS, command_timeout=TIMEOUT_SECONDS)
    except (OSError, ValueError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as failed:
        reason = str(failed) or type(failed).__name__
        return [error("store", f"PostgreSQL cannot be reached: {reason}.", "Check --database-url and the database.")]
    try:
        if await db.fetchval("SELECT to_regclass('sevenhues_version')") is None:
            return [skipped("store", "The database is empty; the server has not been started yet.")]
        version = await db.fetchval("SELECT version FROM sevenhues_version")
        read_only = await db.fetchval("SELECT current_setting('transaction_read_only') = 'on'")
        newest_ms = await db.fetchval(NEWEST)
        before = time.time()
        now = float(await db.fetchval("SELECT extract(epoch FROM clock_timestamp())"))
        servers = await db.fetchval(
            "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
            " WHERE locktype = 'advisory' AND objid = $1 AND granted AND datname = current_database()",
            SERVER_LOCK,
        )
        archive = await db.fetchrow(
            "SELECT current_setting('archive_mode') <> 'off', last_failed_wal IS NOT NULL"
            " AND last_failed_time > coalesce(last_archived_time, '-infinity') FROM pg_stat_archiver"
        )
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as failed:
        return [error("store", f"PostgreSQL failed: {failed}.", "Look into the log of PostgreSQL.")]
    finally:
        await db.close(timeout=TIMEOUT_SECONDS)
    newest = len(POSTGRES_STEPS)
    if version > newest:
        text = f"A newer release wrote the database (version {version}, this release knows {newest})."
        findings = [error("store", text, "Install that release.")]
    elif read_only:
        findings = [error("store", "PostgreSQL accepts no writes.", "It may be a standby: use the primary server.")]
    else:
        findings = [ok("store", f"PostgreSQL is used by {servers} processes ({_version(version, newest)}).")]
    findings.append(judge_clock("the database", now - (before + time.time()) / 2))
    findings.append(judge_newest_event(newest_ms))
    archives, failed_last = archive
    if not archives:
        advice = "Set archive_mode and archive_command, and take base backups: see docs/deploying.md."
        findings.append(warning("backups", "PostgreSQL archives no WAL, so nothing can be restored from it.", advice))
    elif failed_last:
        findings.append(
            error("backups", "PostgreSQL could not archive its last WAL file.", "Look into the log of PostgreSQL.")
        )
    else:
        findings.append(ok("backups", "PostgreSQL archives its WAL."))
    return findings


def check_bus(settings: Settings) -> Iterator[Finding]:
    """Check that Redis answers, and lets this user publish."""
    if settings.redis_url is None:
        return
    try:
        import redis
    except ImportError:
        yield error("bus", "The package for Redis is missing.", "pip install 'sevenhues[scale]'")
        return
    try:
        with closing(
            redis.Redis.from_url(
                settings.redis_url, socket_connect_timeout=TIMEOUT_SECONDS, socket_timeout=TIMEOUT_SECONDS
            )
        ) as client:
            client.ping()
            client.publish(CHANNEL, b"")
    except (redis.RedisError, OSError, ValueError, SevenHuesError) as failed:
        yield error("bus", f"Redis cannot be used: {failed}.", "Check --redis-url and Redis.")
        return
    yield ok("bus", "Redis answers.")


def judge_clock(whose: str, difference_seconds: float) -> Finding:
    """Judge by how much a clock is ahead of this machine's."""
    text = f"The clock of {whose} differs by {abs(difference_seconds):.1f} s from this machine's."
    if abs(difference_seconds) > WRONG_CLOCK_SECONDS:
        return error("clock", text, KEEP_TIME)
    if abs(difference_seconds) > SLOW_CLOCK_SECONDS:
        return warning("clock", text, KEEP_TIME)
    return ok("clock", f"The clock agrees with that of {whose}.")


def judge_newest_event(newest_ms: int | None) -> Finding:
    """Judge the time of the newest event: if it is to come, the clock has been set back."""
    ahead_seconds = (newest_ms or 0) / 1000 - time.time()
    if ahead_seconds > MAX_FUTURE_SECONDS:
        text = f"The newest event was stored {ahead_seconds / 60:.0f} minutes from now: the clock was set back."
        return error("clock", text, KEEP_TIME)
    return ok("clock", "No event is later than this machine's clock.")
