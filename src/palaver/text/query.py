"""Queries: the terms to look for, each in the forms it may stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palaver.text.languages import LANGUAGES, language
from palaver.text.stems import STEM_MARK, folded_word, stems
from palaver.text.stops import STOP_WORDS
from palaver.text.words import query_words

MAX_WORDS = 32
MAX_LANGUAGES = 6
MAX_CHARACTERS = 2000
"""What is read of a query: a longer one is not clearer, and must not cost more."""


class Form(NamedTuple):
    """Index terms that stand for one word in texts of some languages; of none means of any."""

    parts: tuple[str, ...]
    languages: frozenset[str] = frozenset()

    def fits(self, language: str) -> bool:
        """Whether it stands for the word in texts of this language."""
        return not self.languages or language in self.languages


@dataclass(frozen=True, slots=True)
class Term:
    """A word that is looked for.

    The counts of the parts of a form are added up; how often the term occurs in a text is the
    largest of the sums of its forms.
    """

    word: str
    forms: tuple[Form, ...]


def query_terms(text: str, languages: Sequence[str], *, telling: bool = False) -> list[Term]:
    """What to look for in texts of `languages`, the most used language first. No word twice.

    Stop words are looked for when there is nothing else, unless only `telling` words are wanted.
    """
    languages = languages[:MAX_LANGUAGES]
    found = list(dict.fromkeys(query_words(_beginning(text))))
    kept = _telling(found, languages)
    if not kept and not telling:
        kept = found
    return [_term(word, languages) for word in kept[:MAX_WORDS]]


def _beginning(text: str) -> str:
    """The part of a query that is read, without half a word at its end."""
    if len(text) <= MAX_CHARACTERS:
        return text
    kept = text[:MAX_CHARACTERS]
    return kept if text[MAX_CHARACTERS].isspace() else (kept.rsplit(None, 1) or [kept])[0]


def _telling(found: Sequence[str], languages: Sequence[str]) -> list[str]:
    """The words without the stop words of the language they are in."""
    spoken = language(found, among=[code for code in languages if code in LANGUAGES])
    stops = STOP_WORDS.get(spoken or "en", frozenset[str]())
    return [word for word in found if word not in stops]


def _term(word: str, languages: Sequence[str]) -> Term:
    """As it stands, in any text; and as each language stems it, in texts of that language only:
    a German stem of a French word may be a small word of English."""
    spoken: dict[str, set[str]] = {}
    for code in languages:
        for stem in stems(word, code):
            spoken.setdefault(stem, set()).add(code)
    stemmed = (Form((STEM_MARK + stem, stem), frozenset(of)) for stem, of in spoken.items())
    return Term(word, (Form((folded_word(word),)), *stemmed))
