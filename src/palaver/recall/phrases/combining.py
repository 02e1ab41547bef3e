"""Times of a query put together: a day and its hours, a range, since and before."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from palaver.recall.phrases.calendar import Calendar, Span
from palaver.recall.phrases.hours import hours
from palaver.recall.phrases.language import Language
from palaver.recall.phrases.languages import LANGUAGES
from palaver.recall.phrases.reading import Reading, meaning, numeric_dates, readings
from palaver.recall.phrases.sense import about_talk, quoted

MOST = 6
"""A query with more times than these is a text, and not a search."""
_REACH = 30
"""How many characters in front of a time are looked at."""
_WORD = re.compile(r"[^\W\d_]+")
_ENDS_SENTENCE = ".?!:;¿¡\n"


@dataclass(frozen=True, slots=True)
class Time:
    """A time of the query, and where it stands; `exact` when it names hours."""

    start: int
    end: int
    span: Span
    reading: Reading | None = None
    weak: bool = False
    exact: bool = False


def times(query: str, folded: str, language: Language, calendar: Calendar) -> list[Time]:
    """The times that `query` names in `language`, in order."""
    reader = _Reader(query, folded, language, calendar)
    plain = reader.plain()
    if len(plain) > MOST:
        return []
    found = [reader.with_hours(time) for time in plain]
    found = [reader.with_operator(time) for time in reader.with_ranges(found)]
    found = reader.with_lists(found)
    return [time for time in found if not time.weak and _is_past(time.span, calendar)]


def _is_past(span: Span, calendar: Calendar) -> bool:
    """Whether some of `span` is over, and it does not end before it begins."""
    if span.start and span.end and span.start >= span.end:
        return False
    return span.start is None or span.start <= calendar.now


@dataclass(frozen=True, slots=True)
class _Reader:
    query: str
    folded: str
    language: Language
    calendar: Calendar

    def plain(self) -> list[Time]:
        """The times that stand by themselves, outside of quotation marks."""
        digits = [Time(*found) for found in numeric_dates(self.folded, self.calendar)]
        words = [
            Time(one.start, one.end, span, one, self._is_weak(one))
            for one in readings(self.folded, self.language)
            if self._is_meant(one) and (span := meaning(one, self.language, self.calendar))
        ]
        taken = [(one.start, one.end) for one in digits] + quoted(self.folded)
        outside = [one for one in words if all(one.end <= a or b <= one.start for a, b in taken)]
        return sorted([*digits, *outside], key=lambda one: one.start)

    def _is_meant(self, reading: Reading) -> bool:
        """Whether its case and the word in front of it let a reading be a time."""
        if self._head("refused", reading.start) or self._is_title(reading):
            return False
        month = reading.match["month"] if reading.rule.capital else ""
        doubtful = month in self.language.doubtful.split()
        return not doubtful or self.query[reading.match.start("month")].isupper()

    def _is_title(self, reading: Reading) -> bool:
        """Whether capital letters make common words a name: Last Week Tonight."""
        if self.query.isupper():
            return False
        before = self.query[: reading.start].rstrip(" \"'“«(")
        begins = not before or before[-1] in _ENDS_SENTENCE
        for word in _WORD.finditer(self.folded, reading.start, reading.end):
            first = word.start() == reading.start
            common = word[0] not in self.language.names
            common &= not begins if first else not self.language.capital_nouns
            if common and self.query[word.start()].isupper():
                return True
        return False

    def _is_weak(self, reading: Reading) -> bool:
        """Whether a reading needs another word of time beside it."""
        bare = self.language.bare_weekdays and reading.rule.kind == "weekday"
        if bare and about_talk(self.folded, self.language):
            return False
        doubtful = reading.match[0] in self.language.doubtful.split()
        return reading.rule.weak or (doubtful and not self._is_at_home())

    def _is_at_home(self) -> bool:
        """Whether small words show that the query is in this language, and not in another."""
        words = _WORD.findall(self.folded)
        others = (other.shared(words) for other in LANGUAGES if other is not self.language)
        return self.language.shared(words) > max(others)

    def _head(self, name: str, start: int) -> re.Match[str] | None:
        pattern = self.language.heads[name]
        return pattern.search(self.folded, max(0, start - _REACH), start)

    def with_hours(self, time: Time) -> Time:
        """`time` with the part of the day and the hours that are named beside it."""
        if time.span.day is None:
            return time
        time, part = self._with_part(time)
        for pattern in self.language.hour_patterns:
            for match in pattern.finditer(self.folded):
                if self._beside(time, match) and (found := self._at(time, match, part)):
                    return found
        return time

    def _with_part(self, time: Time) -> tuple[Time, tuple[int, int] | None]:
        for match in self.language.part_pattern.finditer(self.folded):
            if time.span.day and self._beside(time, match):
                start, end = self.language.parts[match["part"]]
                span = self.calendar.clock(time.span.day, start * 60, end * 60)
                weak = time.reading is not None and time.reading.rule.weak
                return replace(_joined(time, match, span), weak=weak), (start, end)
        return time, None

    def _at(self, time: Time, match: re.Match[str], part: tuple[int, int] | None) -> Time | None:
        """`time` at the hours of `match`, around which the part of the day may stand."""
        time = _joined(time, match, time.span)
        if part is None:
            time, part = self._with_part(time)
        found = hours(match, self.language, part)
        if not found or not time.span.day:
            return None
        return replace(
            time, span=self.calendar.clock(time.span.day, *found), weak=False, exact=True
        )

    def _beside(self, time: Time, match: re.Match[str]) -> bool:
        start, end = match.span()
        if start >= time.end:
            gap = self.folded[time.end : start]
        elif end <= time.start:
            gap = self.folded[end : time.start]
        else:
            return False
        return re.fullmatch(self.language.joiners, gap.strip(" ,")) is not None

    def with_ranges(self, found: list[Time]) -> list[Time]:
        """Two times that are the ends of one range, as one."""
        result: list[Time] = []
        for time in found:
            before = result[-1] if result else None
            if before and (start := self._range_start(before, time)) is not None:
                first = self._before(before, time)
                result[-1] = Time(start, time.end, Span(first.start, time.span.end))
            else:
                result.append(time)
        return result

    def _range_start(self, first: Time, last: Time) -> int | None:
        """Where the range of two times begins, if they are one."""
        between = self.folded[first.end : last.start].strip(" ,")
        for opening, closing in self.language.ranges:
            head = self._head(opening, first.start)
            if head and re.fullmatch(closing, between):
                return head.start()
        return None

    def _before(self, first: Time, last: Time) -> Span:
        """What `first` means when it lies before `last`: from Monday to Wednesday."""
        if first.reading is None or not first.weak or last.span.start is None:
            return first.span
        calendar = Calendar(last.span.start, self.calendar.zone)
        return meaning(first.reading, self.language, calendar) or first.span

    def with_lists(self, found: list[Time]) -> list[Time]:
        """Times of which the first is sure, and the next ones follow it: in January and March."""
        result: list[Time] = []
        for time in found:
            before = result[-1] if result else None
            gap = self.folded[before.end : time.start].strip(" ,") if before else ""
            listed = before and not before.weak and re.fullmatch(self.language.also, gap)
            result.append(replace(time, weak=time.weak and not listed))
        return result

    def with_operator(self, time: Time) -> Time:
        """`time` as it is meant after since, until, before or after."""
        span = time.span
        for name, meant in (
            ("since", Span(span.start)),
            ("until", Span(None, span.end)),
            ("before", Span(None, span.start)),
            ("after", Span(span.end)),
        ):
            if head := self._head(name, time.start):
                return replace(time, start=head.start(), span=meant, weak=False)
        return time


def _joined(time: Time, match: re.Match[str], span: Span) -> Time:
    start, end = min(time.start, match.start()), max(time.end, match.end())
    return replace(time, start=start, end=end, span=span, weak=False)
