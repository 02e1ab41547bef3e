"""Levels: a text without case and diacritics, in which everything keeps its place."""

from __future__ import annotations

from palaver.text import fold


class _Level(dict[int, str]):
    """Each character without case and diacritics, where that is one character again."""

    def __missing__(self, code: int) -> str:
        folded = fold(chr(code))
        self[code] = folded if len(folded) == 1 else chr(code).lower()[:1]
        return self[code]


_LEVEL = _Level()


def level(text: str) -> str:
    """`text` without case and diacritics; every character keeps its place."""
    return text.lower() if text.isascii() else text.translate(_LEVEL)
