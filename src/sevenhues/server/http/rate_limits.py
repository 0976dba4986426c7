"""Rate limits by user and by address; a request over a limit is refused with the time to wait."""

from collections import Counter, OrderedDict
from math import ceil
from time import monotonic
from typing import NamedTuple

from sevenhues.server.table.errors import Refused

MAX_KEYS = 20_000  # users and addresses that are remembered; the one that asked longest ago is dropped


class Rate(NamedTuple):
    """A number of requests at once, and a number per second in the long run."""

    burst: float
    per_second: float


REQUESTS = Rate(600, 60)  # by address
CONNECTS = Rate(400, 20)  # of websockets, by address; the burst lets all of them connect again after a restart
MESSAGES = Rate(4000, 400)  # of websockets, by address; they wait instead of being refused
TABLES = Rate(60, 0.2)  # created by a user
TABLES_OF_ADDRESS = Rate(300, 1.0)
HINTS = Rate(20, 0.5)  # by user
HINTS_OF_ADDRESS = Rate(120, 4.0)
ACCOUNT_CHANGES = Rate(60, 0.5)  # names, transfer codes, passkeys and deletions, by address
TRANSFERS = Rate(20, 0.1)  # of accounts to a device, by address
PASSKEY_CHANGES = Rate(60, 0.2)  # passkeys added, renamed and removed, and recovery codes made, by user
SIGN_INS = Rate(20, 0.1)  # by passkey or recovery code, by the user who wants to be another one
SIGN_INS_OF_ADDRESS = Rate(60, 0.5)
EMAILS = Rate(5, 1 / 600)  # that ask to confirm an address: by user, by that address, and by network
NEW_LINKS = Rate(600, 0.2)  # users seen with a new browser or in a new network, by address
PHRASES = Rate(3, 0.25)  # said by a user at a table
SEAT_CHANGES = Rate(120, 1.0)  # seats taken and freed, by address
TABLES_READ = Rate(480, 24)  # from the store, by address
ANALYSES = Rate(30, 0.05)  # started by an address
ODDS = Rate(60, 10)  # of hidden faces, by address
UNLIMITED = Rate(float("inf"), 1.0)
MAX_CONNECTIONS_OF_USER = 40  # in one process


class RateLimit:
    """A token bucket for each user or address."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when they were counted

    def take(self, key: str) -> None:
        """Take a token; raise Refused with the seconds to wait if there is none."""
        tokens = self._tokens(key)
        if tokens < 1:
            raise Refused("too-many", seconds=ceil((1 - tokens) / self.rate.per_second))
        self._set(key, tokens - 1)

    def count(self, key: str, count: float) -> None:
        """Take tokens, also if there are too few."""
        self._set(key, self._tokens(key) - count)

    def delay(self, key: str) -> float:
        """Return the seconds to wait until no token is missing."""
        return max(0.0, -self._tokens(key) / self.rate.per_second)

    def _tokens(self, key: str) -> float:
        now = monotonic()
        tokens, counted = self._buckets.get(key, (self.rate.burst, now))
        return min(self.rate.burst, tokens + (now - counted) * self.rate.per_second)

    def _set(self, key: str, tokens: float) -> None:
        self._buckets[key] = (tokens, monotonic())
        self._buckets.move_to_end(key)
        if len(self._buckets) > MAX_KEYS:
            self._buckets.popitem(last=False)


class RateLimits:
    """All limits of one process."""

    def __init__(self, max_connections_of_address: int, enabled: bool = True) -> None:
        self.requests = RateLimit(REQUESTS if enabled else UNLIMITED)
        self.connects = RateLimit(CONNECTS if enabled else UNLIMITED)
        self.messages = RateLimit(MESSAGES if enabled else UNLIMITED)
        self.tables = RateLimit(TABLES if enabled else UNLIMITED)
        self.tables_of_address = RateLimit(TABLES_OF_ADDRESS if enabled else UNLIMITED)
        self.hints = RateLimit(HINTS if enabled else UNLIMITED)
        self.hints_of_address = RateLimit(HINTS_OF_ADDRESS if enabled else UNLIMITED)
        self.account_changes = RateLimit(ACCOUNT_CHANGES if enabled else UNLIMITED)
        self.transfers = RateLimit(TRANSFERS if enabled else UNLIMITED)
        self.passkey_changes = RateLimit(PASSKEY_CHANGES if enabled else UNLIMITED)
        self.sign_ins = RateLimit(SIGN_INS if enabled else UNLIMITED)
        self.sign_ins_of_address = RateLimit(SIGN_INS_OF_ADDRESS if enabled else UNLIMITED)
        self.emails = RateLimit(EMAILS if enabled else UNLIMITED)
        self.new_links = RateLimit(NEW_LINKS if enabled else UNLIMITED)
        self.seat_changes = RateLimit(SEAT_CHANGES if enabled else UNLIMITED)
        self.phrases = RateLimit(PHRASES if enabled else UNLIMITED)
        self.tables_read = RateLimit(TABLES_READ if enabled else UNLIMITED)
        self.analyses = RateLimit(ANALYSES if enabled else UNLIMITED)
        self.odds = RateLimit(ODDS if enabled else UNLIMITED)
        self._max_of_address = max_connections_of_address if enabled else 0
        self._max_of_user = MAX_CONNECTIONS_OF_USER if enabled else 0
        self._open: Counter[str] = Counter()

    def take_table(self, user_id: str, address: str) -> None:
        """Count a new table."""
        self.tables.take(user_id)
        self.tables_of_address.take(address)

    def take_hint(self, user_id: str, address: str) -> None:
        """Count a hint."""
        self.hints.take(user_id)
        self.hints_of_address.take(address)

    def take_passkey_change(self, user_id: str, address: str) -> None:
        """Count a change of a user's passkeys or recovery code."""
        self.passkey_changes.take(user_id)
        self.account_changes.take(address)

    def take_sign_in(self, user_id: str, address: str) -> None:
        """Count a step of a sign-in."""
        self.sign_ins.take(user_id)
        self.sign_ins_of_address.take(address)

    def take_email(self, user_id: str, email: str, address: str) -> None:
        """Count an e-mail that asks to confirm an address."""
        for key in (f"user {user_id}", f"email {email.lower()}", f"address {address}"):
            self.emails.take(key)

    def open_connection(self, user_id: str | None, address: str) -> list[str]:
        """Count a new websocket; return what `close_connection` needs."""
        limits = {f"address {address}": self._max_of_address}
        if user_id is not None:
            limits[f"user {user_id}"] = self._max_of_user
        for key, maximum in limits.items():
            if maximum and self._open[key] >= maximum:
                raise Refused("too-many-sockets", most=maximum)
        self._open.update(limits.keys())
        return list(limits)

    def close_connection(self, keys: list[str]) -> None:
        for key in keys:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
