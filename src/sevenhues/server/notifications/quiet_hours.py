"""Quiet hours: the part of a day, by a user's own clock, in which nothing is sent."""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sevenhues.server.notifications.queries import Settings

MINUTES_OF_DAY = 24 * 60


@cache
def time_zone(name: str) -> ZoneInfo | None:
    """Return a time zone by its name, such as Europe/Berlin; None if there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def quiet_until(settings: Settings, now_ms: int) -> int | None:
    """Return the time at which the quiet hours that it is in end; None if it is in none."""
    start, end = settings.quiet_from, settings.quiet_until
    zone = time_zone(settings.time_zone) if settings.time_zone is not None else None
    if start is None or end is None or start == end or zone is None:
        return None
    local = datetime.fromtimestamp(now_ms / 1000, UTC).astimezone(zone)
    minute = local.hour * 60 + local.minute
    if (minute - start) % MINUTES_OF_DAY >= (end - start) % MINUTES_OF_DAY:
        return None
    day = local.date() + timedelta(days=minute >= end)
    ends = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=zone)
    return max(now_ms + 1, int(ends.timestamp() * 1000))
