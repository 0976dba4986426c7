"""Analyses of finished games, a decision at a time, while no game is being played in this tab."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec

from sevenhues import bots
from sevenhues.analysis import VERSION, analyse_in_steps
from sevenhues.core import record
from sevenhues.offline.searches import DEFAULT_SIMULATIONS
from sevenhues.protocol import Analysis, AnalysisReport
from sevenhues.server.store import Store
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.state import Table

PAUSE_SECONDS: Final = 0.02  # after each decision, for whatever else is to be done
WAIT_SECONDS: Final = 0.5  # until it is looked again whether a game is being played
log = logging.getLogger("sevenhues")


class Analyses:
    """The analyses that are stored, and those that run."""

    def __init__(self, store: Store, playing: Callable[[], bool]) -> None:
        self._store = store
        self._playing = playing
        self._progress: dict[str, tuple[int, int]] = {}  # by table id: how many plies are done, and of how many
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def status(self, table: Table) -> Analysis:
        """Return the analysis of a finished game, or its progress."""
        if table.result is None:
            raise Refused("not-over")
        report = await self._store.analysis(table.id, VERSION)
        if report is not None:
            return Analysis("done", report=msgspec.json.decode(report, type=AnalysisReport))
        if table.id in self._progress:
            return Analysis("running", *self._progress[table.id])
        return Analysis("none")

    async def start(self, table: Table) -> Analysis:
        """Start the analysis of a finished game, unless it is stored or started already."""
        status = await self.status(table)
        if status.state == "none" and table.id not in self._progress:
            self._progress[table.id] = 0, table.ply + 1
            self._start(self._analyse(table))
            return await self.status(table)
        return status

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _analyse(self, table: Table) -> None:
        try:
            async with self._lock:
                report = await self._report(table)
            await self._store.save_analysis(table.id, VERSION, msgspec.json.encode(report))
        except Exception:
            log.exception("the analysis of a game failed", extra={"table": table.id})
        finally:
            self._progress.pop(table.id, None)

    async def _report(self, table: Table) -> dict[str, Any]:
        simulations = bots.levels(table.game)[-1].fixed_simulations or DEFAULT_SIMULATIONS
        steps = analyse_in_steps(record.read(table.record_text()), simulations=simulations)
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            while self._playing():
                await asyncio.sleep(WAIT_SECONDS)
            try:
                self._progress[table.id] = next(steps)
            except StopIteration as end:
                report: dict[str, Any] = end.value
                del report["names"]  # as on a server
                return report
