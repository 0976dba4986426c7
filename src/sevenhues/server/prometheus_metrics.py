"""Metrics of a server for Prometheus, at an address of their own.

They must not reveal more of a game than its players can see. So refused moves are not counted, since only their player
knows of them, and the time of a bot's search is not measured, since a forced move is found at once.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.metrics import Metrics
from sevenhues.server.table.events import Event

BUCKETS_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
BOT_BUCKETS_SECONDS = (1, 2, 5, 10)
COUNTED_REFUSALS = ("bad-request", "too-big", "no-identity", "store-failed")  # that say nothing about a game


class PrometheusMetrics(Metrics):
    """The metrics of one process, published for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._event_counters: dict[type[Event], Counter] = {}  # looking up a label is slow
        self._events = Counter(
            "sevenhues_events_total", "Events stored, by event type.", ["type"], registry=self.registry
        )
        self._refused_messages = Counter(
            "sevenhues_websocket_refusals_total",
            "Websocket messages refused for reasons outside the game, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self._append_seconds = Histogram(
            "sevenhues_event_append_duration_seconds",
            "Time until an event is stored.",
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._bot_move_seconds = Histogram(
            "sevenhues_bot_move_duration_seconds",
            "Time until a bot has moved, as its opponents see it; rounded to tenths of a second.",
            buckets=BOT_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._bot_failures = Counter(
            "sevenhues_bot_failures_total", "Searches in which a bot failed to choose a move.", registry=self.registry
        )
        self._connections = Gauge("sevenhues_websocket_connections", "Open websockets.", registry=self.registry)
        self._dropped_connections = Counter(
            "sevenhues_websocket_connections_dropped_total",
            "Websockets closed by the server, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self._live_tables = Gauge("sevenhues_live_tables", "Tables in memory.", registry=self.registry)
        self._requests = Counter(
            "sevenhues_http_requests_total",
            "HTTP requests, by route and status.",
            ["route", "status"],
            registry=self.registry,
        )
        self._notifications = Counter(
            "sevenhues_notifications_total",
            "Attempts to send a notification, by channel (push or email) and outcome.",
            ["channel", "outcome"],
            registry=self.registry,
        )

        self._backups = Counter(
            "sevenhues_backups_total",
            "Scheduled backups, by outcome (written or failed).",
            ["outcome"],
            registry=self.registry,
        )
        self._last_backup = Gauge(
            "sevenhues_last_backup_timestamp_seconds",
            "Time of the newest scheduled backup; 0 if there is none.",
            registry=self.registry,
        )

    def watch_live_tables(self, count: Callable[[], int]) -> None:
        self._live_tables.set_function(count)

    def count_event(self, event: Event) -> None:
        kind = type(event)
        counter = self._event_counters.get(kind)
        if counter is None:
            counter = self._event_counters[kind] = self._events.labels(kind.__name__)
        counter.inc()

    def measure_append(self, seconds: float) -> None:
        self._append_seconds.observe(seconds)

    def count_bot_move(self, seconds: float) -> None:
        self._bot_move_seconds.observe(round(seconds, 1))

    def count_bot_failure(self) -> None:
        self._bot_failures.inc()

    def count_refusal(self, key: str) -> None:
        """Count a refused message, unless the refusal says something about a game."""
        if key in COUNTED_REFUSALS:
            self._refused_messages.labels(key).inc()

    def count_connection(self, change: int) -> None:
        self._connections.inc(change)

    def count_dropped_connection(self, reason: str) -> None:
        self._dropped_connections.labels(reason).inc()

    def count_request(self, route: str, status: int) -> None:
        self._requests.labels(route, status).inc()

    def count_notification(self, channel: str, outcome: str) -> None:
        self._notifications.labels(channel, outcome).inc()

    def count_backup(self, outcome: str) -> None:
        self._backups.labels(outcome).inc()

    def set_last_backup(self, at_seconds: float) -> None:
        self._last_backup.set(at_seconds)


@contextmanager
def serve_metrics(metrics: PrometheusMetrics, host: str, port: int) -> Iterator[int]:
    """Serve the metrics at an address from a thread, and give its port; raise SevenHuesError if it is not free."""
    try:
        server, thread = start_http_server(port, host, metrics.registry)
    except OSError as error:
        raise SevenHuesError(
            f"cannot serve metrics on {host}:{port}: {error.strerror or error}; give another --metrics-port"
        ) from None
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
