"""Clipping: the head and the tail of a text, with a word about what is missing between them."""

from __future__ import annotations

from typing import NamedTuple

from palaver.context.tokens import CHARACTERS, TokenCounter
from palaver.text import whole_character


class Cut(NamedTuple):
    """How many characters of a text are shown, at its beginning and at its end."""

    head: int
    tail: int


def clipped(text: str, cut: Cut) -> str:
    """What is shown of `text`."""
    end = len(text) - cut.tail
    return f"{text[: cut.head]}\n[{end - cut.head:,} characters left out]\n{text[end:]}"


def longest_cut(text: str, most: int, counter: TokenCounter) -> Cut | None:
    """About as much of `text` as `most` tokens show, never more; None when they show nothing."""
    shown = min(len(text) - 1, most * CHARACTERS)
    while shown > 0:
        cut = _cut(text, shown)
        cost = counter.count(clipped(text, cut))
        if cost <= most:
            return cut if cut.head else None  # a character may be longer than what is shown
        shown = min(shown - 1, shown * most // cost)
    return None


def _cut(text: str, shown: int) -> Cut:
    """Two thirds of what is shown is the head; no character is cut in two."""
    head = whole_character(text, shown - shown // 3)
    tail = len(text) - whole_character(text, len(text) - shown // 3)
    return Cut(head, min(tail, len(text) - head))
