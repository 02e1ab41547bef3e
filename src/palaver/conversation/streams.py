"""Which streams are conversations, and what can be known of one without an index."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from palaver.conversation.books import Books
from palaver.errors import BadId, BadValue, IndexUnavailable, NotFound, ReadOnly
from palaver.ledger.lines import check_stream

WEB = "web"
PREFIX = "conv"
CONTINUOUS: Final = "continuous"
"""The mode of a conversation that goes on from day to day."""
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


class _Kind(NamedTuple):
    """What the first line of a conversation says of it."""

    channel: str
    continuous: bool


class Streams:
    """The channel of each conversation, and whether it may be written to here."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._known: dict[str, _Kind] = {}

    async def channel(self, conversation_id: str) -> str:
        """The channel it belongs to; it never changes. Raises BadId, NotFound."""
        return (await self._kind(conversation_id)).channel

    async def is_continuous(self, conversation_id: str) -> bool:
        """Whether it goes on from day to day; that never changes. Raises BadId, NotFound."""
        return (await self._kind(conversation_id)).continuous

    async def _kind(self, conversation_id: str) -> _Kind:
        check_conversation_id(conversation_id)
        if (known := self._known.get(conversation_id)) is not None:
            return known
        first = await self._books.ledger.read(conversation_id, limit=1)
        stated = first[0].data if first and first[0].type == "meta" else {}
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        channel = stated.get("channel")
        kind = _Kind(channel if isinstance(channel, str) else WEB, stated.get("mode") == CONTINUOUS)
        self._known[conversation_id] = kind
        return kind

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
            if line.type == "meta":
                pinned = line.data.get("pinned") is True
            if line.event in ("pinned", "unpinned"):
                pinned = line.event == "pinned"
        return pinned
