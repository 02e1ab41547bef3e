"""Endings: what was open when a day ended, and what was closed on it, whenever one looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from palaver.digest.fullness import TurnReader
from palaver.digest.notes import flat
from palaver.digest.remembered import Remembered
from palaver.digest.state import STATE_VERSION, Item, State
from palaver.digest.states import Folding, States
from palaver.index.port import Day, Index
from palaver.index.records import ConversationMeta
from palaver.index.rows import UNSEEN

_WINDOW = 100
"""So many turns up to its end are read to tell what a day of the past left open; what is older is
known from how the conversation stands now."""
_SOON = 100
"""A state that is so many messages behind is brought up to date at once."""
_LABELS = 4096
_PARSED = 64

_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Ending:
    """How things stood at the end of a day."""

    open: tuple[Item, ...]
    closed: tuple[Item, ...]
    """Those that were closed on this day."""
    carried: dict[str, str]
    """The labels of earlier days on which some of these were left open, by message."""


@dataclass(frozen=True, slots=True)
class Span:
    """A day, up to the last turn of it that is told."""

    day: Day
    last: int

    def holds(self, turn: int) -> bool:
        return self.day.first_turn <= turn <= self.last


@dataclass(frozen=True, slots=True)
class _Kept:
    """The state that is kept of a conversation, and whether it is far behind."""

    state: State
    more: bool


class Endings:
    """Tells how the days of one user's conversations ended."""

    def __init__(self, index: Index, user: str, states: States, fold: Folding) -> None:
        self._index = index
        self._user = user
        self._states = states
        self._fold = fold
        self._turns = TurnReader(index, user)
        self._past = Remembered[tuple[int, State]](_PARSED)
        """The last turn of the day that was looked at last, and the state then, by conversation."""
        self._parsed = Remembered[tuple[str, State]](_PARSED)
        self._labels = Remembered[str](_LABELS)

    async def of(self, conversation: ConversationMeta, span: Span) -> Ending:
        """Raises NotFound, IndexUnavailable."""
        kept = await self._kept(conversation.id)
        if span.day.last_turn is None and not kept.more:
            now = (await self._states.look(conversation)).state
            opened, closed = now.open_items, now.closed
        else:
            past = await self._ended(conversation.id, span, kept.state)
            opened, closed = _still_open(kept.state, past, span), past.closed + kept.state.closed
        ended = _each(item for item in closed if item.closed and span.holds(item.closed.turn))
        opened, ended = await self._said(opened), await self._said(ended)
        return Ending(opened, ended, await self._carried(conversation.id, span, (*opened, *ended)))

    async def _said(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """Those whose words, and what closed them, are still there."""
        ids = {item.message_id for item in items}
        ids |= {item.closed.message_id for item in items if item.closed}
        found = await self._index.find(self._user, sorted(ids)) if ids else []
        said = {one.id: flat(one.content) for one in found if one.status not in UNSEEN}
        return tuple(item for item in items if _is_there(item, said))

    async def _kept(self, conversation_id: str) -> _Kept:
        """The state that is kept, whatever it covers."""
        asked = (self._user, conversation_id, STATE_VERSION)
        read = await self._index.unfolded(*asked, limit=_SOON)
        if read.kept is None:
            return _Kept(State(), read.more)
        known = self._parsed.get(conversation_id)
        if known is None or known[0] != read.kept.text:
            known = read.kept.text, State.model_validate_json(read.kept.text)
            self._parsed.put(conversation_id, known)
        return _Kept(known[1], read.more)

    async def _ended(self, conversation_id: str, span: Span, kept: State) -> State:
        """The state after a day, from the nearest one before it that is known: that of the day
        before, as days are mostly told one after the other, or the one that is kept."""
        known = self._past.get(conversation_id)
        if known is None or known[0] != span.day.first_turn - 1:
            near = kept.turn_count < span.day.first_turn <= kept.turn_count + _WINDOW
            known = (kept.turn_count, kept) if near else None
        first, state = known or (max(0, min(span.day.first_turn, span.last - _WINDOW)), State())
        async for part in self._turns.parts(conversation_id, first, span.last):
            new = [message for message in part if message.seq > state.covers]
            state = await self._fold(new, state) if new else state
        self._past.put(conversation_id, (span.last, state))
        return state

    async def _carried(
        self, conversation_id: str, span: Span, items: Iterable[Item]
    ) -> dict[str, str]:
        old = {item.message_id: item.turn for item in items if item.turn < span.day.first_turn}
        labels = {one: await self._label(conversation_id, turn) for one, turn in old.items()}
        return {one: label for one, label in labels.items() if label}

    async def _label(self, conversation_id: str, turn: int) -> str:
        """The day of a turn, which never changes; "" when it belongs to none."""
        name = f"{conversation_id} {turn}"
        label = self._labels.get(name)
        if label is None:
            day = await self._index.day_of_turn(self._user, conversation_id, turn)
            label = day.label if day else ""
            self._labels.put(name, label)
        return label


def _still_open(now: State, past: State, span: Span) -> tuple[Item, ...]:
    """What was open then: what is open now and was said by then, what was closed since, and what
    the messages up to then tell, unless more of them tell otherwise."""
    before = {_key(one) for one in now.closed if one.closed and one.closed.turn <= span.last}
    later = [
        one.model_copy(update={"closed": None})
        for one in now.closed
        if one.closed and one.closed.turn > span.last
    ]
    found = _each((*past.open_items, *now.open_items, *later))
    return tuple(one for one in found if one.turn <= span.last and _key(one) not in before)


def _is_there(item: Item, said: Mapping[str, str]) -> bool:
    closing = item.closed is None or item.closed.message_id in said
    return closing and flat(item.text) in said.get(item.message_id, "")


def _each(items: Iterable[Item]) -> tuple[Item, ...]:
    """Each once, in the order in which they were said."""
    once = {_key(item): item for item in items}
    return tuple(sorted(once.values(), key=lambda item: item.seq))


def _key(item: Item) -> _Key:
    return item.message_id, item.text
