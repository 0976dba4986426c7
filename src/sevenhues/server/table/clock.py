"""The clocks of a table, computed from the times in its log alone, so that they continue after a restart."""

from typing import NamedTuple

from sevenhues.server.table.events import ClockSettings

SECOND_MS = 1000


class ClockReading(NamedTuple):
    """The time left to each seat at a moment, and the seat whose clock runs."""

    left_ms: list[int]
    running: int | None
    at_ms: int


class Clocks:
    """The time left to every seat. At most one clock runs."""

    def __init__(self, settings: ClockSettings, seats: int, now_ms: int) -> None:
        self.settings = settings
        self.left_ms = [settings.seconds * SECOND_MS] * seats
        self.running: int | None = None
        self.since_ms = now_ms

    def switch(self, seat: int | None, now_ms: int) -> None:
        """Stop the running clock, and start the clock of the seat that decides next; None starts no clock."""
        previous = self.running
        if previous is not None:
            self.left_ms[previous] = max(0, self.left_ms[previous] - (now_ms - self.since_ms))
            if self.settings.kind == "bank" and seat != previous:
                self.left_ms[previous] += self.settings.increment * SECOND_MS
        if self.settings.kind == "move" and seat is not None:
            self.left_ms[seat] = self.settings.seconds * SECOND_MS
        self.running = seat
        self.since_ms = now_ms

    def grant(self, seat: int, granted_ms: int, now_ms: int) -> None:
        """Set the time left to a seat."""
        self.left_ms[seat] = granted_ms
        self.since_ms = now_ms

    def stop(self, now_ms: int) -> None:
        """Stop for good, at the end of the game."""
        if self.running is not None:
            self.left_ms[self.running] = max(0, self.left_ms[self.running] - (now_ms - self.since_ms))
        self.running = None
        self.since_ms = now_ms

    def expires_at(self) -> int | None:
        """Return the time at which the running clock reaches 0; None if no clock runs."""
        return None if self.running is None else self.since_ms + self.left_ms[self.running]

    def read(self, now_ms: int) -> ClockReading:
        """Return the time left to each seat at a moment."""
        left_ms = list(self.left_ms)
        if self.running is not None:
            left_ms[self.running] = max(0, left_ms[self.running] - (now_ms - self.since_ms))
        return ClockReading(left_ms, self.running, now_ms)
