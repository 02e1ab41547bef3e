"""Time windows: days and points in time of a query, as the user's zone has them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from pydantic import AliasChoices, Field

from palaver.errors import BadValue
from palaver.index.records import Moment, Record
from palaver.times import Clock, iso, parse, parse_day, system_clock

MAX_RECENCY_DAYS = 36_500
_DAY_LENGTH = len("2026-02-14")


class TimeWindow(Record):
    """The window a search applied, in UTC; `to` is exclusive."""

    from_: Moment | None = Field(
        default=None, validation_alias=AliasChoices("from", "from_"), serialization_alias="from"
    )
    to: Moment | None = None


def time_window(
    zone: tzinfo,
    *,
    from_: str | date | None = None,
    to: str | date | None = None,
    day: str | date | None = None,
    recency_days: int = 0,
    clock: Clock = system_clock,
) -> TimeWindow | None:
    """The window that the arguments name, or None for all time. Raises BadValue.

    A day is a whole day of `zone`, as `from`, as `to` (that day included) and as `day`.
    `recency_days` counts back from now, 0 sets no limit; a time that is named overrides it.
    """
    if not 0 <= recency_days <= MAX_RECENCY_DAYS:
        raise BadValue(
            f"{recency_days} days back cannot be searched.",
            remedy=f"Choose 0 (no limit) to {MAX_RECENCY_DAYS} days.",
        )
    if day is not None:
        if from_ is not None or to is not None:
            raise BadValue("Give either a day, or from and to.", remedy="Leave one of them out.")
        from_ = to = _a_day(day, zone)
    if from_ is None and to is None:
        return _recent(recency_days, clock) if recency_days else None
    since = _moment(from_, zone) if from_ is not None else None
    until = _moment(to, zone, end=True) if to is not None else None
    if since and until and since >= until:
        raise _empty(is_moment=to is not None and since == _moment(to, zone))
    return TimeWindow(from_=iso(since) if since else None, to=iso(until) if until else None)


def _empty(*, is_moment: bool) -> BadValue:
    if is_moment:
        return BadValue(
            "from and to are the same moment: nothing lies between them.",
            remedy="Move one of them, or search a whole day with day.",
        )
    return BadValue("The time window ends before it begins.", remedy="Swap from and to.")


def common_window(one: TimeWindow, other: TimeWindow | None) -> TimeWindow | None:
    """The time that two windows have in common; None when there is none."""
    if other is None:
        return one
    since = max(filter(None, (one.from_, other.from_)), default=None)
    until = min(filter(None, (one.to, other.to)), default=None)
    return None if since and until and since >= until else TimeWindow(from_=since, to=until)


def _recent(days: int, clock: Clock) -> TimeWindow:
    return TimeWindow(from_=iso(clock() - timedelta(days=days)))


def _a_day(value: str | date, zone: tzinfo) -> date:
    """The day that `value` is, or lies in."""
    if isinstance(value, str):
        return parse_day(value)
    if isinstance(value, datetime):
        return (value.astimezone(zone) if value.tzinfo else value).date()
    return value


def _moment(value: str | date, zone: tzinfo, *, end: bool = False) -> datetime:
    """The point in time that `value` is, or the start (or the end) of the day that it is."""
    if isinstance(value, str):
        value = parse_day(value) if len(value) <= _DAY_LENGTH else parse(value, zone=zone)
    try:
        if isinstance(value, datetime):
            return (value if value.tzinfo else value.replace(tzinfo=zone)).astimezone(UTC)
        day = value + timedelta(days=1) if end else value
        return datetime.combine(day, time(), zone).astimezone(UTC)
    except OverflowError:
        raise BadValue(f"{value} is too far away.", remedy="Choose a nearer date.") from None
