"""Echoes: where else the same was said that a memory says.

The owner says many things twice, and an assistant repeats what it was told. Who has something
forgotten means all of that.
"""

from __future__ import annotations

from collections.abc import Sequence

from palaver.errors import InputError
from palaver.index.port import Index
from palaver.index.records import Memory, Message
from palaver.memory.forms import forms, telling
from palaver.memory.oblivion import About
from palaver.memory.offline.extractor import found
from palaver.memory.port import Candidate, Saying
from palaver.memory.sameness import Known, relation
from palaver.recall.scope import Scope
from palaver.recall.search import Search
from palaver.text import language, sentence_spans, words

_MOST = 50
"""So many of the messages that are nearest to a memory are looked at."""
MOST_HOLDING = 200
"""So many of the messages are looked at that may hold some words."""
_READ = 8
"""So many of them are read for what would be learned of them."""
_FEWEST = 2
"""A memory of fewer telling words is only found again word for word."""
_LONGEST = 400


class Echoes:
    """Finds what says again what memories say, for one user."""

    def __init__(self, index: Index, user: str, search: Search) -> None:
        self._index = index
        self._user = user
        self._search = search

    async def of(self, memories: Sequence[Memory]) -> list[Message]:
        """The messages that say the same as one of the memories, those they came from too. Raises
        IndexUnavailable."""
        again: dict[str, Message] = {}
        read: dict[str, list[Candidate]] = {}
        for memory in memories:
            near = await self._near(memory.content, _MOST)
            tellings = [_Telling(one) for one in (memory.content, memory.quote) if one]
            for place, message in enumerate(near):
                if message.id in again:
                    continue
                if place < _READ and message.id not in read:
                    read[message.id] = _candidates(message)
                told = read[message.id] if place < _READ else ()
                repeats = any(one.stands_in(message.content) for one in tellings)
                if repeats or await self._tells(told, memory):
                    again[message.id] = message
        return list(again.values())

    async def holding(self, text: str) -> list[Message]:
        """The messages that hold some words, in whatever form. Raises IndexUnavailable."""
        about = About(text)
        found = await self._near(text, MOST_HOLDING)
        return [one for one in found if about.is_in(one.content)]

    async def _near(self, text: str, most: int) -> list[Message]:
        scope = Scope(ignore_time_phrases=True)
        try:
            _, hits = await self._search.hits(text[:_LONGEST], scope, limit=most)
        except InputError:  # no words in it that could be looked for
            return []
        return [hit.message for hit in hits]

    async def _tells(self, candidates: Sequence[Candidate], memory: Memory) -> bool:
        """Whether one of some candidates says the same."""
        if not candidates:
            return False
        contents = [one.content for one in candidates]
        alike = await self._index.alike(self._user, memory.content, contents)
        old = Known(memory.content, memory.type, memory.slot)
        return any(
            relation(old, Known(one.content, one.type, one.slot), cosine) == "same"
            for one, cosine in zip(candidates, alike, strict=True)
        )


def _candidates(message: Message) -> list[Candidate]:
    """What would be learned of a message."""
    if message.author is None or message.author.kind != "owner":
        return []
    saying = Saying(message.id, message.conversation_id, message.content, message.timestamp)
    return found([saying])


def is_in(said: str, text: str) -> bool:
    """Whether a sentence of a text holds all that tells of what was said."""
    return _Telling(said).stands_in(text)


class _Telling:
    """What tells of something that was said."""

    def __init__(self, said: str) -> None:
        found = words(said)
        self._spoken = language(found)
        self._wanted = [forms(one, self._spoken) for one in telling(found)]
        self._plain = " ".join(found)

    def stands_in(self, text: str) -> bool:
        """Whether a sentence of a text holds all of it."""
        if len(self._wanted) < _FEWEST:
            return self._plain in " ".join(words(text))
        return any(self._is_held(words(text[start:end])) for start, end in sentence_spans(text))

    def _is_held(self, sentence: Sequence[str]) -> bool:
        here = {form for one in sentence for form in forms(one, self._spoken)}
        return all(not one.isdisjoint(here) for one in self._wanted)
