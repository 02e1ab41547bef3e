"""The port of the digest: a conversation in fewer words, and its name.

Two makers are behind it: one without a model, which never fails, and one that asks a model. What a
maker gives is checked by whoever stores it, whoever made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from palaver.digest.state import Item
from palaver.index.records import ConversationMeta, Message, Record, SummarySource

Want = Literal["abbreviation", "title"]
MOST_TOKENS = 200
"""An abbreviation is never longer."""
LEAST_TOKENS, LONG_SOURCE = 100, 400
"""Nor shorter than the first, when what it tells of is longer than the second."""
MOST_TITLE, TITLE_WORDS = 80, (2, 6)
"""Characters of a title, and words."""
MOST_TOPICS = 5
BULLET = "- "
"""What each line of an abbreviation begins with."""


class Point(Record):
    """One line of a digest, and the messages it stands on."""

    text: str
    sources: list[SummarySource]


@dataclass(frozen=True, slots=True)
class Story:
    """What is to be said in fewer words."""

    conversation: ConversationMeta
    messages: Sequence[Message]
    """What was said, oldest first, without what nobody is shown."""
    before: Sequence[Point] = ()
    """What the digest before tells of everything that came before these messages."""
    open: Sequence[Item] = ()
    """What is left open at the end."""


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """What a conversation is about, in a few lines: it is found by them."""

    points: Sequence[Point]

    @property
    def text(self) -> str:
        return "\n".join(f"{BULLET}{point.text}" for point in self.points)


@dataclass(frozen=True, slots=True)
class Naming:
    """What a conversation may be called."""

    titles: Sequence[str]
    """The best one first; the next ones if others have that name already."""
    topics: Sequence[str]
    """In kebab case."""
    sources: Sequence[SummarySource]


@dataclass(frozen=True, slots=True)
class Made:
    """What a maker made of what was wanted."""

    by: str
    """`offline`, or the name of a model."""
    abbreviation: Abbreviation | None = None
    naming: Naming | None = None
    spent: dict[str, float] = field(default_factory=dict[str, float])
    """Tokens and US dollars, if it cost any: `input`, `output`, `cost`."""


class Digest(Protocol):
    """Whoever says it in fewer words."""

    async def make(self, story: Story, wanted: frozenset[Want]) -> Made:
        """Everything that is wanted. Raises ModelError when a model fails, or makes something that
        does not hold: then nothing of it is used."""
        ...
