"""Whoever tells conversations in tests: plainly, by a script, or not at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from palaver.digest.port import Abbreviation, Made, Naming, Point, Story, Want
from palaver.index.records import Message, SummarySource

Step = Callable[[Story], Awaitable[object]]


def quoting(message: Message, text: str | None = None) -> Point:
    """A point that stands on a message; it quotes it if no other text is given."""
    quote = message.content if text is None else None
    by = "user" if message.role == "user" else "assistant"
    turn = message.turn_number
    source = SummarySource(message_id=message.id, quote=quote, turn=turn, kind="said", by=by)
    return Point(text=text or message.content, sources=[source])


def naming(story: Story, *titles: str, topics: Sequence[str] = ("tiles",)) -> Naming:
    said = story.messages[0]
    return Naming(titles, topics, [SummarySource(message_id=said.id, turn=said.turn_number)])


@dataclass
class Plain:
    """Tells what the user said last, word for word. It names a conversation as it is told to, or
    after its number of turns."""

    by: str = "offline"
    titles: list[str] = field(default_factory=list[str])
    topics: list[str] = field(default_factory=lambda: ["tiles"])
    stories: list[Story] = field(default_factory=list[Story])
    wanted: list[frozenset[Want]] = field(default_factory=list[frozenset[Want]])
    names: Naming | None = None
    """What it calls all of them, if that is given."""
    before: Step | None = None
    """Is awaited before anything is made."""
    error: Exception | None = None
    points: Callable[[Story], Sequence[Point]] | None = None

    async def make(self, story: Story, wanted: frozenset[Want]) -> Made:
        self.stories.append(story)
        self.wanted.append(wanted)
        if self.before is not None:
            await self.before(story)
        if self.error is not None:
            raise self.error
        return Made(
            self.by,
            Abbreviation((self.points or _last)(story)) if "abbreviation" in wanted else None,
            self._naming(story) if "title" in wanted else None,
        )

    def _naming(self, story: Story) -> Naming:
        if self.names is not None:
            return self.names
        named = f"Tiles for {story.conversation.turn_count} Turns"
        return naming(story, *(self.titles or [named]), topics=self.topics)


def _last(story: Story) -> list[Point]:
    said = [one for one in story.messages if one.role == "user" and len(one.content) < 200]
    return [*story.before[:3], *(quoting(one) for one in said[-5:])]
