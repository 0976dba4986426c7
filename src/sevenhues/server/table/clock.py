"""A table's clocks, worked out from the times in its log alone: so they go on after a restart."""

from sevenhues.protocol import Clock, ClockState

SECOND = 1000


class Clocks:
    """What is left to every seat, in milliseconds."""

    def __init__(self, settings: Clock, seats: int, at: int) -> None:
        self.settings = settings
        self.left = [settings.seconds * SECOND] * seats
        self.running: int | None = None
        self.since = at

    def turn(self, seat: int | None, at: int) -> None:
        """Take note that from now on it is this seat's decision, or nobody's."""
        ran = self.running
        if ran is not None:
            self.left[ran] = max(0, self.left[ran] - (at - self.since))
            if self.settings.kind == "bank" and seat != ran:
                self.left[ran] += self.settings.increment * SECOND
        if self.settings.kind == "move" and seat is not None:
            self.left[seat] = self.settings.seconds * SECOND
        self.running = seat
        self.since = at

    def grant(self, seat: int, milliseconds: int, at: int) -> None:
        """Give a seat that much to go on with from now on."""
        self.left[seat] = milliseconds
        self.since = at

    def stop(self, at: int) -> None:
        """Stop for good, with what was left at this moment."""
        if self.running is not None:
            self.left[self.running] = max(0, self.left[self.running] - (at - self.since))
        self.running = None
        self.since = at

    def flag(self) -> int | None:
        """Tell when the running clock will be at 0."""
        return None if self.running is None else self.since + self.left[self.running]

    def state(self, now: int) -> ClockState:
        """Return what to show at a moment."""
        left = list(self.left)
        if self.running is not None:
            left[self.running] = max(0, left[self.running] - (now - self.since))
        return ClockState(left, self.running, now)
