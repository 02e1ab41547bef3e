"""Spelling: words that were written much like the ones that were asked about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from palaver.index.records import Message
from palaver.text import words

_SHORTEST = 5
"""Shorter words are like too many others."""
_LIKENESS = 0.8
_READ = 2000
"""How much of a message is looked through, in characters."""


def as_written(asked: Sequence[str], messages: Iterable[Message]) -> list[str]:
    """The other words of the messages that are most like those asked about; none, if none is."""
    read = {word for one in messages for word in words(one.content[:_READ])}
    there = sorted(read.difference(asked))
    found = [get_close_matches(word, there, n=1, cutoff=_LIKENESS) for word in asked]
    return [
        near[0] for word, near in zip(asked, found, strict=True) if near and len(word) >= _SHORTEST
    ]
