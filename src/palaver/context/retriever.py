"""The retriever: which earlier rounds of a conversation are worth their tokens again.

A round is wanted for what it has to do with the message (recall says how much, by its words), for
something in it that is still open, and a little for being recent.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from palaver.context.rounds import round_entry, rounds_piece
from palaver.context.sections import Piece, Purse
from palaver.context.wire import is_said
from palaver.index.port import Index, Reach
from palaver.index.records import ConversationMeta, Message
from palaver.recall.ranking import FoundRound
from palaver.recall.scope import Scope
from palaver.recall.search import Search
from palaver.text import query_terms
from palaver.times import Zone

_REACH = Reach(occurrences=2_000, alone=2_000, rounds=16, pieces=100_000, unread=32 << 10)
"""How far is looked: as far as takes a few milliseconds, whatever the length of a conversation."""
_LOOKED_AT = 20
"""So many of the rounds that recall finds are thought about."""
_SHOWN = 6
_WORTH = 0.2
"""What is worth less is not shown. Recall scores what has to do with a message mostly 0.3 to 0.7,
and chance likenesses below 0.2."""
_OPEN = 0.3
"""What a round is worth because something in it is open."""
_RECENT = 0.05
"""What the newest round is worth because of that; one `_FADING` turns back is worth half."""
_FADING = 50
_NEAREST = 4
"""So many messages around one are read to find those of its round."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What may be shown, and what need not be."""

    found: Sequence[FoundRound]
    turn: int
    """The turn of the message that is to be answered."""
    seen: Mapping[str, int]
    """The messages that the model sees already, and the line of each."""
    open: Mapping[int, str]
    """The turns in which something is left open, with the message that tells it."""


class Retriever:
    """Finds earlier rounds of one user's conversations."""

    def __init__(self, search: Search, index: Index, user: str, zone: Zone) -> None:
        self._search = search
        self._index = index
        self._user = user
        self._zone = zone

    async def find(self, conversation: ConversationMeta, text: str) -> list[FoundRound]:
        """What recall finds in the conversation. Raises NotFound, IndexUnavailable."""
        if not query_terms(text, ()):
            return []  # there is no word in it
        scope = Scope(conversation_id=conversation.id)
        return await self._search.glance(text, scope, limit=_LOOKED_AT, reach=_REACH)

    async def rounds(
        self, conversation: ConversationMeta, wanted: Wanted, purse: Purse
    ) -> Piece | None:
        """The rounds worth showing, in order of time; None if none is. Raises IndexUnavailable."""
        lines = await self._lines(_best(wanted))
        if not lines:
            return None
        near = await self._index.near(self._user, conversation.id, lines, limit=_NEAREST)
        rounds = map(partial(_round, wanted.seen), lines, near)
        return rounds_piece([round_entry(one, purse, self._zone()) for one in rounds if one], purse)

    async def _lines(self, best: Sequence[int | str]) -> list[int]:
        """The lines of messages, of which some are known by their ids."""
        ids = [one for one in best if isinstance(one, str)]
        found = await self._index.find(self._user, ids) if ids else ()
        lines = {one.id: one.seq for one in found}
        return [
            lines[one] if isinstance(one, str) else one
            for one in best
            if isinstance(one, int) or one in lines  # it may be erased
        ]


def _round(seen: Container[str], line: int, near: Sequence[Message]) -> list[Message]:
    """What was said in the turn of a line, and is not seen yet."""
    turns = {one.turn_number for one in near if one.seq == line}
    return [one for one in near if one.turn_number in turns and one.id not in seen and is_said(one)]


def _best(wanted: Wanted) -> list[int | str]:
    """A message of each round worth showing that is not seen yet, best first: its line, or its
    id."""
    told: dict[int, int | str] = {
        turn: one for turn, one in wanted.open.items() if one not in wanted.seen
    }
    seen = set(wanted.seen.values())
    scores: dict[int, float] = {}
    for one in wanted.found:
        if unseen := [line for _, line in one.places if line not in seen]:
            told.setdefault(one.turn, unseen[0])
            scores[one.turn] = one.score
    worth = {
        turn: scores.get(turn, 0)
        + _OPEN * (turn in wanted.open)
        + _RECENT * 0.5 ** ((wanted.turn - turn) / _FADING)
        for turn in told
    }
    best = sorted(worth, key=lambda turn: -worth[turn])
    return [told[turn] for turn in best if worth[turn] >= _WORTH][:_SHOWN]
