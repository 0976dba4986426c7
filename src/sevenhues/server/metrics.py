"""Figures for whoever runs the server, in the format of Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """One server's figures."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.events = Counter("sevenhues_events", "Events stored, by kind.", ["kind"], registry=self.registry)
        self.refusals = Counter(
            "sevenhues_refusals", "Requests declined over websockets, by reason.", ["key"], registry=self.registry
        )
        self.append = Histogram(
            "sevenhues_append_seconds", "From wish to durable event.", buckets=QUICK, registry=self.registry
        )
        self.thinking = Histogram(
            "sevenhues_bot_seconds", "How long bots took for a move.", buckets=QUICK, registry=self.registry
        )
        self.sockets = Gauge("sevenhues_sockets", "Open websockets.", registry=self.registry)
        self.rooms = Gauge("sevenhues_tables_in_memory", "Tables held in memory.", registry=self.registry)
        self.dropped = Counter(
            "sevenhues_dropped", "Connections the server closed, by reason.", ["reason"], registry=self.registry
        )
        self.requests = Counter(
            "sevenhues_requests", "HTTP requests, by route and status.", ["route", "status"], registry=self.registry
        )
        self.bot_failures = Counter("sevenhues_bot_failures", "Moves a bot failed to find.", registry=self.registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)
