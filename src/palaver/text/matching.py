"""Matches: where a text holds what was looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from palaver.text.folding import normal, plain_signs
from palaver.text.languages import language
from palaver.text.query import Term
from palaver.text.scripts import MARK
from palaver.text.stems import terms as index_terms
from palaver.text.words import located, words

_CHUNK = re.compile(r"\S+")
_CHARACTER = re.compile(rf".[{MARK}\u1160-\u11ff\u3099\u309a\u0e31-\u0e4e]{{0,16}}", re.DOTALL)
_normal_character = lru_cache(maxsize=1 << 12)(normal)


class Match(NamedTuple):
    """A part of a text that was looked for, and the word of the query it stands for."""

    start: int
    end: int
    word: str


def matches(text: str, terms: Sequence[Term], spoken: str | None = None) -> list[tuple[int, int]]:
    """The parts of `text` that hold any of `terms`, in order; what overlaps is one part.

    `spoken` is the language of the text, if it is known better than the text itself tells.
    """
    parts: list[tuple[int, int]] = []
    for start, end, _ in sorted(occurrences(text, terms, spoken)):
        if parts and start < parts[-1][1]:
            parts[-1] = (parts[-1][0], max(end, parts[-1][1]))
        else:
            parts.append((start, end))
    return parts


def occurrences(text: str, terms: Sequence[Term], spoken: str | None = None) -> Iterator[Match]:
    """Each place of `text` that holds one of `terms`, stretch by stretch of it."""
    own = language(words(text)) if spoken is None else spoken
    wanted = {
        part: term.word
        for term in reversed(terms)
        for form in term.forms
        if form.fits(own)
        for part in form.parts
    }
    for start, end, word in _words(text):
        for one in index_terms(word, own):
            if one in wanted:
                yield Match(start, end, wanted[one])
                break


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """The words of `text` and where they stand in it."""
    if text.isascii():
        yield from located(text.lower())
        return
    for chunk in _CHUNK.finditer(text):
        spelled, starts, ends = _spelled(chunk[0])
        base = chunk.start()
        for start, end, word in located(spelled):
            yield base + starts[start], base + ends[end - 1], word


def _spelled(chunk: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """A stretch of text in its normal spelling; where each character of that begins and ends."""
    spelled = normal(chunk)
    if len(spelled) == len(chunk) and spelled == plain_signs(chunk).casefold():
        return spelled, range(len(chunk)), range(1, len(chunk) + 1)
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for character in _CHARACTER.finditer(chunk):
        part = _normal_character(character[0])
        parts.append(part)
        starts += [character.start()] * len(part)
        ends += [character.end()] * len(part)
    return "".join(parts), starts, ends
