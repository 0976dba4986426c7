"""The clocks of a table, computed from the times in its log alone, so that they continue after a restart."""

from typing import NamedTuple

from sevenhues.server.table.events import ClockSettings

SECOND_MS = 1000
DAY_SECONDS = 86_400


class ClockReading(NamedTuple):
    """The time left to each seat at a moment, and the seat whose clock runs."""

    left_ms: list[int]
    running: int | None
    at_ms: int
    paused_until: int | None = None  # when the running clock goes on, if it stands still


def counts_days(settings: ClockSettings) -> bool:
    """Tell whether a game with this clock is played over days, so that holidays stop it."""
    return settings.kind != "none" and settings.seconds >= DAY_SECONDS


class Clocks:
    """The time left to every seat. At most one clock runs."""

    def __init__(self, settings: ClockSettings, seats: int, now_ms: int) -> None:
        self.settings = settings
        self.left_ms = [settings.seconds * SECOND_MS] * seats
        self.running: int | None = None
        self.since_ms = now_ms
        self.pauses: list[dict[int, int]] = [{} for _ in range(seats)]  # of each seat: ends by beginnings, disjoint

    def pause(self, seat: int, started_ms: int, until_ms: int) -> None:
        """Stop the clock of a seat from one time to another; the same beginning again changes the end."""
        self.pauses[seat][started_ms] = until_ms

    def elapsed_ms(self, now_ms: int) -> int:
        """Return how long the running clock has run, without its pauses."""
        assert self.running is not None
        pauses = self.pauses[self.running].items()
        paused = sum(max(0, min(until, now_ms) - max(started, self.since_ms)) for started, until in pauses)
        return now_ms - self.since_ms - paused

    def switch(self, seat: int | None, now_ms: int) -> None:
        """Stop the running clock, and start the clock of the seat that decides next; None starts no clock."""
        previous = self.running
        if previous is not None:
            self.left_ms[previous] = max(0, self.left_ms[previous] - self.elapsed_ms(now_ms))
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
            self.left_ms[self.running] = max(0, self.left_ms[self.running] - self.elapsed_ms(now_ms))
        self.running = None
        self.since_ms = now_ms

    def expires_at(self) -> int | None:
        """Return the time at which the running clock reaches 0; None if no clock runs."""
        if self.running is None:
            return None
        expires_ms = self.since_ms + self.left_ms[self.running]
        for started, until in sorted(self.pauses[self.running].items()):
            started = max(started, self.since_ms)
            if started < expires_ms and until > started:
                expires_ms += until - started
        return expires_ms

    def paused_until(self, now_ms: int) -> int | None:
        """Return when the running clock goes on; None if it does not stand still."""
        pauses = {} if self.running is None else self.pauses[self.running]
        return next((until for started, until in pauses.items() if started <= now_ms < until), None)

    def read(self, now_ms: int) -> ClockReading:
        """Return the time left to each seat at a moment."""
        left_ms = list(self.left_ms)
        if self.running is not None:
            left_ms[self.running] = max(0, left_ms[self.running] - self.elapsed_ms(now_ms))
        return ClockReading(left_ms, self.running, now_ms, self.paused_until(now_ms))
