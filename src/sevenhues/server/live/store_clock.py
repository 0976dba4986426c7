"""The time of a server: the time of its store, so that processes on machines with different clocks agree."""

import time
from typing import Protocol

MEASUREMENTS = 3  # of the store's clock; the one with the shortest round trip counts
MAX_STEP_SECONDS = 0.1  # by which a running clock is corrected at a time


class TimeStore(Protocol):
    """The part of a store that the clock uses."""

    async def now_ms(self) -> int | None: ...


class StoreClock:
    """A clock of milliseconds since 1970. It never goes back, and setting the system clock does not affect it."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()  # seconds
        self._latest_ms = 0
        self._synchronized = False

    def __call__(self) -> int:
        self._latest_ms = max(self._latest_ms, int((time.monotonic() + self._offset) * 1000))
        return self._latest_ms

    async def synchronize(self, store: TimeStore) -> None:
        """Follow the store's clock: at once when the server starts, and later in small steps."""
        measured: list[tuple[float, float]] = []  # the round trip, and the offset
        for _ in range(MEASUREMENTS):
            began = time.monotonic()
            store_ms = await store.now_ms()
            if store_ms is None:
                return
            ended = time.monotonic()
            measured.append((ended - began, store_ms / 1000 - (began + ended) / 2))
        step = min(measured)[1] - self._offset
        if self._synchronized:
            step = max(-MAX_STEP_SECONDS, min(MAX_STEP_SECONDS, step))
        self._offset += step
        self._synchronized = True
