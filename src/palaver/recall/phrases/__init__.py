"""Phrases that say when: "last March", "il y a deux semaines", in the user's zone.

Each language is one module of words and patterns; how they are read is the same for all.
"""

from palaver.recall.phrases.phrase import Phrase, asks_for_all, read_phrase

__all__ = ["Phrase", "asks_for_all", "read_phrase"]
