"""Time windows: days and points in time of a query, as the user's zone has them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from pydantic import AliasChoices, Field

from palaver.errors import BadValue
from palaver.index.records import Record
from palaver.times import iso, parse, parse_day

_DAY_LENGTH = len("2026-02-14")


class TimeWindow(Record):
    """The window a search applied, in UTC; `to` is exclusive."""

    from_: str | None = Field(
        default=None, validation_alias=AliasChoices("from", "from_"), serialization_alias="from"
    )
    to: str | None = None


def time_window(
    zone: tzinfo,
    *,
    from_: str | date | None = None,
    to: str | date | None = None,
    day: str | date | None = None,
) -> TimeWindow | None:
    """The window that the arguments name, or None for all time. Raises BadValue.

    A day is a whole day of `zone`, as `from`, as `to` (that day included) and as `day`.
    """
    if day is not None:
        if from_ is not None or to is not None:
            raise BadValue("Give either a day, or from and to.", remedy="Leave one of them out.")
        from_ = to = _a_day(day)
    if from_ is None and to is None:
        return None
    since = _moment(from_, zone) if from_ is not None else None
    until = _moment(to, zone, end=True) if to is not None else None
    if since and until and since >= until:
        raise BadValue("The time window ends before it begins.", remedy="Swap from and to.")
    return TimeWindow(from_=iso(since) if since else None, to=iso(until) if until else None)


def _a_day(value: str | date) -> date:
    return parse_day(value) if isinstance(value, str) else value


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
