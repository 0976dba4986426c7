"""Analyses finished games, one at a time, in a worker process with low priority. Requesters take turns."""

import asyncio
import logging
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple

import msgspec

from sevenhues.analysis import VERSION, analyse
from sevenhues.core import record
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.log_format import configure_worker
from sevenhues.server.store import Store
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.state import Table
from sevenhues.workers import CONTEXT, worker_pool

MAX_ATTEMPTS: Final = 3  # of an analysis whose worker is killed
MAX_QUEUED: Final = 200
MAX_QUEUED_OF_ONE: Final = 30  # for one address
RETRY_AFTER_SECONDS: Final = 60  # suggested to clients while the queue is full
NICENESS: Final = 10
log = logging.getLogger("sevenhues")


class AnalysisStatus(NamedTuple):
    """The state of an analysis: not requested (`none`), so many plies analysed (`running`), or `done`."""

    state: Literal["none", "running", "done"]
    done: int = 0
    of: int = 0
    report: bytes | None = None  # JSON


class AnalysisWorker:
    """Queues analyses, runs them in a worker process, and reports their progress."""

    def __init__(self, store: Store, simulations: int) -> None:
        self._store = store
        self._simulations = simulations  # per decision; 0 for the default of the best level
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by table id
        self._queue = FairQueue(1)
        self._analysed_table: str | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._progress: Any = None

    async def status(self, table: Table) -> AnalysisStatus:
        """Return the analysis of a table, or its progress."""
        if table.result is None:
            raise Refused("not-over")
        report = await self._store.analysis(table.id, VERSION)
        if report is not None:
            return AnalysisStatus("done", report=report)
        if table.id not in self._tasks:
            return AnalysisStatus("none")
        done = self._progress[0] if self._analysed_table == table.id and self._progress is not None else 0
        return AnalysisStatus("running", done, table.ply + 1)

    async def start(self, table: Table, address: str) -> AnalysisStatus:
        """Queue the analysis of a table for an address, unless it is stored or queued already."""
        status = await self.status(table)
        if status.state != "none" or table.id in self._tasks:
            return status
        if len(self._tasks) >= MAX_QUEUED or self._queue.jobs_of(address) >= MAX_QUEUED_OF_ONE:
            raise Refused("too-many", seconds=RETRY_AFTER_SECONDS)
        self._tasks[table.id] = asyncio.create_task(self._analyse_and_store(table.id, table.record_text(), address))
        return AnalysisStatus("running", 0, table.ply + 1)

    async def close(self) -> None:
        """Cancel all analyses; they are not resumed."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._kill_worker()

    async def _analyse_and_store(self, table_id: str, record_text: str, address: str) -> None:
        try:
            async with self._queue.turn(address):
                report = await self._analyse(table_id, record_text)
            if report is not None:
                await self._store.save_analysis(table_id, VERSION, report)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("the analysis of a game failed", extra={"table": table_id})
        finally:
            self._tasks.pop(table_id, None)

    async def _analyse(self, table_id: str, record_text: str) -> bytes | None:
        """Run an analysis in the worker; if the worker dies, start again in a new one."""
        loop = asyncio.get_running_loop()
        self._analysed_table = table_id
        try:
            for _ in range(MAX_ATTEMPTS):
                pool = self._worker()
                self._progress[0] = 0
                try:
                    return await loop.run_in_executor(pool, _run_analysis, record_text, self._simulations)
                except BrokenProcessPool:
                    log.warning("the analysis worker died", extra={"table": table_id})
                    self._kill_worker()
            log.error("the analysis of a game failed in %d workers", MAX_ATTEMPTS, extra={"table": table_id})
            return None
        finally:
            self._analysed_table = None

    def _worker(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._progress = CONTEXT.Array("i", 1, lock=False)
            self._pool = worker_pool(1, _initialize, self._progress)
        return self._pool

    def _kill_worker(self) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:  # a running analysis would delay the end of the process
            with suppress(ProcessLookupError, ValueError):
                worker.kill()


_worker_progress: Any = None  # in the worker: shared memory for the number of analysed plies


def _initialize(progress: Any) -> None:
    """Prepare the worker."""
    global _worker_progress
    configure_worker()
    with suppress(AttributeError, OSError):  # not every system has priorities
        os.nice(NICENESS)
    _worker_progress = progress


def _run_analysis(record_text: str, simulations: int) -> bytes:
    """Analyse a record as `sevenhues analyse` does, without names. Runs in the worker."""

    def progress(done: int, of: int) -> None:
        _worker_progress[0] = done

    report = analyse(record.read(record_text), simulations=simulations, progress=progress)
    del report["names"]  # a stored name would outlive its user
    return msgspec.json.encode(report)
