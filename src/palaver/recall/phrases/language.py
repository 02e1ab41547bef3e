"""What one language says about time: its words, and the patterns they stand in.

Everything is written in lower case and without diacritics, as the folded query is. In a pattern a
space is any short gap, and `{month}` and the like stand for the words of the language:

`{n}` a number · `{unit}` week, month … · `{span}` week, weekend, month, year · `{period}` hour,
week, month, year · `{weekend}` · `{moment}` this morning ·
`{day}` yesterday · `{part}` morning · `{weekday}` · `{month}` · `{mon}` a month, also shortened ·
`{dom}`, `{dom2}` days of a month · `{year}` · `{wd}` a weekday that only repeats the date ·
`{h}`, `{h2}` hours in digits · `{hw}`, `{hw2}` hours, also in words · `{dash}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal[
    "ago",
    "date",
    "day",
    "last",
    "month",
    "part",
    "past_month",
    "this",
    "trailing",
    "weekday",
    "year",
]
Unit = Literal["minute", "hour", "day", "week", "weekend", "fortnight", "month", "year"]

GAP = r"[ ,]{1,3}"
_WORD = re.compile(r"[^\W\d_]+")
_SPACE = re.compile(r" (?![?\]])")
_BEFORE = r"(?<![\w.'/-])"
_AFTER = r"(?:'s)?(?!\w|[.'/:-]\w|[%€$£])"


@dataclass(frozen=True)
class Rule:
    """A pattern, and how what it finds is read.

    A `weak` one is a time only beside another word of time: "since March", "Tuesday at 3 pm".
    With `capital`, a doubtful month must begin with a capital letter: "May 3", but not "may 3".
    """

    kind: Kind
    pattern: str
    weak: bool = False
    capital: bool = False


@dataclass(frozen=True)
class Language:
    """The words of time of one language."""

    months: str
    """January to December, in order; forms of one month are joined by `|`."""
    weekdays: str
    """Monday to Sunday, in order."""
    units: Mapping[Unit, str]
    numbers: str
    """One, two, three …, in order; forms of one number are joined by `|`."""
    days: Mapping[str, int]
    """Words for a day, and how many days from today it lies."""
    parts: Mapping[str, tuple[int, int]]
    """Parts of a day, and the hours from which and until which they last."""
    moments: Mapping[str, tuple[int, int, int]]
    """This morning, last night: how many days from today, and the hours as above."""
    rules: tuple[Rule, ...]
    hours: tuple[str, ...]
    """Patterns of `{h}` and `{h2}`: from and until when, or at what time, on a day.

    A group `op` holds the word in front; a group `clock`, a word that only hours follow.
    """
    noon: str
    joiners: str
    """What may stand between a day and its hours or its part."""
    since: str
    until: str
    before: str
    after: str
    ranges: tuple[tuple[str, str], ...]
    """Between … and, from … to."""
    also: str
    """And, or."""
    refused: str
    """Words in front of a time that make it another: every Monday, next May."""
    talk: str
    """A pattern that finds a query about what was said here."""
    asking: str
    """Words that make a query a question or a sentence, and not a list of words."""
    idle: str
    """Words with which a query asks for nothing but a time: what did I do yesterday."""
    short_months: str = ""
    """As `months`, with `-` for a month that is not shortened, or only to another word."""
    doubtful: str = ""
    """Words of time that are also others: may; hier, which is "here" in German."""
    capital_nouns: bool = False
    bare_weekdays: bool = False
    """Whether a weekday needs no word in front of it: qu'avons-nous dit mardi."""
    year_words: str = ""
    """What may stand between a month and its year."""

    @cached_property
    def names(self) -> frozenset[str]:
        """The words for months and weekdays."""
        return frozenset(_WORD.findall(f"{self.months} {self.short_months} {self.weekdays}"))

    @cached_property
    def triggers(self) -> frozenset[str]:
        """Words of which a phrase holds at least one."""
        long = (max(text.split(), key=len) for text in (*self.days, *self.moments))
        return self.names.union(_WORD.findall(" ".join((*self.units.values(), *long))))

    @cached_property
    def _plain_words(self) -> frozenset[str]:
        return frozenset(f"{self.asking} {self.idle}".split())

    def shared(self, words: Iterable[str]) -> int:
        """How many of `words` are small words of this language."""
        return len(self._plain_words.intersection(words))

    @cached_property
    def patterns(self) -> tuple[tuple[Rule, re.Pattern[str]], ...]:
        return tuple((rule, self.compiled(rule.pattern)) for rule in self.rules)

    @cached_property
    def hour_patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(self.compiled(pattern) for pattern in self.hours)

    @cached_property
    def part_pattern(self) -> re.Pattern[str]:
        return self.compiled("{part}")

    @cached_property
    def heads(self) -> dict[str, re.Pattern[str]]:
        """What may stand in front of a time and change its meaning."""
        words = {"since": self.since, "until": self.until, "before": self.before}
        words |= {"after": self.after, "refused": self.refused.replace(" ", "|")}
        words |= {between: between for between, _ in self.ranges}
        return {name: _head(pattern) for name, pattern in words.items()}

    def compiled(self, pattern: str) -> re.Pattern[str]:
        for slot, meaning in self._slots.items():
            pattern = pattern.replace(f"{{{slot}}}", meaning)
        return re.compile(_BEFORE + _SPACE.sub(GAP, pattern) + _AFTER)

    @cached_property
    def _slots(self) -> dict[str, str]:
        day = r"\d{1,2})(?:st|nd|rd|th|er|\.|º|°|e)?"
        spans = " ".join(self.units[unit] for unit in ("week", "weekend", "month", "year"))
        periods = " ".join(self.units[unit] for unit in ("hour", "week", "month", "year"))
        noon = _any(_forms(self.noon))
        worded = "|".join((r"\d{1,2}", noon, *_forms(self.numbers)[3:]))
        return {
            "n": rf"(?P<n>\d{{1,3}}|{_any(_forms(self.numbers))})",
            "unit": f"(?P<unit>{_any(_forms(' '.join(self.units.values())))})",
            "span": f"(?P<unit>{_any(_forms(spans))})",
            "period": f"(?P<unit>{_any(_forms(periods))})",
            "weekend": f"(?P<unit>{_any(_forms(self.units['weekend']))})",
            "day": f"(?P<day>{_any(self.days)})",
            "part": f"(?P<part>{_any(self.parts)})",
            "moment": f"(?P<moment>{_any(self.moments)})",
            "weekday": f"(?P<weekday>{_any(_forms(self.weekdays))})",
            "wd": f"(?:(?:{_any(_forms(self.weekdays))}) )?",
            "month": f"(?P<month>{_any(_forms(self.months))})",
            "mon": rf"(?P<month>{_any(_forms(self.months + ' ' + self.short_months))})\.?",
            "dash": " ?[-\u2013] ?",
            "dom": f"(?P<dom>{day}",
            "dom2": f"(?P<dom2>{day}",
            "year": rf"(?:{self.year_words})?(?P<year>(?:19|20)\d\d)",
            "h": _time("h", rf"\d{{1,2}}|{noon}"),
            "h2": _time("h2", rf"\d{{1,2}}|{noon}"),
            "hw": _time("h", worded),
            "hw2": _time("h2", worded),
        }

    def number(self, text: str) -> int:
        return int(text) if text.isdecimal() else self.place(self.numbers, text)

    def month(self, text: str) -> int:
        return self.place(self.months, text) or self.place(self.short_months, text)

    def weekday(self, text: str) -> int:
        return self.place(self.weekdays, text) - 1

    def unit(self, text: str) -> Unit:
        return next(unit for unit, forms in self.units.items() if text in _forms(forms))

    @staticmethod
    def place(listed: str, text: str) -> int:
        """The place of `text` in a list, from 1; 0 when it is not there."""
        places = enumerate(listed.split(), 1)
        return next((place for place, one in places if text in _forms(one)), 0)


def _forms(listed: str) -> list[str]:
    return [form.replace("_", " ") for one in listed.split() for form in one.split("|")]


def _any(forms: Iterable[str]) -> str:
    """A pattern for any of `forms`, the longest that fits."""
    return "|".join(sorted(forms, key=len, reverse=True))


def _head(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-])(?:{pattern.replace('_', ' ')}){GAP}$")


def _time(name: str, hour: str) -> str:
    """A pattern for an hour, its minutes, and what marks it as one."""
    mark = r"[ap]\.?m\b\.?|uhr|h(?:eures?|oras?)?|uur|ore"
    return rf"(?P<{name}>{hour})(?:[:.h](?P<{name}m>[0-5]\d))?(?: ?(?P<{name}mark>{mark}))?"
