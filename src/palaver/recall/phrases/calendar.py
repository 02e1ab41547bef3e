"""The stretch of time that a reading means, on the user's calendar and clock."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from palaver.recall.phrases.language import Unit

DAY = timedelta(days=1)
_TICK = timedelta(microseconds=1)
_HALF = {"week": 3, "weekend": 3, "fortnight": 3, "month": 15, "year": 182}
"""Half of a unit in days: how far around the day "three weeks ago" may lie."""
_SHORT = {"minute": timedelta(minutes=15), "hour": timedelta(hours=1)}
"""How far around the moment "two hours ago" may lie."""
_DAYS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
_LONG_AGO = 30 * 366
_YEARS_WITH_LEAP_DAY = 8


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in UTC, `end` exclusive; `day` when it lies in one day of the user."""

    start: datetime | None = None
    end: datetime | None = None
    day: date | None = None

    def hull(self, other: Span) -> Span:
        """The shortest stretch that holds both."""
        starts = [one.start for one in (self, other) if one.start]
        ends = [one.end for one in (self, other) if one.end]
        return Span(
            min(starts) if len(starts) == 2 else None, max(ends) if len(ends) == 2 else None
        )


class Calendar:
    """Days, weeks and months around `now`, in `zone`. What does not exist is None."""

    def __init__(self, now: datetime, zone: tzinfo) -> None:
        self.now = now.astimezone(UTC)
        self.zone = zone
        self.today = now.astimezone(zone).date()

    def days(self, first: date, last: date) -> Span:
        """Whole days, `last` included."""
        day = first if first == last else None
        return Span(self._instant(first, 0), self._end(last, 24 * 60), day)

    def clock(self, day: date, start: int, end: int) -> Span:
        """From one minute of `day` until another; more than 24 hours reach into the next."""
        return Span(self._instant(day, start), self._end(day, end), day)

    def offset(self, days: int) -> Span:
        return self.days(self.today + days * DAY, self.today + days * DAY)

    def moment(self, days: int, start: int, end: int) -> Span:
        """From one hour until another of the day that lies so many days from today."""
        return self.clock(self.today + days * DAY, start * 60, end * 60)

    def ago(self, n: int, unit: Unit) -> Span | None:
        """About that long ago: the day, or the calendar unit and half a unit around the day."""
        if unit in _SHORT:
            moment = self.now - n * timedelta(**{f"{unit}s": 1})
            return Span(moment - _SHORT[unit], moment + _SHORT[unit])
        day = self._back(n, unit)
        if day is None:
            return None
        if unit == "day":
            return self.days(day, day)
        first, last = _around(day, unit)
        half = _HALF[unit] * DAY
        return self.days(min(first, day - half), min(max(last, day + half), self.today))

    def trailing(self, n: int, unit: Unit) -> Span | None:
        """The last `n` units, until now."""
        if unit in _SHORT:
            return Span(self.now - n * timedelta(**{f"{unit}s": 1}))
        day = self._back(n, unit)
        return Span(self._instant(day, 0)) if day else None

    def last(self, unit: Unit) -> Span | None:
        """The calendar unit before this one; of weekends, the last that is over."""
        if unit == "weekend":
            monday = self.today - self.today.weekday() * DAY
            return self.days(monday - 2 * DAY, monday - DAY)
        first, _ = _around(self.today, unit)
        return self.days(*_around(first - DAY, unit))

    def this(self, unit: Unit) -> Span | None:
        if unit == "weekend":
            saturday = self.today + (5 - self.today.weekday()) * DAY
            return self.days(saturday, saturday + DAY)
        return self.days(*_around(self.today, unit))

    def weekday(self, weekday: int) -> Span:
        """The last such day before today."""
        day = self.today - ((self.today.weekday() - weekday - 1) % 7 + 1) * DAY
        return self.days(day, day)

    def month(self, month: int, year: int | None = None, *, over: bool = False) -> Span:
        """A month; without its year the last that has begun, or that is `over`."""
        if year is None:
            latest = self.today.month - over
            year = self.today.year - (month > latest)
        return self.days(*_around(date(year, month, 1), "month"))

    def year(self, year: int) -> Span:
        return self.days(date(year, 1, 1), date(year, 12, 31))

    def date(self, month: int, first: int, last: int, year: int | None = None) -> Span | None:
        """Days of one month; without its year the last that have begun."""
        if first > last:
            return None
        latest = self.today.year
        years = [year] if year else range(latest, latest - _YEARS_WITH_LEAP_DAY - 1, -1)
        for one in years:
            if last <= monthrange(one, month)[1]:
                begins = date(one, month, max(first, 1))
                if year or begins <= self.today:
                    return self.days(begins, date(one, month, last))
        return None

    def _back(self, n: int, unit: Unit) -> date | None:
        """The day that lies `n` units back, if anybody can remember it."""
        if unit in _DAYS:
            days = n * _DAYS[unit]
            return self.today - days * DAY if days <= _LONG_AGO else None
        months = n if unit == "month" else 12 * n
        if months > _LONG_AGO // 30:
            return None
        year, month = divmod(self.today.year * 12 + self.today.month - 1 - months, 12)
        return date(year, month + 1, min(self.today.day, monthrange(year, month + 1)[1]))

    def _instant(self, day: date, minute: int) -> datetime:
        return self._local(day, minute).astimezone(UTC)

    def _end(self, day: date, minute: int) -> datetime:
        """The end of a stretch: where clocks go back, the later of the two."""
        last = self._local(day, minute) - _TICK
        return max(last.replace(fold=fold).astimezone(UTC) for fold in (0, 1)) + _TICK

    def _local(self, day: date, minute: int) -> datetime:
        return datetime.combine(day, time(), self.zone) + timedelta(minutes=minute)


def _around(day: date, unit: Unit) -> tuple[date, date]:
    """The first and the last day of the calendar week, month or year that `day` lies in."""
    if unit == "month":
        return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    if unit == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    monday = day - day.weekday() * DAY
    return monday, monday + 6 * DAY
