"""Tells stories of finished games, one after the other, in a process of its own that gives way to everything else."""

import asyncio
import logging
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, Final

import msgspec

from sevenhues.analysis import VERSION, analyse
from sevenhues.core import record
from sevenhues.protocol import Analysis, Story
from sevenhues.server.errors import Declined
from sevenhues.server.store import Store
from sevenhues.server.table.state import Table
from sevenhues.workers import CONTEXT, processes

TRIES: Final = 3  # a worker may be killed; a story that kills three is given up
MOST_WAITING: Final = 200
NICE: Final = 10
log = logging.getLogger("sevenhues")


class Storyteller:
    """Knows which stories are being told, and how far they are."""

    def __init__(self, store: Store, simulations: int) -> None:
        self._store = store
        self._simulations = simulations  # a decision; 0 for the best level's own number
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._one = asyncio.Lock()  # the worker tells one at a time
        self._telling: str | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._progress: Any = None

    async def look(self, table: Table) -> Analysis:
        """Say how far the story of a table is."""
        if table.result is None:
            raise Declined("not-over")
        body = await self._store.story(table.id, VERSION)
        if body is not None:
            return Analysis("done", story=msgspec.json.decode(body, type=Story))
        if table.id not in self._tasks:
            return Analysis("none")
        done = self._progress[0] if self._telling == table.id and self._progress is not None else 0
        return Analysis("running", done, table.ply + 1)

    async def begin(self, table: Table) -> Analysis:
        """Have the story of a table told, unless it is there or being told."""
        found = await self.look(table)
        if found.state != "none" or table.id in self._tasks:
            return found
        if len(self._tasks) >= MOST_WAITING:
            raise Declined("too-many", seconds=60)
        self._tasks[table.id] = asyncio.create_task(self._tell(table.id, table.record_text()))
        return Analysis("running", 0, table.ply + 1)

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._let_go()

    async def _tell(self, id: str, text: str) -> None:
        try:
            async with self._one:
                body = await self._work(id, text)
            if body is not None:
                await self._store.keep_story(id, VERSION, body)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a story could not be told", extra={"table": id})
        finally:
            self._tasks.pop(id, None)

    async def _work(self, id: str, text: str) -> bytes | None:
        """Have the worker tell a story; if it dies, another one begins anew."""
        loop = asyncio.get_running_loop()
        self._telling = id
        try:
            for _ in range(TRIES):
                pool = self._worker()
                self._progress[0] = 0
                try:
                    return await loop.run_in_executor(pool, _story, text, self._simulations)
                except BrokenProcessPool:
                    log.warning("the worker that told a story died", extra={"table": id})
                    self._let_go()
            log.error("a story was given up", extra={"table": id})
            return None
        finally:
            self._telling = None

    def _worker(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._progress = CONTEXT.Array("i", 1, lock=False)
            self._pool = processes(1, _begin, self._progress)
        return self._pool

    def _let_go(self) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:  # a story takes long, and nobody waits for it any more
            with suppress(ProcessLookupError, ValueError):
                worker.kill()


_told: Any = None  # in the worker: where it says how far it is


def _begin(progress: Any) -> None:
    global _told
    with suppress(AttributeError, OSError):  # where there is no such thing as being nice
        os.nice(NICE)
    _told = progress


def _story(text: str, simulations: int) -> bytes:
    """Tell a story, in a worker; as `sevenhues analyse` tells it, without the names."""

    def progress(done: int, of: int) -> None:
        _told[0] = done

    story = analyse(record.read(text), simulations=simulations, progress=progress)
    return msgspec.json.encode(msgspec.convert(story, Story))
