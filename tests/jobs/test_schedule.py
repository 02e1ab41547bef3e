"""When jobs are tried again, and when a night is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from palaver.jobs.schedule import last_night, pause_after


def test_pauses_double_from_a_second_to_an_hour() -> None:
    pauses = [pause_after(attempts).total_seconds() for attempts in range(1, 200)]
    assert pauses[:4] == [1, 2, 4, 8]
    assert pauses[11:14] == [2048, 3600, 3600]
    assert set(pauses[12:]) == {3600}


@pytest.mark.parametrize(
    ("zone", "first", "days"),
    [
        ("Europe/Berlin", datetime(2026, 3, 27, tzinfo=UTC), 4),
        ("Europe/Berlin", datetime(2026, 10, 23, tzinfo=UTC), 4),
        ("Europe/Helsinki", datetime(2026, 3, 27, tzinfo=UTC), 4),  # 03:00 is left out
        ("Europe/Helsinki", datetime(2026, 10, 23, tzinfo=UTC), 4),  # 03:00 comes twice
        ("Pacific/Apia", datetime(2011, 12, 28, tzinfo=UTC), 5),  # a day is left out
        ("UTC", datetime(2026, 2, 14, tzinfo=UTC), 3),
    ],
)
def test_one_night_for_each_day(zone: str, first: datetime, days: int) -> None:
    """Whoever looks every quarter of an hour sees each night once, and in order."""
    moments = [first + timedelta(minutes=15 * n) for n in range(days * 96)]
    seen = [last_night(moment, ZoneInfo(zone)) for moment in moments]
    assert seen == sorted(seen)
    assert all(night <= moment for night, moment in zip(seen, moments, strict=True))
    nights = sorted(set(seen))
    hours = [(later - earlier) / timedelta(hours=1) for earlier, later in pairwise(nights)]
    assert len(nights) in (days, days + 1)
    assert all(22 <= gap <= 25 for gap in hours)


def test_the_night_is_over_at_three_in_the_zone() -> None:
    zone = ZoneInfo("Europe/Berlin")
    before = datetime(2026, 7, 1, 0, 59, tzinfo=UTC)
    assert last_night(before, zone) == datetime(2026, 6, 30, 1, tzinfo=UTC)
    assert last_night(before + timedelta(minutes=1), zone) == datetime(2026, 7, 1, 1, tzinfo=UTC)
