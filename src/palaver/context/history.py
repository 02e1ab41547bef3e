"""History: the messages a window may show, and what is known of those it may not.

Only as many are read as the limits allow, however long the conversation is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palaver.context.blocks import Block
from palaver.context.wire import blocks_of, is_said, words_of
from palaver.index.port import Index, Where
from palaver.index.records import Message, MessagePage
from palaver.index.rows import SPEAKING_ROLES
from palaver.times import Zone

_OPENING = 3
"""So many of the first messages are looked at for one that still says something."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a conversation may be shown, whatever it costs."""

    turns: int
    messages: int
    after: int = -1
    """The line up to which a summary stands for what was said."""
    keep_first: bool = True
    first_turn: int = 0
    """What was said in earlier turns is not part of it, and not missing either."""
    said: int | None = None
    """How many messages there are from that turn on, if it is known."""

    def show(self, message: Message, turn: int) -> bool:
        """Whether a message before the turn that is to be answered may be shown."""
        return message.turn_number > turn - self.turns and message.seq > self.after

    def unread(self, page: Sequence[Message]) -> int:
        """About how many messages from the first turn on lie before those of a page."""
        if page[0].turn_number < self.first_turn:
            return 0
        return max((self.said or 0) - sum(one.role in SPEAKING_ROLES for one in page), 1)


@dataclass(frozen=True, slots=True)
class History:
    """Blocks for a window, the oldest first; the last one is to be answered."""

    blocks: Sequence[Block]
    messages: Sequence[Message]
    """The stored messages that the blocks are made of, and some older ones."""
    missing: int
    """About how many messages are in no block: of those not read, events are counted, too."""
    turn: int
    """The turn that is to be answered."""
    lines: Mapping[str, int]
    """The line of each message that was read, by its id."""


@dataclass(frozen=True, slots=True)
class HistoryReader:
    """Reads the histories of one user's conversations."""

    index: Index
    user: str
    zone: Zone

    async def read(
        self,
        conversation_id: str,
        message: Message | str | None,
        limits: Limits,
        page: MessagePage | None = None,
    ) -> History:
        """What leads up to a message: one that is stored, one that is not, or else the last one.
        Whoever has read the `page` before it gives that.

        Raises NotFound, IndexUnavailable.
        """
        stored = [message] if isinstance(message, Message) else []
        page = page or await self.page(conversation_id, message, limits.messages)
        recent = [one for one in page.messages if one.turn_number >= limits.first_turn]
        read = [one for one in (*recent, *stored) if is_said(one)]
        begin, unread = read[:_OPENING], 0
        if page.has_more and limits.said is not None:
            unread = limits.unread(page.messages)
        elif page.has_more:
            first = await self._page(conversation_id, Where(first=True), _OPENING)
            begin = [one for one in first.messages if is_said(one)]
            unread = _unread(first.messages, read, keep_first=limits.keep_first)
        new = message if isinstance(message, str) and not _repeats(read, message) else None
        turn = (read[-1].turn_number if read else 0) + (new is not None)
        shown = [one for one in read[:-1] if limits.show(one, turn)] + read[-1:]
        blocks = self._blocks(begin if limits.keep_first else (), shown, new)
        lines = {one.id: one.seq for one in (*begin, *read)}
        return History(blocks, read, unread + _unseen(read, blocks), turn, lines)

    async def page(
        self, conversation_id: str, message: Message | str | None, most: int
    ) -> MessagePage:
        """The messages before one, at most so many with it. Raises NotFound, IndexUnavailable."""
        where = Where(before=message.id) if isinstance(message, Message) else Where()
        return await self._page(conversation_id, where, most - (message is not None))

    async def _page(self, conversation_id: str, where: Where, limit: int) -> MessagePage:
        return await self.index.messages(self.user, conversation_id, where, limit=limit)

    def _blocks(
        self, begin: Sequence[Message], shown: Sequence[Message], new: str | None
    ) -> list[Block]:
        """The first block of all, those that are shown, and one for what is not stored."""
        blocks = blocks_of(shown, self.zone())
        first = blocks_of(begin, self.zone())[:1]
        if first and blocks and first[0].ids[0] in {name for one in blocks for name in one.ids}:
            first = []
        said = [Block(({"role": "user", "content": new},))] if new else []
        return [*first, *blocks, *said]


def _repeats(read: Sequence[Message], text: str) -> bool:
    """Whether the newest message, not answered yet, says `text`."""
    return bool(read) and read[-1].role == "user" and read[-1].content == text


def _unread(first: Sequence[Message], read: Sequence[Message], *, keep_first: bool) -> int:
    """About how many messages lie before those that were read, without one that is kept."""
    oldest = read[0].seq if read else first[-1].seq + 1
    earlier = [one.seq for one in first if one.seq < oldest and is_said(one)]
    kept = keep_first and bool(earlier)
    if first[-1].seq >= oldest:  # these are all there are
        return len(earlier) - kept
    return oldest - (earlier[0] if earlier else first[0].seq) - kept


def _unseen(read: Sequence[Message], blocks: Sequence[Block]) -> int:
    """How many of the messages that were read say something, and are in no block."""
    ids = {name for block in blocks for name in block.ids}
    return sum(one.id not in ids for one in read if words_of(one))
