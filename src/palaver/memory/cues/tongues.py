"""Tongues: the languages that a text may be in. A short one often fits several."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.digest.state.cues import LANGUAGES as CUED
from palaver.text import LANGUAGES, language
from palaver.text.stops import STOP_WORDS

_SPOKEN = [code for code in LANGUAGES if code in CUED]
_SHORT = 20
"""So many words do not always tell a language."""


def tongues(words: Sequence[str]) -> tuple[str, ...]:
    """The languages with cues whose small words are the most in a text; the likeliest first."""
    best = language(words, _SPOKEN)
    if len(words) > _SHORT:
        return (best,)
    held = {code: sum(word in STOP_WORDS[code] for word in words) for code in _SPOKEN}
    if held["en"] > max(held[code] for code in _SPOKEN if code != "en"):
        return ("en",)
    most = max(held.values())
    likely = [code for code in _SPOKEN if held[code] >= max(most - 1, 1) and code != best]
    return (best, *(code for code in likely if code != "en"))
