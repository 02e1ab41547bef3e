"""The maker without a model. It never fails: there are always words to choose from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from palaver.digest.apart import Aside
from palaver.digest.condensing import Count
from palaver.digest.offline.making import made
from palaver.digest.offline.task import Task
from palaver.digest.offline.weighing import pieces_of
from palaver.digest.port import Made, Story, Want
from palaver.errors import IndexUnavailable
from palaver.index.evidence import Vector

Meanings = Callable[[Sequence[str]], Awaitable[Mapping[str, Vector]]]
"""The vectors that there are of some texts."""


class OfflineDigest:
    """Chooses sentences and phrases by their words, and by the vectors that are there anyway."""

    def __init__(self, aside: Aside, meanings: Meanings, count: Count) -> None:
        """`count` is told to another process: a function of a module, or a method of something that
        nobody else uses at the same time."""
        self._aside = aside
        self._count = count
        self._meanings = meanings

    async def make(self, story: Story, wanted: frozenset[Want]) -> Made:
        vectors: Mapping[str, Vector] = {}
        if "abbreviation" in wanted:
            vectors = await self._vectors(story)
        task = Task(story.messages, story.before, story.open, vectors, wanted)
        return await self._aside.do(made, task, self._count)

    async def _vectors(self, story: Story) -> Mapping[str, Vector]:
        texts = dict.fromkeys(text for one in story.messages for text in pieces_of(one))
        try:
            return await self._meanings(list(texts))
        except IndexUnavailable:  # words alone tell it, too
            return {}
