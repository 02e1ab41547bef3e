"""The retriever: which earlier rounds of a conversation are worth their tokens again.

A round is wanted for what it has to do with the message (recall says how much), for something in it
that is still open, and a little for being recent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from palaver.context.rounds import round_entry, rounds_piece
from palaver.context.sections import Entry, Piece, Purse
from palaver.context.wire import is_said
from palaver.errors import NotFound
from palaver.index.port import Index, Where
from palaver.index.records import ConversationMeta, Message
from palaver.recall.results import Hit
from palaver.recall.scope import Scope
from palaver.recall.search import Search
from palaver.text import query_terms

_LOOKED_AT = 20
"""So many of the rounds that recall finds are thought about."""
_SHOWN = 6
_WORTH = 0.25
"""What is worth less is not shown. Recall scores what has to do with a message mostly 0.3 to 0.7,
and chance likenesses below 0.2."""
_OPEN = 0.3
"""What a round is worth because something in it is open."""
_RECENT = 0.05
"""What the newest round is worth because of that; one `_FADING` turns back is worth half."""
_FADING = 50
_NEAREST = 6
"""So many messages around one are read to find those of its round."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What may be shown, and what need not be."""

    hits: Sequence[Hit]
    turn: int
    """The turn of the message that is to be answered."""
    seen: Collection[str]
    """The messages that the model sees already."""
    open: Mapping[int, str]
    """The turns in which something is left open, with the message that tells it."""


class Retriever:
    """Finds earlier rounds of one user's conversations."""

    def __init__(self, search: Search, index: Index, user: str, zone: tzinfo) -> None:
        self._search = search
        self._index = index
        self._user = user
        self._zone = zone

    async def find(self, conversation: ConversationMeta, text: str) -> list[Hit]:
        """What recall finds in the conversation. Raises NotFound, IndexUnavailable."""
        if not query_terms(text, ()):
            return []  # there is no word in it
        scope = Scope(conversation_id=conversation.id)
        _, hits = await self._search.hits(text, scope, limit=_LOOKED_AT)
        return hits

    async def rounds(
        self, conversation: ConversationMeta, wanted: Wanted, purse: Purse
    ) -> Piece | None:
        """The rounds worth showing, in order of time; None if none is. Raises IndexUnavailable."""
        entries: list[Entry] = []
        for message_id in _best(wanted):
            round_ = await self._round(conversation, message_id, wanted.seen)
            if round_:
                entries.append(round_entry(round_, purse, self._zone))
        return rounds_piece(entries, purse)

    async def _round(
        self, conversation: ConversationMeta, message_id: str, seen: Collection[str]
    ) -> list[Message]:
        """What was said in the turn of a message, and is not seen yet."""
        around = Where(around=message_id)
        try:
            page = await self._index.messages(self._user, conversation.id, around, limit=_NEAREST)
        except NotFound:  # erased since it was found
            return []
        turns = {one.turn_number for one in page.messages if one.id == message_id}
        return [
            one
            for one in page.messages
            if one.turn_number in turns and one.id not in seen and is_said(one)
        ]


def _best(wanted: Wanted) -> list[str]:
    """A message of each round worth showing that is not seen yet, best first."""
    told = {turn: one for turn, one in wanted.open.items() if one not in wanted.seen}
    scores: dict[int, float] = {}
    for hit in wanted.hits:
        if hit.message.id not in wanted.seen:
            told.setdefault(hit.message.turn_number, hit.message.id)
            scores[hit.message.turn_number] = hit.score
    worth = {
        turn: scores.get(turn, 0)
        + _OPEN * (turn in wanted.open)
        + _RECENT * 0.5 ** ((wanted.turn - turn) / _FADING)
        for turn in told
    }
    best = sorted(worth, key=lambda turn: -worth[turn])
    return [told[turn] for turn in best if worth[turn] >= _WORTH][:_SHOWN]
