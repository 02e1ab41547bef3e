"""Which streams are conversations, and what can be known of one without an index."""

from __future__ import annotations

import re

from palaver.conversation.books import Books
from palaver.errors import BadId, BadValue, IndexUnavailable, NotFound, ReadOnly
from palaver.ledger.lines import check_stream

WEB = "web"
PREFIX = "conv"
CHANNEL = r"[a-z][a-z0-9_-]{0,31}"
_CHANNEL = re.compile(CHANNEL)
_REMEMBERED = 10_000


def check_conversation_id(conversation_id: str) -> str:
    """`conversation_id`, if it can be one. Raises BadId: the user's own stream is none."""
    if not conversation_id.startswith(f"{PREFIX}-"):
        raise BadId(f"{conversation_id[:80]!r} is not the id of a conversation.")
    return check_stream(conversation_id)


def check_channel(channel: str) -> str:
    """`channel`, if it can be one. Raises BadValue."""
    if not _CHANNEL.fullmatch(channel):
        raise BadValue(f"{channel[:80]!r} is not a channel.", remedy="Use a word such as web.")
    return channel


class Streams:
    """The channel of each conversation, and whether it may be written to here."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._channels: dict[str, str] = {}

    async def channel(self, conversation_id: str) -> str:
        """The channel it belongs to; it never changes. Raises BadId, NotFound."""
        check_conversation_id(conversation_id)
        if (known := self._channels.get(conversation_id)) is not None:
            return known
        first = await self._books.ledger.read(conversation_id, limit=1)
        stated = first[0].data.get("channel") if first and first[0].type == "meta" else None
        if len(self._channels) >= _REMEMBERED:
            self._channels.clear()
        channel = self._channels[conversation_id] = stated if isinstance(stated, str) else WEB
        return channel

    async def writable(self, conversation_id: str) -> str:
        """Its channel. Raises BadId, NotFound, and ReadOnly while a channel writes to it."""
        channel = await self.channel(conversation_id)
        if channel != WEB and await self._pinned(conversation_id):
            raise ReadOnly(f"This conversation goes on by {channel} and is read-only here.")
        return channel

    async def _pinned(self, conversation_id: str) -> bool:
        try:
            return (
                await self._books.index.conversation(self._books.user, conversation_id)
            ).read_only
        except (IndexUnavailable, NotFound):
            return await self._pinned_in_ledger(conversation_id)

    async def _pinned_in_ledger(self, conversation_id: str) -> bool:
        pinned = False
        for line in await self._books.ledger.read(conversation_id):
            if line.event in ("pinned", "unpinned"):
                pinned = line.event == "pinned"
        return pinned
