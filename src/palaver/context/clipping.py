"""Clipping: the head and the tail of a text, with a word about what is missing between them."""

from __future__ import annotations

from collections.abc import Callable
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
    """About as much of `text` as `most` tokens show, never more; None when they show nothing.

    The tail goes when there is room only for a head.
    """
    return _longest(text, most, counter, _both_ends) or _longest(text, most, counter, _head)


def _longest(
    text: str, most: int, counter: TokenCounter, cut_to: Callable[[str, int], Cut]
) -> Cut | None:
    shown = min(len(text) - 1, most * CHARACTERS)
    while shown > 0:
        cut = cut_to(text, shown)
        cost = counter.count(clipped(text, cut))
        if cost <= most:
            return cut if cut.head else None
        shown = min(shown - 1, shown * most // cost)
    return None


def _both_ends(text: str, shown: int) -> Cut:
    """Two thirds of what is shown is the head; no character is cut in two."""
    head = whole_character(text, shown - shown // 3)
    tail = len(text) - whole_character(text, len(text) - shown // 3)
    return Cut(head, min(tail, len(text) - head))


def _head(text: str, shown: int) -> Cut:
    """No character is cut in two but a first one that is longer than what is shown."""
    return Cut(whole_character(text, shown) or shown, 0)
