"""How much one person, and one address, may ask of the server; what is too much is refused, with how long to wait."""

from collections import Counter, OrderedDict
from math import ceil
from time import monotonic
from typing import NamedTuple

from sevenhues.server.errors import Declined

MOST_KNOWN = 20_000  # persons and addresses that are remembered; who asked longest ago is forgotten


class Rate(NamedTuple):
    """So many at once, and so many a second for long."""

    burst: float
    a_second: float


REQUESTS = Rate(600, 60)  # of an address
TABLES = Rate(60, 0.2)  # laid by a person
TABLES_OF_ADDRESS = Rate(300, 1.0)
HINTS = Rate(20, 0.5)  # asked by a person
CLAIMS = Rate(20, 0.1)  # of carried identities, by an address
STORIES = Rate(30, 0.05)  # asked for by an address
ODDS = Rate(60, 10)  # of hidden faces, asked for by an address
ENDLESS = Rate(float("inf"), 1.0)
SOCKETS = 40  # open ones of a person, in one process


class Allowance:
    """What many askers may still do: each one's share fills up with time."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, who: str) -> None:
        """Take one; raises Declined, with the seconds to wait, if nothing is left."""
        now = monotonic()
        left, at = self._left.pop(who, (self.rate.burst, now))
        left = min(self.rate.burst, left + (now - at) * self.rate.a_second)
        if left < 1:
            self._left[who] = (left, now)
            raise Declined("too-many", seconds=ceil((1 - left) / self.rate.a_second))
        self._left[who] = (left - 1, now)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)


class Limits:
    """All of one process."""

    def __init__(self, sockets_of_address: int, bounded: bool = True) -> None:
        self.requests = Allowance(REQUESTS if bounded else ENDLESS)
        self.tables = Allowance(TABLES if bounded else ENDLESS)
        self.tables_of_address = Allowance(TABLES_OF_ADDRESS if bounded else ENDLESS)
        self.hints = Allowance(HINTS if bounded else ENDLESS)
        self.claims = Allowance(CLAIMS if bounded else ENDLESS)
        self.stories = Allowance(STORIES if bounded else ENDLESS)
        self.odds = Allowance(ODDS if bounded else ENDLESS)
        self._sockets_of_address = sockets_of_address if bounded else 0
        self._sockets_of_person = SOCKETS if bounded else 0
        self._open: Counter[str] = Counter()

    def lay(self, by: str, address: str) -> None:
        """Count a new table."""
        self.tables.spend(by)
        self.tables_of_address.spend(address)

    def connect(self, by: str | None, address: str) -> list[str]:
        """Count a new socket; returns what `part` takes back."""
        limits = {f"address {address}": self._sockets_of_address}
        if by is not None:
            limits[f"person {by}"] = self._sockets_of_person
        for name, most in limits.items():
            if most and self._open[name] >= most:
                raise Declined("too-many-sockets", most=most)
        self._open.update(limits.keys())
        return list(limits)

    def part(self, counted: list[str]) -> None:
        for name in counted:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]
