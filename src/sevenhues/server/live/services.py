"""The services that a live table uses."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sevenhues.server.cluster.bus import SaidPhrase
from sevenhues.server.cluster.lease import Lease
from sevenhues.server.cluster.presence import Presence
from sevenhues.server.live.bot_player import BotPlayer
from sevenhues.server.metrics import Metrics
from sevenhues.server.store import Store
from sevenhues.server.table.state import Decision, Table


@dataclass(slots=True)
class Services:
    """The services of one process, shared by its live tables and connections."""

    store: Store
    now: Callable[[], int]  # milliseconds since 1970; never goes back
    metrics: Metrics
    lease: Lease
    presence: Presence
    bots: BotPlayer
    publish_length: Callable[[str, int], None]  # tells other processes how many events a table has
    publish_said: Callable[[str, SaidPhrase], None]  # tells other processes what a player of a table said
    create_rematch: Callable[[Table, int], Awaitable[Decision | None]]  # at a time; None if none is due
    open_connections: int = 0
    notices_stored: Callable[[], None] = lambda: None  # tells who sends notifications that there are new ones
