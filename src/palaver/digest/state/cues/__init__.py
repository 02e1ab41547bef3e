"""Cues: the turns of phrase by which people ask, promise, put off and close, by language."""

from palaver.digest.state.cues.compiled import Patterns, patterns

__all__ = ["Patterns", "patterns"]
