"""Chinese and Japanese times: they stand inside a run of signs, without spaces around them.

What is a time there is often a part of a name (昨日方舟), so a word is one only when it stands by
itself, or when the query is about talking.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial
from operator import itemgetter

from palaver.recall.phrases.calendar import Calendar, Span

_Meaning = Callable[[Calendar], Span | None]
_WORDS: dict[str, _Meaning] = {
    "昨天|昨日": lambda calendar: calendar.offset(-1),
    "前天|一昨日": lambda calendar: calendar.offset(-2),
    "今天|今日": lambda calendar: calendar.offset(0),
    "上[个個]?(?:周|週|星期|礼拜|禮拜)|先週": lambda calendar: calendar.last("week"),
    "上[个個]?月|先月": lambda calendar: calendar.last("month"),
    "去年|昨年": lambda calendar: calendar.last("year"),
    "[这這本](?:周|週)|今週": lambda calendar: calendar.this("week"),
    "[这這][个個]月|本月|今月": lambda calendar: calendar.this("month"),
}
_WORD = re.compile("|".join(f"({words})" for words in _WORDS))
_DATE = re.compile(r"(?<!\d)(?:(\d{4})年 ?)?(\d{1,2})月 ?(\d{1,2})[日号號]")
_MOST = 6
"""A query with more times than these is a text, and not a search."""
_QUOTING = "「『《〈“\"'"
_TALK = re.compile(r"(?<!小)[说說]|聊|[谈談]|[讨討][论論]|提到|(?<![电電])[话話]|言[っい]|相談")
_ASKING = re.compile(r"\?|什[么麼]|怎|[谁誰哪吗嗎何]|多少|いつ|とこ|なせ")
_IDLE = re.compile(
    r"(?:我们|我們|[我你和跟了过過的都些在呢吗嗎]|什[么麼]|事情?|私(?:たち)?|何|し(?:てい)?(?:まし)?た|"
    r"(?:てい)?(?:まし)?た|こと|について|[はかをにのとて]|[\s?。、,])*+"
)
"""Taken as it comes, sign by sign: a long query costs no more."""


def times_in_signs(folded: str, calendar: Calendar) -> list[tuple[int, int, Span]]:
    """The times that a query names, where they stand, and what they mean."""
    found = [(one, partial(_dated, one)) for one in _DATE.finditer(folded)]
    talks = _TALK.search(folded) is not None
    found += [
        (one, meaning)
        for one in _WORD.finditer(folded)
        if talks or _stands_alone(folded, one)
        for meaning in [list(_WORDS.values())[(one.lastindex or 1) - 1]]
    ]
    times = [
        (*match.span(), span)
        for match, meaning in found
        if folded[: match.start()][-1:] not in tuple(_QUOTING)
        and (span := meaning(calendar)) is not None
        and _has_begun(span, calendar.now)
    ]
    return sorted(times, key=itemgetter(0)) if len(times) <= _MOST else []


def asks_in_signs(folded: str, rest: str) -> bool:
    """Whether the query is about talking, a mere list of words, or about nothing but a time."""
    return bool(_TALK.search(folded) or is_idle(rest) or not _ASKING.search(folded))


def is_idle(rest: str) -> bool:
    """Whether the query asks for all that was said at a time; `rest` is without the time."""
    return _IDLE.fullmatch(_TALK.sub("", rest)) is not None


def _stands_alone(folded: str, match: re.Match[str]) -> bool:
    around = folded[: match.start()][-1:] + folded[match.end() :][:1]
    return not any(map(str.isalnum, around))


def _dated(match: re.Match[str], calendar: Calendar) -> Span | None:
    year, month, day = (int(part) if part else None for part in match.groups())
    if not month or not day or month > 12:
        return None
    return calendar.date(month, day, day, year)


def _has_begun(span: Span, now: datetime) -> bool:
    return span.start is not None and span.start <= now
