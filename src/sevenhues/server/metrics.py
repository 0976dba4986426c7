"""Metrics of a server in the format of Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.events = Counter(
            "sevenhues_events_total", "Events stored, by event type.", ["type"], registry=self.registry
        )
        self.refused_messages = Counter(
            "sevenhues_websocket_refusals_total",
            "Websocket messages refused, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self.append_seconds = Histogram(
            "sevenhues_event_append_duration_seconds",
            "Time until an event is stored.",
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.bot_search_seconds = Histogram(
            "sevenhues_bot_search_duration_seconds",
            "Time until a bot has chosen a move.",
            buckets=BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.bot_failures = Counter(
            "sevenhues_bot_failures_total", "Searches in which a bot failed to choose a move.", registry=self.registry
        )
        self.connections = Gauge("sevenhues_websocket_connections", "Open websockets.", registry=self.registry)
        self.dropped_connections = Counter(
            "sevenhues_websocket_connections_dropped_total",
            "Websockets closed by the server, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self.live_tables = Gauge("sevenhues_live_tables", "Tables in memory.", registry=self.registry)
        self.requests = Counter(
            "sevenhues_http_requests_total",
            "HTTP requests, by route and status.",
            ["route", "status"],
            registry=self.registry,
        )

    def text(self) -> bytes:
        return generate_latest(self.registry)
