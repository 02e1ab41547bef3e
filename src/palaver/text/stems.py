"""Stems: what the forms of one word have in common in a language."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from threading import local
from typing import Protocol

from palaver.text.folding import fold
from palaver.text.words import MAX_LENGTH

STEM_MARK = "~"
"""Begins an index term that is a stem; no word holds it."""
_CODES = """
ar ca cs da de el en es et eu fa fi fr ga hi hu hy id it lt ne nl no pl pt ro ru sr sv ta tr yi
"""
STEMMED = frozenset(_CODES.split())
_UNSTEMMED = re.compile(r"[\d@.\u0e00-\u1dff\u2000-\U0010ffff]")
"""Numbers, addresses, and scripts in which none of the languages is written."""
_snowball = import_module("Stemmer")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


class _Stemmers(local):
    """The stemmers of one thread: they may not be shared."""

    def __init__(self) -> None:
        self._of: dict[str, _Stemmer] = {}

    def of(self, language: str) -> _Stemmer:
        if language not in self._of:
            self._of[language] = _snowball.Stemmer(language, 0)
        return self._of[language]


stemmers = _Stemmers()


@lru_cache(maxsize=1 << 16)
def terms(word: str, language: str) -> tuple[str, ...]:
    """The index terms of one of the `words` of a text: folded, and its stems if they differ."""
    folded = folded_word(word)
    return folded, *(STEM_MARK + stem for stem in stems(word, language) if stem != folded)


def folded_word(word: str) -> str:
    """The index term of a word as it stands."""
    return fold(word)[:MAX_LENGTH]


def stems(word: str, language: str) -> tuple[str, ...]:
    """The folded stems of a word: of the word as it is written and, if that gives another, of the
    word without its diacritics, as many type it. Numbers and the like have none.
    """
    if language not in STEMMED or _UNSTEMMED.search(word):
        return ()
    stem = stemmers.of(language).stemWord
    folded = folded_word(word)
    written = fold(stem(word)) or folded
    typed = fold(stem(folded)) or folded
    return (written,) if written == typed else (written, typed)
