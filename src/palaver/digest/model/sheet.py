"""The sheet: what a model is shown of a conversation, everything under a number of its own.

Every line of what was said begins with `> `, so that nothing in a message can end its quotation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from palaver.digest.condensing import Count
from palaver.digest.model.figures import Figures
from palaver.digest.notes import open_note
from palaver.digest.port import Story
from palaver.digest.state.content import content
from palaver.index.records import Message, SummarySource
from palaver.text import language, quoted, whole_character, words

_LONGEST, _SHORTEST = 1200, 150
"""So many tokens of a message are shown at most; fewer, down to the second, when there is much."""
_PORTIONS = 4
"""About so many requests a long part of a conversation takes."""
_READ = 4000
"""So many characters tell the language."""
_HEADINGS = {
    "note": "Notes on what was said earlier:",
    "said": "What was said:",
    "open": "What is still open:",
    "closed": "What was closed:",
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """Something with a number."""

    kind: str
    """`note`, `said`, `open` or `closed`."""
    about: str
    text: str
    sources: Sequence[SummarySource]
    """A note stands on several messages."""

    @property
    def words(self) -> str:
        """Everything in it that can be quoted."""
        return "\n".join([self.text, *(one.quote for one in self.sources if one.quote)])


@dataclass(frozen=True)
class Sheet:
    """The entries of a story; the first one has the number 1."""

    entries: Sequence[Entry]
    cap: int
    """So many tokens of each are shown."""
    count: Count

    def entry(self, number: int) -> Entry | None:
        return self.entries[number - 1] if 0 < number <= len(self.entries) else None

    @cached_property
    def text(self) -> str:
        """Everything as the model is shown it."""
        return "\n\n".join(self._shown())

    @cached_property
    def tokens(self) -> int:
        """How long it is, in full."""
        return sum(self.count(entry.text) for entry in self.entries if entry.kind != "open")

    @cached_property
    def language(self) -> str:
        return language(words("\n".join(entry.text for entry in self.entries)[:_READ]))

    @cached_property
    def figures(self) -> Figures:
        """The names and numbers in it, the dates among them."""
        return Figures("\n".join(f"{entry.about}\n{entry.text}" for entry in self.entries))

    @cached_property
    def stems(self) -> Sequence[frozenset[str]]:
        """The telling words of each entry."""
        return [content(entry.text, self.language) for entry in self.entries]

    def _shown(self) -> Iterator[str]:
        kind = ""
        for number, entry in enumerate(self.entries, start=1):
            if entry.kind != kind:
                kind = entry.kind
                yield _HEADINGS[kind]
            yield f"[{number}] {entry.about}\n{quoted(clipped(entry.text, self.cap, self.count))}"


def sheet_of(story: Story, cap: int, count: Count) -> Sheet:
    notes = [Entry("note", "note", point.text, point.sources) for point in story.before]
    said = [said_entry(message) for message in story.messages]
    items = [open_note(item).to_source() for item in story.open]
    loose = [SummarySource.model_validate(item) for item in items]
    still = [Entry("open", f"turn {one.turn}", one.quote or "", [one]) for one in loose]
    return Sheet([*notes, *said, *still], cap, count)


def portions(
    messages: Sequence[Message], room: int, count: Count
) -> tuple[list[Sequence[Message]], int]:
    """The messages in parts that fit in so many tokens each, at least one part; and how many
    tokens of each message are shown."""
    cap = max(_SHORTEST, min(_LONGEST, _PORTIONS * room // max(len(messages), 1)))
    return [*parted(messages, room, lambda one: min(count(one.content), cap))], cap


def parted(items: Sequence[T], room: int, cost: Callable[[T], int]) -> list[list[T]]:
    """The items in parts that cost no more than the room there is, at least one part. An item that
    costs more is a part of its own."""
    parts, size = [list[T]()], 0
    for item in items:
        needed = cost(item)
        if parts[-1] and size + needed > room:
            parts.append([])
            size = 0
        parts[-1].append(item)
        size += needed
    return parts


def clipped(text: str, cap: int, count: Count) -> str:
    """The head and the tail of a long text, about `cap` tokens of it."""
    cost = count(text)
    if cost <= cap:
        return text
    shown = len(text) * cap // cost
    head = whole_character(text, shown - shown // 3)
    tail = whole_character(text, len(text) - shown // 3)
    return f"{text[:head]}\n[{tail - head:,} characters left out]\n{text[tail:]}"


def said_entry(message: Message) -> Entry:
    source = SummarySource(
        message_id=message.id, turn=message.turn_number, kind="said", by=message.role
    )
    return Entry("said", f"{message.role}, {message.timestamp[:10]}", message.content, [source])
