"""Phrases that say when: "last March", "il y a deux semaines", in the user's zone.

Each language is one module of words and patterns; how they are read is the same for all.
"""

from palaver.recall.phrases.phrase import Phrase, read_phrase

__all__ = ["Phrase", "read_phrase"]
