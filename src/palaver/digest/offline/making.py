"""Making: the whole digest of a conversation, as a pure function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from palaver.digest.condensing import Count
from palaver.digest.offline.abbreviating import Sized, abbreviate
from palaver.digest.offline.lines import read
from palaver.digest.offline.naming import named
from palaver.digest.offline.task import Task
from palaver.digest.port import Made, Point
from palaver.digest.state.heard import Heard, hear
from palaver.index.records import Message
from palaver.index.values import OFFLINE


def made(task: Task, count: Count) -> Made:
    """What is wanted. The same task always gives the same; none fails."""
    sized = Sized(count)
    reading = read(task.messages, sized.clip)
    abbreviation = abbreviate(task, reading, sized) if "abbreviation" in task.wanted else None
    naming = None
    if "title" in task.wanted:
        naming = named(
            [*_heard_before(task.before, reading.language), *reading.heard], task.messages
        )
    return Made(OFFLINE, abbreviation, naming)


def _heard_before(before: Sequence[Point], spoken: str) -> Iterator[Heard]:
    """What the digest before quotes, as if it were said now."""
    for point in before:
        for source in point.sources:
            if source.quote:
                said = Message(
                    id=source.message_id,
                    conversation_id="",
                    seq=0,
                    role="assistant" if source.by == "assistant" else "user",
                    content=source.quote,
                    timestamp="",
                    turn_number=source.turn,
                )
                yield hear(said, spoken)
