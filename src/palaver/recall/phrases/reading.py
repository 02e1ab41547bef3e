"""Where a query says when, in one language, and what each place means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from palaver.recall.phrases.calendar import Calendar, Span
from palaver.recall.phrases.language import Kind, Language, Rule, Unit

_ISO = re.compile(r"(?<![\w./:-])(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?![\w/:-]|\.\d)")
_DOTTED = re.compile(r"(?<![\w./:-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\w/:-]|\.\d)")
_SLASHED = re.compile(r"(?<![\w./:-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?![\w/:-]|\.\d)")
_YEARS_BACK = 10
"""A year alone is a time only when it is one of the last: before that it is mostly history."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A place of the query that may say when."""

    rule: Rule
    match: re.Match[str]

    @property
    def start(self) -> int:
        return self.match.start()

    @property
    def end(self) -> int:
        return self.match.end()


def readings(folded: str, language: Language) -> list[Reading]:
    """What the patterns find, in order: of those that overlap, the longest."""
    found = [
        Reading(rule, match)
        for rule, pattern in language.patterns
        for match in pattern.finditer(folded)
    ]
    kept: list[Reading] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.rule.weak)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def meaning(reading: Reading, language: Language, calendar: Calendar) -> Span | None:
    """The time that `reading` means, or None when there is no such time."""
    return _MEANINGS[reading.rule.kind](_Words(reading.match, language), calendar)


class _Words:
    """What stands in the places of a pattern."""

    def __init__(self, match: re.Match[str], language: Language) -> None:
        self._found = {name: text for name, text in match.groupdict().items() if text}
        self._language = language

    @property
    def number(self) -> int:
        return self._language.number(self._found["n"]) if "n" in self._found else 1

    @property
    def unit(self) -> Unit:
        return self._language.unit(self._found["unit"])

    @property
    def offset(self) -> int:
        return self._language.days[self._found["day"]]

    @property
    def moment(self) -> tuple[int, int, int]:
        return self._language.moments[self._found["moment"]]

    @property
    def weekday(self) -> int:
        return self._language.weekday(self._found["weekday"])

    @property
    def month(self) -> int:
        return self._language.month(self._found["month"])

    @property
    def year(self) -> int | None:
        return int(self._found["year"]) if "year" in self._found else None

    @property
    def days(self) -> tuple[int, int]:
        first = int(self._found["dom"])
        return first, int(self._found.get("dom2", first))


def _year(words: _Words, calendar: Calendar) -> Span | None:
    recent = words.year and words.year >= calendar.today.year - _YEARS_BACK
    return calendar.year(words.year) if words.year and recent else None


_MEANINGS: dict[Kind, Callable[[_Words, Calendar], Span | None]] = {
    "ago": lambda words, calendar: calendar.ago(words.number, words.unit),
    "date": lambda words, calendar: calendar.date(words.month, *words.days, words.year),
    "day": lambda words, calendar: calendar.offset(words.offset),
    "last": lambda words, calendar: calendar.last(words.unit),
    "month": lambda words, calendar: calendar.month(words.month, words.year),
    "part": lambda words, calendar: calendar.moment(*words.moment),
    "past_month": lambda words, calendar: calendar.month(words.month, over=True),
    "this": lambda words, calendar: calendar.this(words.unit),
    "trailing": lambda words, calendar: calendar.trailing(words.number, words.unit),
    "weekday": lambda words, calendar: calendar.weekday(words.weekday),
    "year": _year,
}


def numeric_dates(text: str, calendar: Calendar) -> Iterator[tuple[int, int, Span]]:
    """Dates in digits whose order of day and month is beyond doubt."""
    for match in _ISO.finditer(text):
        yield from _one(match, calendar, int(match[1]), int(match[3]), int(match[4]))
    for match in _DOTTED.finditer(text):
        yield from _one(match, calendar, int(match[3]), int(match[2]), int(match[1]))
    for match in _SLASHED.finditer(text):
        first, second = int(match[1]), int(match[3])
        if first > 12 or first == second:
            yield from _one(match, calendar, int(match[4]), second, first)
        elif second > 12:
            yield from _one(match, calendar, int(match[4]), first, second)


def _one(
    match: re.Match[str], calendar: Calendar, year: int, month: int, day: int
) -> Iterator[tuple[int, int, Span]]:
    try:
        named = date(year, month, day)
        yield (*match.span(), calendar.days(named, named))
    except (ValueError, OverflowError):
        return
