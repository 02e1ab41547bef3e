"""When: how long a job that failed waits, and which night was the last."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo

NIGHTLY = time(3)
"""When nights are over, in the user's zone."""
_FIRST, _LONGEST = timedelta(seconds=1), timedelta(hours=1)
_DOUBLED = 12
"""So often it is doubled at most: the longest is reached by then."""


def pause_after(attempts: int) -> timedelta:
    """How long to wait after so many failures in a row: a second, two, four … an hour."""
    return min(_FIRST * 2 ** min(attempts - 1, _DOUBLED), _LONGEST)


def last_night(now: datetime, zone: tzinfo, at: time = NIGHTLY) -> datetime:
    """The last moment at which the clocks of the zone showed that time, once for each day.

    When they are put forward over it, it is the moment after; when they show it twice, the first.
    """
    today = now.astimezone(zone).date()
    moments = (datetime.combine(today - timedelta(days), at, zone) for days in (0, 1, 2))
    return next(moment for one in moments if (moment := one.astimezone(UTC)) <= now)
