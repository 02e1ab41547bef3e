"""Cues: the turns of phrase by which people ask, promise, put off and close, by language."""

from palaver.digest.state.cues.compiled import LANGUAGES, Patterns, patterns

__all__ = ["LANGUAGES", "Patterns", "patterns"]
