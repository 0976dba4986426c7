"""Backs up the database at intervals, in a thread beside the event loop."""

import asyncio
import logging
import threading
import time
from contextlib import suppress
from typing import Final

from sevenhues.server.metrics import Metrics
from sevenhues.server.store import StoreFailed, WrongDatabase
from sevenhues.server.store.backup_folder import Backup, BackupFolder

MAX_RETRY_SECONDS: Final = 300.0  # after a backup that failed
log = logging.getLogger("sevenhues")


class BackupSchedule:
    """Writes a backup when the newest one is old enough, also one of an earlier process, and deletes old ones."""

    def __init__(self, folder: BackupFolder, every_seconds: float, keep: int, metrics: Metrics) -> None:
        self._folder = folder
        self._every_seconds = every_seconds
        self._keep = keep
        self._metrics = metrics
        self._stop = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self.error: str | None = None  # why the last backup failed; None if it succeeded

    async def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; a backup that is being written is given up."""
        self._stop.set()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        seconds = await asyncio.to_thread(self._seconds_until_due)
        while True:
            await asyncio.sleep(seconds)
            # The thread must end before the process does, also if this task is cancelled meanwhile.
            thread = asyncio.ensure_future(asyncio.to_thread(self._back_up))
            try:
                seconds = await asyncio.shield(thread)
            finally:
                await asyncio.wait([thread])

    def _seconds_until_due(self) -> float:
        newest: Backup | None = None
        with suppress(OSError):
            newest = next(reversed(self._folder.backups()), None)
        if newest is None:
            return 0.0
        self._metrics.set_last_backup(newest.created_ms / 1000)
        age_seconds = time.time() - newest.created_ms / 1000
        return min(self._every_seconds, max(0.0, self._every_seconds - age_seconds))

    def _back_up(self) -> float:
        """Write a backup and delete old ones; return the seconds until the next attempt."""
        began = time.monotonic()
        try:
            written = self._folder.write(self._stop)
        except (StoreFailed, WrongDatabase, OSError) as error:
            if self._stop.is_set():
                return 0.0
            self.error = str(error)
            self._metrics.count_backup("failed")
            log.error("a backup failed and is tried again: %s", error)
            return min(MAX_RETRY_SECONDS, self._every_seconds)
        self.error = None
        self._metrics.count_backup("written")
        self._metrics.set_last_backup(written.created_ms / 1000)
        duration_ms = round((time.monotonic() - began) * 1000)
        log.info("wrote a backup", extra={"backup": written.path.name, "duration_ms": duration_ms})
        try:
            for path in self._folder.rotate(self._keep):
                log.info("deleted an old backup", extra={"backup": path.name})
        except OSError as error:
            log.error("old backups could not be deleted: %s", error)
        return self._every_seconds
