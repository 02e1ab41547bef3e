"""Hours of a day: "between 2 and 4 pm", "um 14 Uhr", "at half past three"."""

from __future__ import annotations

import re

from palaver.recall.phrases.language import Language

_DAY = 24 * 60
_HALF_DAY = 12 * 60
_AROUND = 60
"""How many minutes around a single time are meant by it."""
_AFTERNOON = range(1, 6)
"""Hours that mean the afternoon when nothing else is said: few people write at night."""


def hours(
    match: re.Match[str], language: Language, part: tuple[int, int] | None
) -> tuple[int, int] | None:
    """From which minute of the day until which, or None when that is in doubt.

    `part` is the part of the day that is named beside it. Where both halves of the day can be
    meant, the answer reaches over both.
    """
    words = match.groupdict()
    if words.get("h2") is None:
        return _single(words, language, part)
    if words.get("op") is None and not (words["hmark"] or words["h2mark"] or words["h2m"]):
        return None
    plain = words["hmark"] is None and words["h2mark"] is None
    starts = _times(words, "h", language, part, plain=plain)
    ends = _times(words, "h2", language, part, plain=plain)
    pairs = [(start, end) for start in starts for end in ends if start < end]
    pairs = pairs or [(start, end + _DAY) for start in starts for end in ends]
    if not pairs:
        return None
    shortest = min(end - start for start, end in pairs)
    fitting = [pair for pair in pairs if pair[1] - pair[0] == shortest]
    return min(start for start, _ in fitting), max(end for _, end in fitting)


def _single(
    words: dict[str, str | None], language: Language, part: tuple[int, int] | None
) -> tuple[int, int] | None:
    marked = words["hmark"] or words["hm"] or words.get("clock") or part
    if not marked and str(words["h"]).isdecimal():
        return None
    times = _times(words, "h", language, part, plain=words["hmark"] is None)
    if not times:
        return None
    op = words.get("op") or ""
    if re.match(rf"(?:{language.after}|{language.since})\b", op):
        return min(times), _DAY
    if re.match(rf"(?:{language.before}|{language.until})\b", op):
        return 0, max(times)
    return max(min(times) - _AROUND, 0), max(times) + _AROUND


def _times(
    words: dict[str, str | None],
    name: str,
    language: Language,
    part: tuple[int, int] | None,
    *,
    plain: bool,
) -> list[int]:
    """The minutes of the day that one time can mean."""
    text, mark = words[name] or "", words[f"{name}mark"] or ""
    hour = language.number(text) or 12
    minute = hour * 60 + int(words[f"{name}m"] or 0)
    if hour > 24 or (mark[:1] in ("a", "p") and not 1 <= hour <= 12):
        return []
    early, late = minute % _HALF_DAY, minute % _HALF_DAY + _HALF_DAY
    if mark[:1] in ("a", "p"):
        return [early if mark[0] == "a" else late]
    if hour > 12 or text.startswith("0"):
        return [minute]
    if not text.isdecimal() and language.number(text) == 0:
        return [late]
    if part is not None:
        return [late if part[0] >= 12 else early]
    return [late] if plain and hour in _AFTERNOON else [early, late]
