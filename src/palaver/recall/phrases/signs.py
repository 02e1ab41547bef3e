"""Chinese and Japanese times: they stand inside a run of signs, without spaces around them.

What is a time there is often a part of a name (昨日方舟), so a word is one only when it stands by
itself, or when the query is about talking. Even then it is none where its signs may belong to the
words beside it (日本周边), or where these make another time of it (大前天, 上周三).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial
from operator import itemgetter

from palaver.recall.phrases.calendar import Calendar, Span

_Meaning = Callable[[Calendar], Span | None]
_OPEN = r"(?:(?<!\w)|(?<=[我你您他她们們在从從自到和跟与與是的得了过過找查于於对對论論聊说說谈談]))"
"""Nothing stands before, or a sign that begins no word with 上, 前 or 本 (as 马, 目 and 日 do)."""
_WEEK = r"(?:[周週]|星期|礼拜|禮拜)(?![\d一二三四五六日天末几幾到边邊围圍期年刊])"
"""A whole week: no day of it, not until now, and no other word (周边)."""
_MONTH = "月(?![亮光球色饼餅])"
_LAST_YEAR = "(?<![过過失])去年|(?<!一)昨年"
_WORDS: dict[str, _Meaning] = {
    "(?<![一昨])(?:昨天|昨日(?!方舟|の世界))": lambda calendar: calendar.offset(-1),
    f"{_OPEN}(?<![从從跟])前天(?![气氣天])|一昨日": lambda calendar: calendar.offset(-2),
    "(?<!前[の的])(?:今天|今日(?!头条|頭條|子))": lambda calendar: calendar.offset(0),
    f"{_OPEN}上[个個]?{_WEEK}|先週(?!末)": lambda calendar: calendar.last("week"),
    f"{_OPEN}上[个個]?{_MONTH}|先月": lambda calendar: calendar.last("month"),
    _LAST_YEAR: lambda calendar: calendar.last("year"),
    f"(?:[这這]|{_OPEN}本){_WEEK}|今週(?!末)": lambda calendar: calendar.this("week"),
    f"[这這][个個]月|{_OPEN}本{_MONTH}|今月": lambda calendar: calendar.this("month"),
}
_WORD = re.compile("|".join(f"({words})" for words in _WORDS))
_DATE = re.compile(
    rf"(?<![\d年])(?<!年[ の的])(?:(?:(\d{{4}})年|({_LAST_YEAR})|(今年))[ の的]?)?"
    r"(\d{1,2})月 ?(\d{1,2})[日号號]"
)
_YEARS = range(1900, 2100)
"""No other year is one that somebody remembers."""
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
    dated = {place for one, _ in found for place in range(*one.span())}
    talks = _TALK.search(folded) is not None
    found += [
        (one, meaning)
        for one in _WORD.finditer(folded)
        if one.start() not in dated and (talks or _stands_alone(folded, one))
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
    digits, last_year, this_year, month, day = match.groups()
    year = int(digits) if digits else None
    if last_year or this_year:
        year = calendar.today.year - bool(last_year)
    if (year is not None and year not in _YEARS) or not 1 <= int(month) <= 12 or not int(day):
        return None
    return calendar.date(int(month), int(day), int(day), year)


def _has_begun(span: Span, now: datetime) -> bool:
    return span.start is not None and span.start <= now
