"""The ports of the tools: where what was said is kept, and who knows what is left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from palaver.digest.states import Opening
from palaver.index.records import ConversationMeta, Memory, MemoryType, Message
from palaver.memory.records import NewMemory
from palaver.recall.continuous_results import ContinuousExcerpt, ContinuousPage
from palaver.recall.results import SearchPage
from palaver.times import Zone


class ContinuousArchive(Protocol):
    """The continuous conversation of one user."""

    async def search(
        self,
        query: str,
        *,
        day: str | None,
        from_: str | None,
        to: str | None,
        recency_days: int,
        limit: int,
        cursor: str | None,
        min_score: float | None,
        before: str | None,
    ) -> ContinuousPage:
        """Raises InputError, IndexUnavailable."""
        ...

    async def get(
        self,
        *,
        message_id: str | None,
        day_segment_id: str | None,
        from_message_id: str | None,
        to_message_id: str | None,
        limit: int,
        before_message_id: str | None,
        after_message_id: str | None,
    ) -> ContinuousExcerpt:
        """Raises InputError, NotFound, IndexUnavailable."""
        ...


class Remembered(Protocol):
    """What one user has had remembered; `Palaver.memories` is that."""

    async def search(self, query: str, *, type: MemoryType | None, limit: int) -> list[Memory]:  # noqa: A002 - as it is called everywhere
        """The most relevant first. Raises InputError, IndexUnavailable."""
        ...

    async def asks(self, query: str) -> bool:
        """Whether a query asks for something in particular. Raises InputError,
        IndexUnavailable."""
        ...

    async def count(self, type: MemoryType | None) -> int:  # noqa: A002 - as it is called everywhere
        """How many there are. Raises IndexUnavailable."""
        ...

    async def put(
        self, new: NewMemory, *, by: str, asked: bool, confidence: float
    ) -> tuple[Memory, bool]:
        """Remembers something, or gives what is known; and whether it was not known before.

        Raises InputError, Forbidden, NotFound, IndexUnavailable, StorageError.
        """
        ...


class Archive(Protocol):
    """Where one user's conversations are searched and read; `Palaver` is one."""

    @property
    def continuous(self) -> ContinuousArchive: ...

    @property
    def memories(self) -> Remembered: ...

    async def search_page(
        self,
        query: str,
        *,
        limit: int,
        channel: str | None,
        from_: str | None,
        to: str | None,
        before: str | None,
    ) -> SearchPage:
        """Raises InputError, IndexUnavailable."""
        ...

    async def conversation(self, conversation_id: str) -> ConversationMeta:
        """Raises BadId, NotFound, IndexUnavailable."""
        ...

    async def message(self, conversation_id: str, message_id: str) -> Message:
        """Raises BadId, NotFound, IndexUnavailable."""
        ...

    async def fetch(self, conversation_id: str, *, first: int, last: int) -> list[Message]:
        """The messages of some turns. Raises BadId, NotFound, IndexUnavailable."""
        ...


class Openings(Protocol):
    """Whoever keeps the states of conversations."""

    async def open(self, conversation_id: str | None, *, limit: int) -> Sequence[Opening]:
        """What a conversation leaves open, or what the recent ones do; the newest first.

        Raises NotFound, IndexUnavailable.
        """
        ...


@dataclass(frozen=True, slots=True)
class Past:
    """What was said before, and the time zone in which it is told."""

    archive: Archive
    zone: Zone
    before: str | None = None
    """What was said from this moment on is not looked at: it is what is being asked."""
    by: str = "agent"
    """Who looks back, and has something remembered."""
    conversation_id: str | None = None
    message_id: str | None = None
    """What is being answered, if it is known here."""
