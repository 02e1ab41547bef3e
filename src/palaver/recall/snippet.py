"""Snippets: the part of a text that shows why it was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from palaver.text import Match, Term, language, matches, occurrences, whole_character, words

LENGTH = 200
ELLIPSIS = "…"
_REACH = 40
"""How far a cut may move to find the end of a word."""
_MOST_MATCHES = 1000


@dataclass(frozen=True, slots=True)
class Snippet:
    """Plain text on one line; `highlights` are the character ranges of what was found."""

    text: str
    highlights: list[tuple[int, int]]


def snippet(
    text: str,
    terms: Sequence[Term],
    *,
    length: int = LENGTH,
    before: bool = False,
    after: bool = False,
) -> Snippet:
    """About `length` characters of `text` around its best match.

    `before` and `after` say whether the text goes on there, so that an ellipsis shows it.
    """
    spoken = language(words(text))
    found = sorted(islice(occurrences(text, terms, spoken), _MOST_MATCHES))
    start, end = _widen(text, *densest(found, length), length)
    shown = " ".join(text[start:end].split())
    lead, trail = _ellipsis(before or start > 0), _ellipsis(after or end < len(text))
    # Without the ellipses, which would have plain text read as if it were spelled unusually.
    marked = [(one + len(lead), other + len(lead)) for one, other in matches(shown, terms, spoken)]
    return Snippet(f"{lead}{shown}{trail}", marked)


def _ellipsis(cut: bool) -> str:
    return ELLIPSIS if cut else ""


def densest(found: Sequence[Match], length: int) -> tuple[int, int]:
    """The first stretch of about `length` characters that holds the most different words.

    `found` is in the order of the text.
    """
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
