"""Finding memories: by word and by meaning, the most relevant first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.index.port import MemoryFilter, NearMemory, Question
from palaver.index.records import Memory
from palaver.memory.keeping import Keeping
from palaver.text import query_terms

_MEANING, _WORDS = 0.7, 0.3
_HALF = 3.0
"""What words have to say for a memory to count for half of what they can."""
_LEAST = 0.22
"""What has a lower score has nothing to do with the question."""
_LONGEST = 2000
"""So many characters of a message are looked at."""


@dataclass(frozen=True, slots=True)
class Found:
    """A memory, and how much it has to do with what was asked."""

    memory: Memory
    score: float
    cosine: float | None = None


class Finding:
    """Finds what one user has had remembered."""

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping

    async def near(self, text: str, wanted: MemoryFilter) -> list[Found]:
        """The memories that have to do with a text, the most relevant first. Raises
        IndexUnavailable."""
        index, user = self._keeping.index, self._keeping.user
        text = text[:_LONGEST]
        languages = await index.languages(user, unread=0)
        question = Question(query_terms(text, languages), text)
        near = await index.memories_near(user, question, wanted)
        found = [Found(one.memory, _score(one), one.cosine) for one in near]
        return sorted(found, key=lambda one: (-one.score, one.memory.id))

    async def asks(self, text: str) -> bool:
        """Whether a text asks for anything in particular. Raises IndexUnavailable."""
        languages = await self._keeping.index.languages(self._keeping.user, unread=0)
        return bool(query_terms(text[:_LONGEST], languages, telling=True))

    async def relevant(self, text: str, wanted: MemoryFilter, limit: int) -> list[Found]:
        """Those of them that are worth showing, at most so many."""
        return worth(await self.near(text, wanted))[:limit]


def _score(one: NearMemory) -> float:
    """From 0 to 1."""
    by_words = one.words / (one.words + _HALF)
    if one.cosine is None:
        return by_words
    return _MEANING * max(one.cosine, 0.0) + _WORDS * by_words


def worth(found: Sequence[Found]) -> list[Found]:
    """Those that have something to do with the question."""
    return [one for one in found if one.score >= _LEAST]
