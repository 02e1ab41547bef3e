"""Casing: how a title is written in its language."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.text import fold

_SMALL = """
a an and as at but by for from if in into nor of on onto or over per the to up via vs with
"""
SMALL = frozenset(_SMALL.split())
"""Words that stay small inside an English title."""


def title_case(words: Sequence[str], language: str) -> str:
    """The words as a title: in English nearly all begin with a capital, elsewhere the first does.

    Names, acronyms, identifiers and scripts without capitals stay as they are.
    """
    if language != "en":
        return " ".join([_capital(words[0]), *words[1:]])
    last = len(words) - 1
    return " ".join(
        word if 0 < place < last and fold(word) in SMALL else _headed(word)
        for place, word in enumerate(_lowered(words))
    )


def _lowered(words: Sequence[str]) -> list[str]:
    """Small words in small letters, wherever the sentence had them."""
    return [word.lower() if fold(word) in SMALL and word.istitle() else word for word in words]


def _headed(word: str) -> str:
    """A word and the parts it is joined of, each with a capital."""
    if any(sign in word for sign in ".@_/"):
        return word
    parts = word.split("-")
    return "-".join(
        part if place and part in SMALL else _capital(part) for place, part in enumerate(parts)
    )


def _capital(word: str) -> str:
    """A word with a capital, unless it has one inside, as iPhone has."""
    return word if word != word.lower() else word[:1].upper() + word[1:]
