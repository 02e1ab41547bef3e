"""Telling a conversation: a maker is given its story, and what it makes is weighed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from palaver.digest.condensing import Count
from palaver.digest.offline.wording import nothing
from palaver.digest.port import Abbreviation, Digest, Made, Naming, Point, Story, Want
from palaver.digest.stories import Stories, Telling
from palaver.digest.weighing import (
    Scale,
    carried_on,
    completed,
    faults,
    is_scant,
    scale_of,
    unfounded,
)
from palaver.errors import DigestUnusable
from palaver.index.values import OFFLINE

_ONLY_ABBREVIATION: frozenset[Want] = frozenset({"abbreviation"})
_SILENT = Made(OFFLINE, Abbreviation(()), Naming([nothing("en")], (), ()))
"""Made of a conversation in which nobody said anything that may be told."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was made of a conversation, as it may be stored."""

    made: Made
    points: Sequence[Point] = ()
    """Those of the abbreviation, with what it must not lack."""
    read: dict[str, str] = field(default_factory=dict[str, str])
    """What was read for it, by message."""


class Teller:
    """Has conversations told, a part at a time."""

    def __init__(self, stories: Stories, count: Count) -> None:
        self._stories = stories
        self._count = count

    async def tell(self, telling: Telling, wanted: frozenset[Want], maker: Digest) -> Told:
        """Everything that is wanted. Raises NotFound, IndexUnavailable, ModelError: DigestUnusable
        for what is worse than what there is, or does not hold."""
        before = telling.points if telling.carries_on else ()
        read: dict[str, str] = {}
        last = Story(telling.owed.conversation, ())
        async for story in self._stories.parts(telling):
            before = await _carried(last, maker) if last.messages else before
            last = replace(story, before=before)
            read |= {message.id: message.content for message in story.messages}
        if not (last.messages or before):
            return Told(_SILENT)
        made = await maker.make(last, wanted)
        points = await asyncio.to_thread(self._weighed, made, telling, last)
        return Told(made, points, read)

    def _weighed(self, made: Made, telling: Telling, story: Story) -> list[Point]:
        """The points as they may be stored. Raises DigestUnusable."""
        if made.abbreviation is None:
            return []
        points = made.abbreviation.points
        better = made.by != OFFLINE and telling.owed.abbreviation_stands_in
        told = 0.0 if better else telling.told  # it is what the other one only stands in for
        scale = scale_of(story, telling.points, told, self._count)
        chosen = completed(points, scale)
        reasons = _reasons(made, chosen, scale)
        if reasons and made.by == OFFLINE:  # nobody else would do it better
            chosen = completed(points, scale, carried_on(scale))
            reasons = list(unfounded(chosen, scale)) if chosen else reasons
        if reasons:
            raise DigestUnusable(" ".join(reasons))
        return chosen


async def _carried(story: Story, maker: Digest) -> Sequence[Point]:
    """What the next part is to carry on."""
    made = await maker.make(story, _ONLY_ABBREVIATION)
    return made.abbreviation.points if made.abbreviation else story.before


def _reasons(made: Made, points: Sequence[Point], scale: Scale) -> list[str]:
    found = faults(points, scale)
    if made.by != OFFLINE and is_scant(points, scale):
        found.append("It says too little.")
    return found
