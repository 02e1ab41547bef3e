"""Points in time: one clock that can be injected, one way to write them (ISO 8601, UTC, `Z`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo

from palaver.errors import BadValue

Clock = Callable[[], datetime]
Zone = Callable[[], tzinfo]
"""Tells the time zone in which the user is now."""
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTH_NAMES = """
January February March April May June July August September October November December
"""
MONTHS = _MONTH_NAMES.split()
_FIRST = "0001-01-01T00:00:00.000Z"


def system_clock() -> datetime:
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """`moment` in UTC with milliseconds: 2026-02-14T09:00:00.000Z."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='milliseconds')}Z"


def before(moment: datetime, span: timedelta) -> str:
    """What `iso` writes for the point in time that is `span` before `moment`; the first there is,
    when that is longer than times go back. Compared as text with what rows hold."""
    try:
        return iso(moment - span)
    except OverflowError:
        return _FIRST


def parse(text: str, *, zone: tzinfo = UTC) -> datetime:
    """The point in time `text` names; without an offset it is read in `zone`. Raises BadValue."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadValue(
            f"{text[:80]!r} is not a point in time.",
            remedy="Write times as 2026-02-14T09:00:00Z.",
        ) from None


def spoken_day(label: str) -> str:
    """A day as people say it: Saturday, 14 February 2026."""
    day = date.fromisoformat(label)
    return f"{_WEEKDAYS[day.weekday()]}, {day.day} {MONTHS[day.month - 1]} {day.year}"


def spoken_date(moment: str, zone: tzinfo) -> str:
    """The day of a stored time, as people in `zone` write it: 3 March 2026."""
    day = parse(moment).astimezone(zone)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def parse_day(text: str) -> date:
    """The calendar day `text` names. Raises BadValue."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadValue(f"{text[:80]!r} is not a day.", remedy="Write days as 2026-02-14.") from None
