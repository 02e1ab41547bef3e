"""Loops: what was open on a day, since when, and on which later day it was closed.

How a conversation stands tells it of the newest day, with what its summary names as closed. Of an
earlier one, its summary does: what it names as open or as closed stands on messages, and summaries
of later days that stand on the same ones tell how it was closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from palaver.conversation.books import Books
from palaver.conversation.day_records import DayLoop, LoopEnd
from palaver.digest.remembered import Remembered
from palaver.digest.state import Item, State
from palaver.digest.states import States
from palaver.index.port import Day
from palaver.index.records import ConversationMeta, StoredSummary, SummarySource
from palaver.index.summary_fold import day_of

OPEN, CLOSED, CLOSING = "open", "closed", "closing"
"""What a line of a day summary stands on: where something was opened that is open, or that was
closed on this day, and where it was closed."""
_HOW = re.compile(r"\((answered|done|decided|withdrawn|dropped)[,)]")
_UNKNOWN = "loop"
_LABELS = 4096
_FEW, _RECENT = 8, 50
"""So many messages are looked at for what is open while somebody waits for a day of the past, whose
summary tells it, or for the newest."""


class Loops:
    """What one user's days leave open."""

    def __init__(self, books: Books, states: States) -> None:
        self._books = books
        self._states = states
        self._labels = Remembered[str](_LABELS)
        """The days of turns, which never change."""

    async def of(self, conversation: ConversationMeta, day: Day | None) -> list[DayLoop]:
        """What was open on a day, and what was closed on it; None for one on which nothing was said
        yet. Raises NotFound, IndexUnavailable."""
        is_newest = day is None or day.last_turn is None
        state = await self._states.glance(conversation.id, _RECENT if is_newest else _FEW)
        if day is None or day.summary is None:
            return await self._of_state(conversation.id, day, state)
        told = await self._of_summary(conversation.id, day, day.summary, state)
        if day.last_turn is not None:
            return told
        found = await self._of_state(conversation.id, day, state)
        known = {(one.message_id, one.text) for one in found}
        closed = [one for one in told if one.closed and (one.message_id, one.text) not in known]
        return [*found, *closed]

    # -- as the conversation stands ----------------------------------------------------------

    async def _of_state(self, conversation_id: str, day: Day | None, state: State) -> list[DayLoop]:
        last = day.last_turn if day else None
        held = [one for one in state.open_items if last is None or one.turn <= last]
        held += [one for one in state.closed if day and _is_shown(one, day)]
        return [await self._loop(conversation_id, one) for one in sorted(held, key=_place)]

    async def _loop(self, conversation_id: str, item: Item) -> DayLoop:
        end = item.closed
        return DayLoop(
            text=item.text,
            message_id=item.message_id,
            kind=item.kind,
            since=await self._label(conversation_id, item.turn),
            closed=LoopEnd(
                day=await self._label(conversation_id, end.turn) or "",
                message_id=end.message_id,
                how=end.how,
            )
            if end
            else None,
        )

    # -- as the summary of the day tells it --------------------------------------------------

    async def _of_summary(
        self, conversation_id: str, day: Day, summary: StoredSummary, state: State
    ) -> list[DayLoop]:
        told = [one for one in summary.sources if one.kind in (OPEN, CLOSED)]
        later = await self._later(conversation_id, day, [one.message_id for one in told])
        found: list[DayLoop] = []
        for source in told:
            item = _same(source, (*state.open_items, *state.closed))
            end = _end_in([summary], source) if source.kind == CLOSED else _end_in(later, source)
            if end is None and item is not None and item.closed is not None:
                end = (await self._loop(conversation_id, item)).closed
            found.append(
                DayLoop(
                    text=source.quote or "",
                    message_id=source.message_id,
                    kind=item.kind if item else _UNKNOWN,
                    since=await self._label(conversation_id, source.turn),
                    closed=end,
                )
            )
        return found

    async def _later(
        self, conversation_id: str, day: Day, message_ids: Sequence[str]
    ) -> list[StoredSummary]:
        """Summaries of later days that stand on some messages, the oldest first."""
        if not message_ids:
            return []
        books = self._books
        found = await books.index.citing(books.user, conversation_id, message_ids)
        later = {label: one for one in found if (label := day_of(one.kind) or "") > day.label}
        return [later[label] for label in sorted(later)]

    async def _label(self, conversation_id: str, turn: int) -> str | None:
        name = f"{conversation_id} {turn}"
        label = self._labels.get(name)
        if label is None:
            books = self._books
            day = await books.index.day_of_turn(books.user, conversation_id, turn)
            label = day.label if day else ""
            self._labels.put(name, label)
        return label or None


def _is_shown(item: Item, day: Day) -> bool:
    """Whether something that is closed now was closed on a day, or left open by it."""
    last = day.last_turn if day.last_turn is not None else item.turn
    return item.closed is not None and item.closed.turn >= day.first_turn and item.turn <= last


def _place(item: Item) -> int:
    return item.seq


def _end_in(summaries: Iterable[StoredSummary], opened: SummarySource) -> LoopEnd | None:
    """How something was closed, as the first of some summaries tells that names it as closed."""
    ends = (
        _end(summary, source)
        for summary in summaries
        for source in summary.sources
        if source.kind == CLOSED and _alike(source, opened.message_id, opened.quote)
    )
    return next(filter(None, ends), None)


def _end(summary: StoredSummary, closed: SummarySource) -> LoopEnd | None:
    label = day_of(summary.kind)
    for source in summary.sources:
        if label and source.kind == CLOSING and source.point == closed.point:
            return LoopEnd(day=label, message_id=source.message_id, how=_how(summary, closed))
    return None


def _how(summary: StoredSummary, closed: SummarySource) -> str:
    lines = summary.text.split("\n")
    told = lines[closed.point] if closed.point is not None and closed.point < len(lines) else ""
    found = _HOW.search(told)
    return found[1] if found else "done"


def _same(source: SummarySource, items: Iterable[Item]) -> Item | None:
    return next((one for one in items if _alike(source, one.message_id, one.text)), None)


def _alike(source: SummarySource, message_id: str, words: str | None) -> bool:
    """Whether a source is about what was opened with some words: one may be cut short."""
    ours, theirs = source.quote or "", words or ""
    return source.message_id == message_id and (ours.startswith(theirs) or theirs.startswith(ours))
