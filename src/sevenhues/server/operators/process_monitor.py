"""The load of this process: connections, tables, searches, and the delays of its event loop and its store.

With other processes, each publishes its report on the bus every two seconds.
"""

import asyncio
import contextlib
import os
import resource
import socket
import sys
from collections import deque
from collections.abc import Callable
from time import monotonic

from sevenhues import __version__
from sevenhues.server.cluster.process_reports import LoggedProblem, ProcessReport
from sevenhues.server.log_format import RECENT_PROBLEMS

SAMPLE_SECONDS = 0.5  # between measurements of the event loop's delay
SAMPLES = 20  # of which the longest delay is reported
SAMPLES_PER_REPORT = 4
BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss


class ProcessMonitor:
    """Measures this process, and publishes its reports."""

    def __init__(self, now: Callable[[], int], counts: Callable[[], tuple[int, int, int]]) -> None:
        self.store_seconds: Callable[[], float] = lambda: 0.0
        self.publish: Callable[[ProcessReport], None] = lambda report: None
        self._now = now
        self._counts = counts  # of connections, tables in memory, and searches that wait or run
        self._started = now()
        self._delays: deque[float] = deque([0.0], SAMPLES)
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def report(self) -> ProcessReport:
        """Describe this process now."""
        connections, tables, searches = self._counts()
        problems = [LoggedProblem(one.at, one.level, one.text) for one in RECENT_PROBLEMS.latest()]
        return ProcessReport(
            host=socket.gethostname(),
            pid=os.getpid(),
            version=__version__,
            started=self._started,
            at=self._now(),
            connections=connections,
            tables=tables,
            searches=searches,
            loop_delay_ms=round(max(self._delays) * 1000, 1),
            store_ms=round(self.store_seconds() * 1000, 1),
            memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_UNIT // 2**20,
            problems=problems,
        )

    async def _run(self) -> None:
        sample = 0
        while True:
            began = monotonic()
            await asyncio.sleep(SAMPLE_SECONDS)
            self._delays.append(max(0.0, monotonic() - began - SAMPLE_SECONDS))
            sample += 1
            if sample % SAMPLES_PER_REPORT == 0:
                self.publish(self.report())
