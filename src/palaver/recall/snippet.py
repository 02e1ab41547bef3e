"""Snippets: the part of a text that shows why it was found."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from palaver.recall.query import fold, spans

LENGTH = 200
ELLIPSIS = "…"
_ZERO_WIDTH_JOINER = "\u200d"
_REACH = 40
"""How far a cut may move to find the end of a word."""
_MOST_MATCHES = 1000


@dataclass(frozen=True, slots=True)
class Snippet:
    """Plain text on one line; `highlights` are the character ranges of the words found."""

    text: str
    highlights: list[tuple[int, int]]


def snippet(text: str, words: Collection[str], *, length: int = LENGTH) -> Snippet:
    """About `length` characters of `text` around its best match."""
    folded = {fold(word) for word in words}
    start, end = _widen(text, *densest(matches(text, folded), length), length)
    shown = " ".join(text[start:end].split())
    shown = f"{ELLIPSIS if start else ''}{shown}{ELLIPSIS if end < len(text) else ''}"
    return Snippet(shown, [(match.start, match.end) for match in matches(shown, folded)])


class Match(NamedTuple):
    """A word of a text that was looked for."""

    start: int
    end: int
    word: str


def matches(text: str, folded: Collection[str]) -> list[Match]:
    """The words of `text` that are among the `folded` ones; of very many, the first."""
    found = (
        Match(start, end, word)
        for start, end in spans(text)
        if (word := fold(text[start:end])) in folded
    )
    return list(islice(found, _MOST_MATCHES))


def densest(found: Sequence[Match], length: int) -> tuple[int, int]:
    """The first stretch of about `length` characters that holds the most different words."""
    held, last = Counter[str](), 0
    best, most = (0, 0), 0
    for first in found:
        while last < len(found) and (last == 0 or found[last].end <= first.start + length):
            held[found[last].word] += 1
            last += 1
        if len(held) > most:
            best, most = (first.start, found[last - 1].end), len(held)
        held[first.word] -= 1
        if not held[first.word]:
            del held[first.word]
    return best


def _widen(text: str, start: int, end: int, length: int) -> tuple[int, int]:
    """Spreads a stretch to `length` on both sides, then pulls the cuts back to words."""
    spare = max(length - (end - start), 0)
    left = max(start - spare // 2, 0)
    right = min(max(left + length, end), len(text))
    left = max(min(left, right - length), 0)
    return _cut_right(text, left, start), _cut_left(text, right, end)


def _cut_right(text: str, cut: int, limit: int) -> int:
    """The beginning of a word at or after `cut`, at most at `limit`."""
    if cut == 0:
        return 0
    for place in range(cut, min(limit, cut + _REACH) + 1):
        if text[place - 1].isspace():
            return place
    return whole_character(text, cut)


def _cut_left(text: str, cut: int, limit: int) -> int:
    """The end of a word at or before `cut`, at least at `limit`."""
    if cut == len(text):
        return cut
    for place in range(cut, max(limit, cut - _REACH) - 1, -1):
        if text[place].isspace():
            return place
    return max(whole_character(text, cut), limit)


def whole_character(text: str, cut: int) -> int:
    """`cut`, moved left out of the middle of what is one character to a reader."""
    lowest = max(cut - _REACH, 0)
    while lowest < cut < len(text) and _continues(text, cut):
        cut -= 1
    return cut


def _continues(text: str, place: int) -> bool:
    char = text[place]
    return (
        unicodedata.category(char).startswith("M")
        or char == _ZERO_WIDTH_JOINER
        or text[place - 1] == _ZERO_WIDTH_JOINER
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
    )
