"""Spellings: how a text is written before its words are told apart, and what a word folds to."""

from __future__ import annotations

import re
from unicodedata import normalize

_SIGNS = re.compile("[\u2012-\u2023\u2025-\u2027\u2030-\u205e]")
"""Dashes, quotation marks and the like. Those that join words have been replaced before."""

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Characters that only say how others are shown. U+200B is none of them: it ends a word."""

_DIACRITICS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]+"
)
"""Marks that many leave out when they type. Those that make another letter, as in が, stay."""

_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ħ": "h",
        "\u0131": "i",
        "ŧ": "t",
        "\u03c2": "\u03c3",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
    }
)
"""Letters that Unicode does not take apart, as they are typed without their stroke."""


def normal(text: str) -> str:
    """`text` in one spelling: compatible forms, case and unseen characters make no difference."""
    text = plain_signs(text)
    if text.isascii():
        return text.lower()
    text = _UNSEEN.sub("", normalize("NFKC", text).casefold())
    return normalize("NFKC", text)


def plain_signs(text: str) -> str:
    """`text` with the apostrophes and hyphens of a typewriter, and no other typographer's signs.

    Every character keeps its place. Many texts have nothing else that is not ASCII.
    """
    if text.isascii():
        return text
    text = text.replace("\u2019", "'").replace("\u2011", "-").replace("\u2010", "-")
    return _SIGNS.sub(" ", text)


def fold(word: str) -> str:
    """What two spellings of one word have in common: neither case nor diacritics count."""
    if word.isascii():
        return word.lower()
    bare = _DIACRITICS.sub("", normalize("NFKD", normal(word)))
    return normalize("NFC", bare).translate(_LETTERS) or word
