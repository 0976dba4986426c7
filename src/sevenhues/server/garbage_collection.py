"""Full garbage collections at intervals instead of after many allocations.

A full collection looks at every object and holds up all users meanwhile. A server that plays at hundreds of tables
allocates so much that Python would start one every few seconds.
"""

import gc
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

MIN_INTERVAL_SECONDS = 30.0
MAX_SHARE = 1 / 400  # of the time that full collections take
MIN_YOUNG_COLLECTIONS = 200  # since the last full collection; fewer leave too little to look for
MAX_NEW_BLOCKS = 3_000_000  # of memory since the last full collection, some 300 MB: then one runs at once
MAX_GROWTH = 0.5  # of the blocks that the last full collection left, if that is more
NEVER = 2**31 - 1  # collections of younger objects until Python starts a full one by itself


class FullCollections:
    """Keeps Python from starting full collections, and runs them when they are due."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._due_at = now() + MIN_INTERVAL_SECONDS
        self._thresholds = gc.get_threshold()
        self._young_collections = 0  # at the last full collection
        self._max_blocks = 0.0  # of memory, garbage included

    def __enter__(self) -> Self:
        """Take over; what has been loaded so far is never looked at again."""
        self._collect()
        gc.freeze()
        gc.set_threshold(*self._thresholds[:2], NEVER)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        gc.set_threshold(*self._thresholds)
        gc.unfreeze()

    def run_if_due(self) -> None:
        """Collect if the interval is over and enough has been allocated, or if memory has grown too much."""
        allocated = gc.get_stats()[0]["collections"] >= self._young_collections + MIN_YOUNG_COLLECTIONS
        if (allocated and self._now() >= self._due_at) or sys.getallocatedblocks() > self._max_blocks:
            self._collect()

    def _collect(self) -> None:
        began = self._now()
        gc.collect()
        ended = self._now()
        blocks = sys.getallocatedblocks()
        self._max_blocks = blocks + max(MAX_NEW_BLOCKS, MAX_GROWTH * blocks)
        self._young_collections = gc.get_stats()[0]["collections"]
        self._due_at = ended + max(MIN_INTERVAL_SECONDS, (ended - began) / MAX_SHARE)
