"""Forms: when two words are the same to whoever has something forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.text import language
from palaver.text.stems import folded_word, stems
from palaver.text.stops import STOP_WORDS


def forms(word: str, spoken: str) -> set[str]:
    """A word as it stands, and without its endings."""
    return {folded_word(word), *stems(word, spoken)}


def telling(found: Sequence[str]) -> list[str]:
    """The words that are not among the commonest of their language."""
    stops = STOP_WORDS.get(language(found), STOP_WORDS["en"])
    return [one for one in found if one not in stops]
