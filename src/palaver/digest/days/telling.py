"""Telling a day: a maker is given its story, and what it makes is weighed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from palaver.digest.condensing import Count
from palaver.digest.days.judging import carried_lines, completed, faults, scale_of, unfounded
from palaver.digest.days.loops import open_point
from palaver.digest.days.markdown import carried_on, is_new, renewed
from palaver.digest.days.port import (
    CLOSED,
    DayMade,
    DayMaker,
    DayPoint,
    DayStory,
    DaySummary,
    DayText,
    same,
)
from palaver.digest.days.stories import DayTelling
from palaver.errors import DigestUnusable
from palaver.index.values import OFFLINE

_NOTHING = DayText("## Summary\nThere is nothing to tell.", ())
"""What is told of a day when everything that was said on it is erased."""


@dataclass(frozen=True, slots=True)
class DayTold:
    """What was made of a day, as it may be stored."""

    by: str
    text: DayText
    spent: dict[str, float] = field(default_factory=dict[str, float])
    read: dict[str, str] = field(default_factory=dict[str, str])
    """What was read for it, by message."""


async def told_by(maker: DayMaker, telling: DayTelling, count: Count) -> DayTold:
    """What a maker makes of a day. Raises ModelError: DigestUnusable for what is worse than what
    there is, or does not hold."""
    if not (telling.messages or telling.carries_on or telling.by_hand):
        return DayTold(OFFLINE, _NOTHING)
    spent: dict[str, float] = {}
    (*earlier, last) = telling.parts()
    for story in earlier:
        made = await maker.make(replace(story, before=last.before, stays=last.stays))
        _add(spent, made.spent)
        last = replace(last, before=made.summary.points, stays=False)
    made = await _made(maker, last)
    _add(spent, made.spent)
    points = await asyncio.to_thread(weighed, made, telling, last, count)
    read = {message.id: message.content for message in telling.messages}
    return DayTold(made.by, _written(telling, points, last), spent, read)


async def _made(maker: DayMaker, story: DayStory) -> DayMade:
    """What is made of the last part; where nothing is new in it, the lines before are as good."""
    if story.messages:
        return await maker.make(story)
    return DayMade(OFFLINE, DaySummary(() if story.stays else story.before))


def weighed(
    made: DayMade, telling: DayTelling, story: DayStory, count: Count
) -> Sequence[DayPoint]:
    """The lines as they may be stored. Raises DigestUnusable."""
    before = telling.before
    better = made.by != OFFLINE and before is not None and before.stands_in
    told = 0.0 if better or telling.by_hand else telling.told
    scale = scale_of(story, telling.points, told, count)
    points = made.summary.points
    chosen = completed(points, scale)
    reasons = faults(chosen, scale)
    if reasons and made.by == OFFLINE:  # nobody else would do it better
        chosen = completed(points, scale, carried_lines(scale))
        reasons = unfounded(chosen, scale) if chosen else reasons
    if reasons and (chosen or (telling.messages and not telling.stays)):
        raise DigestUnusable(" ".join(reasons))
    return chosen


def _written(telling: DayTelling, points: Sequence[DayPoint], story: DayStory) -> DayText:
    """The text; where its owner has written some of it, that stays, and only what is new is added:
    from messages that it did not tell of. A line of what is open, as it was made, goes when one is
    added that tells how it was closed. Where it is made anew, only the owner's lines stay."""
    if telling.before is None or not telling.by_hand:
        return DaySummary(points).written
    if telling.owned is not None:
        added = [point for point in points if telling.owned.allows(point)]
        text = renewed(telling.before, added, telling.owned.wrote)
        return text if text.text else _NOTHING
    new = {message.id for message in telling.messages}
    added = [
        point
        for point in points
        if is_new(point, telling.before) and any(one.message_id in new for one in point.sources)
    ]
    closings = {one.message_id for point in added for one in point.sources if one.kind == CLOSED}
    closed = [item for item in telling.ending.closed if item.message_id in closings]
    made = (open_point(item, story, brief=brief) for item in closed for brief in (False, True))
    return carried_on(telling.before, added, {same(point.text) for point in made})


def _add(sums: dict[str, float], spent: dict[str, float]) -> None:
    for name, value in spent.items():
        sums[name] = sums.get(name, 0) + value
