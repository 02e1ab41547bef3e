"""Characters as a reader sees them, which may be several to Unicode."""

from __future__ import annotations

from unicodedata import category

_ZERO_WIDTH_JOINER = "\u200d"
_REACH = 40
"""How far a cut may move to keep a character whole."""


def whole_character(text: str, cut: int) -> int:
    """`cut`, moved left out of the middle of what is one character to a reader."""
    lowest = max(cut - _REACH, 0)
    while lowest < cut < len(text) and _continues(text, cut):
        cut -= 1
    return cut


def _continues(text: str, place: int) -> bool:
    char = text[place]
    return (
        category(char).startswith("M")
        or char == _ZERO_WIDTH_JOINER
        or text[place - 1] == _ZERO_WIDTH_JOINER
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
    )
