"""Cues: the turns of phrase by which people ask, promise, put off and close, by language."""

from palaver.digest.state.cues.compiled import LANGUAGES, Patterns, one_of, patterns, read_cues

__all__ = ["LANGUAGES", "Patterns", "one_of", "patterns", "read_cues"]
