"""What a server counts and measures. This class ignores all of it; `PrometheusMetrics` publishes it."""

from collections.abc import Callable

from sevenhues.server.table.events import Event


class Metrics:
    """The metrics of one process."""

    def watch_live_tables(self, count: Callable[[], int]) -> None:
        """Measure the number of tables in memory by a function."""

    def count_event(self, event: Event) -> None:
        """Count an event that is stored."""

    def measure_append(self, seconds: float) -> None:
        """Measure the time until an event is stored."""

    def count_bot_move(self, seconds: float) -> None:
        """Count a bot's move once it is made; `seconds` is the time that its opponents waited."""

    def count_bot_failure(self) -> None:
        """Count a search in which a bot failed to choose a move."""

    def count_refusal(self, key: str) -> None:
        """Count a refused message."""

    def count_connection(self, change: int) -> None:
        """Count a websocket that was opened (1) or closed (-1)."""

    def count_dropped_connection(self, reason: str) -> None:
        """Count a websocket that the server closes."""

    def count_notification(self, channel: str, outcome: str) -> None:
        """Count an attempt to send a notification by `push` or `email`."""

    def count_backup(self, outcome: str) -> None:
        """Count a scheduled backup: `written` or `failed`."""

    def set_last_backup(self, at_seconds: float) -> None:
        """Set the time of the newest backup, in seconds since 1970."""

    def count_request(self, route: str, status: int) -> None:
        """Count an answered HTTP request."""
