"""What the tools for memories take and give: what is remembered, and who said it where and when."""

from __future__ import annotations

from pydantic import Field

from palaver.agent.tools.shapes import Answer, Arguments, Role
from palaver.index.records import Author, Json, MemoryState, MemoryType, Record
from palaver.memory.port import MAX_CATEGORY, MAX_CONTENT

MOST = 50


class MemorySearchArguments(Arguments):
    """What `memory_search` takes."""

    query: str = Field(description="What to look for, in plain words.")
    type: MemoryType | None = Field(default=None, description="Only memories of this type.")
    limit: int = Field(default=10, ge=1, le=MOST, description="At most so many.")


class MemoryAddArguments(Arguments):
    """What `memory_add` takes."""

    content: str = Field(
        max_length=MAX_CONTENT,
        description="What to remember, in one or two sentences that stand by themselves.",
    )
    type: MemoryType = Field(description="What kind of thing it is.")
    category: str | None = Field(
        default=None, max_length=MAX_CATEGORY, description="What it belongs to, in a word or two."
    )


class RememberedOne(Record):
    """A memory, and where it comes from."""

    memory_id: str
    type: MemoryType
    category: str | None
    content: str = Field(description="What is remembered: a quotation.")
    confidence: float = Field(description="How sure it is that this holds, from 0 to 1.")
    pinned: bool
    state: MemoryState = Field(description="Whether it waits for the user's approval.")
    date: str = Field(description="Since when it holds, in the user's time zone.")
    timestamp: str = Field(description="Since when it holds, in UTC.")
    written_by: str = Field(description="Who wrote it down: user, offline, a model or an agent.")
    quote: str | None = Field(description="The words that it stands on: a quotation.")
    role: Role | None = Field(description="Who said them; null when it stands on none.")
    sender: str | None
    author: Author | None
    conversation_id: str | None = Field(description="Where they were said.")
    conversation_name: str | None
    channel: str | None
    message_id: str | None


class MemorySearchAnswer(Answer):
    """What `memory_search` gives."""

    memories: list[RememberedOne] = Field(
        description="The most relevant first; to a query for nothing in particular, such as "
        '"me", those that are pinned, then the newest.'
    )
    more: int = Field(
        default=0, description="How many more there are, if nothing in particular was asked for."
    )

    def kept(self) -> Json:
        return {"memories": [one.memory_id for one in self.memories]}

    def shown(self) -> list[str]:
        return [one.message_id for one in self.memories if one.message_id]


class MemoryAddAnswer(Answer):
    """What `memory_add` gives."""

    memory: RememberedOne = Field(description="As it is remembered now.")
    known: bool = Field(description="Whether it was known already.")

    def kept(self) -> Json:
        return {"memoryId": self.memory.memory_id, "known": self.known}

    def shown(self) -> list[str]:
        return [self.memory.message_id] if self.memory.message_id else []
