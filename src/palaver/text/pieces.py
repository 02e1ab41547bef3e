"""Pieces: a long text cut into parts that each say about one thing.

The cuts are made from left to right and depend only on what came before them: a text that grows
keeps all its pieces but the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from palaver.text.characters import whole_character


class Size(NamedTuple):
    """How large a piece is at most; with sentences of usual length, most are a little smaller."""

    words: int
    bytes: int
    """In UTF-8, for long words and for scripts without spaces: 240 characters of Chinese in 720."""

    def holds(self, words: int, size: int) -> bool:
        return words <= self.words and size <= self.bytes


LONG = Size(100, 720)
"""About 90 words: what one paragraph of a reply says."""
SHORT = Size(30, 220)
"""A sentence or two: what people say is about one thing for so long."""

_SENTENCE_END = re.compile(
    r"[\n.!?\u2026\u061f\u06d4\u0964\u3002\uff01\uff1f\uff61]"  # few characters are looked at
    r"(?:(?<=\n)\s*+"
    r"|(?<=[.!?\u2026\u061f\u06d4\u0964])\s++"
    r"|(?<=[.!?\u2026])[\"'\u201d\u2019\u00bb)\]*_]\s++"
    r"|(?<=[\u3002\uff01\uff1f\uff61])[\u3002\uff01\uff1f\uff61]*+[\u300d\u300f\u201d\u2019\uff09]*+\s*+)"
)
_SPACE = re.compile(r"\s++")


class _Part(NamedTuple):
    """A part of a text that is kept whole."""

    start: int
    words: int
    bytes: int
    opens: bool
    """Whether it begins a piece, because it begins something that fits in none."""


def pieces(text: str, size: Size = LONG) -> list[tuple[int, int]]:
    """Where the pieces of `text` begin and end, without the white space around them."""
    found = [(0, len(text))] if size.holds(*_size(text)) else _gathered(text, size)
    trimmed = (_trimmed(text, start, end) for start, end in found)
    return [(start, end) for start, end in trimmed if start < end]


def _gathered(text: str, size: Size) -> Iterator[tuple[int, int]]:
    """The parts of `text`, put together as long as they fit."""
    start, words, length = 0, 0, 0
    for part in _parts(text, size):
        if part.opens or not size.holds(words + part.words, length + part.bytes):
            yield start, part.start
            start, words, length = part.start, 0, 0
        words += part.words
        length += part.bytes
    yield start, len(text)


def _parts(text: str, size: Size) -> Iterator[_Part]:
    """The sentences of `text`; of those that fit in no piece, the words."""
    for start, end in _between(_SENTENCE_END, text, 0, len(text)):
        words, length = _size(text[start:end])
        if size.holds(words, length):
            yield _Part(start, words, length, opens=False)
        elif length == end - start and (runs := _runs(text, start, end, size)):
            yield from runs
        else:
            yield from _words(text, start, end, size)


def _runs(text: str, start: int, end: int, size: Size) -> list[_Part] | None:
    """The words of an ASCII sentence, at once in runs as long as pieces; None if one fits in none.

    They give the same pieces as the words one by one.
    """
    run = re.compile(rf"\s*+(?:\S++\s++){{0,{size.words}}}")
    found: list[_Part] = []
    while True:
        stop = end
        if end - start > size.bytes or not size.holds(*_size(text[start:end])):
            match = run.match(text, start, min(start + size.bytes, end))
            stop = match.end() if match else start
            if stop == start or text[stop].isspace():
                return None
        found.append(_Part(start, *_size(text[start:stop]), opens=True))
        if stop == end:
            return found
        start = stop


def _words(text: str, start: int, end: int, size: Size) -> Iterator[_Part]:
    """The words of a sentence; of those that fit in no piece, slices."""
    for begin, stop in _between(_SPACE, text, start, end):
        words, length = _size(text[begin:stop])
        if size.holds(words, length):
            yield _Part(begin, words, length, opens=begin == start)
        else:
            yield from _slices(text, begin, stop, size.bytes)


def _slices(text: str, start: int, end: int, most: int) -> Iterator[_Part]:
    while start < end:
        cut = min(start + _held(text[start : start + most], most), end)
        cut = whole_character(text, cut) if cut < end else end
        yield _Part(start, *_size(text[start:cut]), opens=True)
        start = cut


def _held(text: str, most: int) -> int:
    """How many characters of `text` have `most` bytes together."""
    if text.isascii():
        return len(text)
    size = 0
    for count, char in enumerate(text):
        size += _bytes(char)
        if size > most:
            return count
    return len(text)


def _between(
    separator: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[tuple[int, int]]:
    """The parts of a stretch of `text`, each with the separator that ends it."""
    for found in separator.finditer(text, start, end):
        yield start, found.end()
        start = found.end()
    if start < end:
        yield start, end


def _size(text: str) -> tuple[int, int]:
    return len(text.split()), _bytes(text)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
