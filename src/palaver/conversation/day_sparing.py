"""Sparing the words of the owner: when a message is erased, what they wrote of a day stays.

A page that a maker has made goes with the message, and is made again. One that the owner has
written on cannot be made again: it goes on without the lines that stand on the message, or repeat
its words. That is written before anything is erased, so that no crash loses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from palaver.conversation.books import Books
from palaver.conversation.day_lines import as_field, repeats, spared
from palaver.errors import Conflict, NotFound, Outdated
from palaver.index.day_fold import SUMMARY
from palaver.index.records import Json, Message, StoredSummary
from palaver.index.summary_fold import day_of
from palaver.ledger import lines
from palaver.ledger.lines import Draft

_ATTEMPTS = 20


class DaySparing:
    """Looks after what one user wrote of their days."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def spare(
        self, streams: Sequence[str], going: Sequence[Message], expected: Mapping[str, int]
    ) -> dict[str, int]:
        """Writes pages of some conversations anew that were written on by hand, without messages
        that are about to be erased. Gives how long the conversations are then of which that was
        `expected`. Raises Conflict, Outdated, StorageFailed, IndexUnavailable."""
        ends: dict[str, int] = {}
        for stream in streams:
            end = await self._spare(stream, going, expected.get(stream))
            if end is not None and stream in expected:
                ends[stream] = end
        return ends

    async def _spare(
        self, stream: str, going: Sequence[Message], expected: int | None
    ) -> int | None:
        """How long the conversation is then; None when nothing was written."""
        for _ in range(_ATTEMPTS):
            try:
                view = await self._books.index.view(self._books.user, stream, limit=1)
            except NotFound:
                return None
            if view.conversation.mode != "continuous":
                return None
            pages = await self._pages(stream, going)
            if not pages:
                return None
            seen = {stream: view.version if expected is None else expected}
            try:
                return (await self._books.ledger.append(pages, expected=seen))[-1].line.end
            except Outdated:  # it may be another summary
                if expected is not None:
                    raise
        raise Conflict(
            "Something was said again and again while that was erased.", remedy="Try again."
        )

    async def _pages(self, stream: str, going: Sequence[Message]) -> list[Draft]:
        ids = [message.id for message in going]
        found = await self._books.index.citing(self._books.user, stream, ids)
        return [draft for one in found for draft in _anew(stream, one, going)]


def _anew(stream: str, page: StoredSummary, going: Sequence[Message]) -> Iterator[Draft]:
    label = day_of(page.kind)
    if label is None or not page.by_hand:
        return
    text, sources = spared(page, {one.id for one in going}, repeats([one.content for one in going]))
    if text:
        kept: Json = {
            "day": label,
            "summary": text,
            "covers": page.covers,
            "through": page.through,
            "sources": [as_field(source) for source in sources],
        }
        yield lines.event(stream, SUMMARY, **kept, by="user", edited=True, reason="hand")
