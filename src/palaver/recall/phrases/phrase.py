"""From a query to the window of time that it names, and the words that name it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache, reduce

from palaver.recall.phrases.calendar import Calendar, Span
from palaver.recall.phrases.combining import Time, times
from palaver.recall.phrases.language import Language
from palaver.recall.phrases.languages import LANGUAGES
from palaver.recall.phrases.sense import about_talk, asks_for_anything, asks_what_was_said
from palaver.recall.phrases.signs import asks_in_signs, is_idle, times_in_signs
from palaver.recall.window import TimeWindow
from palaver.times import iso

LONGEST = 1000
"""A longer query is a text that was pasted: its times are not when to search."""
_DIGITS = re.compile(r"\d{4}")
_WORDS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The window that a query names, and where in the query it does."""

    window: TimeWindow
    spans: tuple[tuple[int, int], ...]
    alone: bool = False
    """Whether the query asks for nothing else."""

    def words(self, query: str) -> str:
        """The words of `query` that name the window."""
        return " ".join(query[start:end].strip() for start, end in self.spans)

    def rest(self, query: str) -> str:
        """`query` without the words that name the window."""
        return _without(query, self.spans)


def read_phrase(query: str, now: datetime, zone: tzinfo) -> Phrase | None:
    """The window that `query` names with words such as "last March", read in `zone`.

    None when it names none, or when a window could hide what is looked for.
    """
    if len(query) > LONGEST:
        return None
    folded = fold(query)
    calendar = Calendar(now, zone)
    if signs := times_in_signs(folded, calendar):
        return _phrase_in_signs(folded, signs)
    words = set(_WORDS.findall(folded))
    spoken = [language for language in LANGUAGES if words & language.triggers]
    if not spoken and not _DIGITS.search(folded):
        return None
    spoken = spoken or [max(LANGUAGES, key=lambda language: language.shared(words))]
    found = [(times(query, folded, language, calendar), language) for language in spoken]
    best, language = max(found, key=lambda pair: (_covered(pair[0]), pair[1].shared(words)))
    return _phrase(folded, best, language) if best else None


def asks_for_all(query: str) -> bool:
    """Whether a query asks for all that was said at a time that is named beside it: "what did we
    decide?". A word alone is looked for."""
    if len(query) > LONGEST or len(query.split()) == 1:
        return False
    folded = fold(query)
    return any(
        about_talk(folded, language) and asks_for_anything(folded, language)
        for language in LANGUAGES
    )


def _phrase(folded: str, found: list[Time], language: Language) -> Phrase | None:
    spans = _joined(sorted((time.start, time.end) for time in found))
    exact = any(time.exact for time in found)
    rest = _without(folded, spans)
    if not exact and not asks_what_was_said(folded, rest, language):
        return None
    window = _window([time.span for time in found])
    return window and Phrase(window, spans, alone=asks_for_anything(rest, language))


def _phrase_in_signs(folded: str, found: list[tuple[int, int, Span]]) -> Phrase | None:
    spans = tuple((start, end) for start, end, _ in found)
    rest = _without(folded, spans)
    if not asks_in_signs(folded, rest):
        return None
    window = _window([span for *_, span in found])
    return window and Phrase(window, spans, alone=is_idle(rest))


def _window(spans: Sequence[Span]) -> TimeWindow | None:
    """The shortest window that holds all of them; None for all time."""
    span = reduce(Span.hull, spans)
    since, until = span.start and iso(span.start), span.end and iso(span.end)
    return TimeWindow(from_=since, to=until) if since or until else None


def _covered(found: list[Time]) -> int:
    return sum(time.end - time.start for time in found)


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans in order; two that share a word ("yesterday 14h yesterday") are one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split())


def fold(text: str) -> str:
    """`text` in lower case and without diacritics, each character in its place."""
    return text.lower() if text.isascii() else "".join(map(_fold_one, text))


@lru_cache(maxsize=4096)
def _fold_one(char: str) -> str:
    if char.isspace():
        return " "
    if char in "\u2019\u02bc":
        return "'"
    bare = unicodedata.normalize("NFKD", char)[0].lower()
    return bare if len(bare) == 1 else char
