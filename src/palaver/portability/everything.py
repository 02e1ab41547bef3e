"""Everything that one user has said and heard, in one file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, tzinfo
from typing import Protocol

from palaver.conversation.records import ConversationPage
from palaver.index.records import ConversationMeta
from palaver.portability.export import Format, Readable, export_conversations
from palaver.portability.text import ALL

_LISTED_AT_ONCE = 200


class EveryDay(Protocol):
    """Whoever knows the conversation that goes on from day to day."""

    async def find(self) -> ConversationMeta | None: ...


class Library(Readable, Protocol):
    """What everything is taken from: `Palaver` is one."""

    @property
    def continuous(self) -> EveryDay: ...

    async def conversations(
        self, *, archived: bool = False, limit: int = 50, cursor: str | None = None
    ) -> ConversationPage: ...


async def all_conversations(palaver: Library) -> list[ConversationMeta]:
    """Every conversation, the archived ones and the continuous one too, in the order in which they
    began."""
    every_day = await palaver.continuous.find()
    found = {every_day.id: every_day} if every_day else dict[str, ConversationMeta]()
    known = -1
    while known < len(found):  # one may move past while they are listed: look until none is new
        known = len(found)
        async for conversation in _listed(palaver):
            found[conversation.id] = conversation
    return sorted(found.values(), key=lambda conversation: (conversation.created, conversation.id))


async def _listed(palaver: Library) -> AsyncIterator[ConversationMeta]:
    """Those with the latest message first; then the archived ones."""
    for archived in (False, True):
        cursor: str | None = None
        while True:
            page = await palaver.conversations(
                archived=archived, limit=_LISTED_AT_ONCE, cursor=cursor
            )
            for conversation in page.conversations:
                yield conversation
            if (cursor := page.next_cursor) is None:
                break


async def export_everything(
    palaver: Library, form: Format, zone: tzinfo = UTC
) -> AsyncIterator[bytes]:
    """All conversations as one document, in blocks. One that is erased meanwhile is left out."""
    ids = [conversation.id for conversation in await all_conversations(palaver)]
    async for block in export_conversations(
        palaver, ids, form, zone, title=ALL, without_erased=True
    ):
        yield block
