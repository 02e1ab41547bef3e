"""Figures: the numbers and identifiers of a text, which nobody may invent."""

from __future__ import annotations

import re
from functools import cached_property

from palaver.digest.notes import marks_of

_GROUPED = re.compile(r"(?<=\d)[,'\u2019\u00a0\u202f](?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[\d.,:/]+")
_COUNTED = re.compile(r"[\d.,:/]+-?[^\W\d_-]+(?:-[^\W\d_-]+)*")
"""A number and what it counts: 16GB, 25-minute. The number alone says something."""
_SIGNS = re.compile(r"[\W_]+")


class Figures:
    """What was said, for somebody who wants to know whether a number or a name stands in it."""

    def __init__(self, text: str) -> None:
        self._text = _GROUPED.sub("", text)

    def lacks(self, text: str) -> list[str]:
        """The numbers and identifiers of `text` that were not said."""
        marks = sorted(marks_of(_GROUPED.sub("", text)))
        return [mark for mark in marks if not self._has(mark)]

    def _has(self, mark: str) -> bool:
        if _NUMBER.fullmatch(mark):
            return _plain(mark) in self._numbers
        if _COUNTED.fullmatch(mark) or not _is_telling(mark):
            return True
        return _squeezed(mark) in self._letters

    @cached_property
    def _numbers(self) -> frozenset[str]:
        marks = marks_of(self._text)
        return frozenset(_plain(mark) for mark in marks if _NUMBER.fullmatch(mark))

    @cached_property
    def _letters(self) -> str:
        return _squeezed(self._text)


def _is_telling(mark: str) -> bool:
    """Plain capitals are no identifier: they may be written large for other reasons."""
    return any(sign.isdigit() or sign in "_@/" for sign in mark)


def _plain(number: str) -> str:
    """A number in one spelling: 09:30 is 9:30."""
    digits = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in number)
    return digits.lstrip("0") or "0"


def _squeezed(text: str) -> str:
    """Letters and digits alone: GPT-4 is gpt 4."""
    return _SIGNS.sub("", text.casefold())
