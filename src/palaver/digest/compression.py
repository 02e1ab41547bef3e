"""Compression: when the turns after the last summary fill the window, older ones become a summary.

The summary is an event of the conversation. Nothing that was said changes, and the conversation
goes on under the same id.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from orjson import dumps

from palaver.digest.condensing import Condensed, Condenser, Count, Material
from palaver.digest.judging import completed, faults, kept
from palaver.digest.notes import Note, notes_of, open_note
from palaver.digest.states import States
from palaver.errors import Erased, KeyReused
from palaver.index.port import Index
from palaver.index.records import ConversationMeta, Json, Message, StoredSummary
from palaver.index.summary_fold import COMPRESSION
from palaver.ledger.lines import Draft, event
from palaver.ledger.port import Erasure, Ledger
from palaver.telemetry import Compressed, Telemetry

log = logging.getLogger(__name__)
_FULL = 0.8
"""When so much of the history's budget is filled, older turns are compressed."""
_SHARE = 0.14
"""What a summary may take of the budget: a little less than it is shown with."""
_TITLES = 75
"""What is said around it, in tokens."""
_PART = 50
_MOST = 400
"""So many turns become one summary; of a longer history, there are several."""
_PER_MESSAGE = 4
_UNSEEN = ("superseded", "redacted", "streaming")
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """What compression goes by."""

    budget_of: Callable[[ConversationMeta], int]
    """How many tokens a model is given of a conversation."""
    count: Count
    turns: int
    """So many of the last turns stay as they are."""


@dataclass(frozen=True, slots=True)
class _Due:
    """Turns that are to become a summary."""

    conversation: ConversationMeta
    before: StoredSummary | None
    first: int
    through: int


class Compression:
    """Compresses one user's conversations, when they need it."""

    def __init__(
        self,
        ledger: Ledger,
        index: Index,
        user: str,
        *,
        states: States,
        condenser: Condenser,
        limits: Limits,
        telemetry: Telemetry,
    ) -> None:
        self._telemetry = telemetry
        self._ledger = ledger
        self._index = index
        self._user = user
        self._states = states
        self._condenser = condenser
        self._limits = limits

    async def run_if_due(self, conversation_id: str) -> int:
        """Writes the summaries that are due; gives how many. Call it after a reply.

        Raises NotFound, IndexUnavailable, StorageError.
        """
        made = 0
        while (due := await self._due(conversation_id)) and await self._compress(due):
            made += 1
        return made

    # -- what is due -------------------------------------------------------------------------

    async def _due(self, conversation_id: str) -> _Due | None:
        conversation = await self._index.conversation(self._user, conversation_id)
        if conversation.mode == "continuous":
            return None
        before = await self._index.summary(self._user, conversation_id, COMPRESSION)
        first = before.through + 1 if before else 0
        through = min(conversation.turn_count - self._limits.turns, first + _MOST - 1)
        if through < max(first, 1) or not await self._is_full(conversation, first):
            return None
        return _Due(conversation, before, first, through)

    async def _is_full(self, conversation: ConversationMeta, first: int) -> bool:
        room = _FULL * self._limits.budget_of(conversation)
        async for part in self._parts(conversation.id, first, conversation.turn_count):
            room -= sum(map(self._cost, part))
            if room < 0:
                return True
        return False

    def _cost(self, message: Message) -> int:
        if message.status in _UNSEEN:
            return 0
        calls = [call for call in message.tool_calls or () if not call.get("recalled")]
        tools = dumps(calls).decode() if calls else ""
        return _PER_MESSAGE + self._limits.count(message.content) + self._limits.count(tools)

    async def _parts(
        self, conversation_id: str, first: int, last: int
    ) -> AsyncIterator[list[Message]]:
        for start in range(first, last + 1, _PART):
            end = min(start + _PART - 1, last)
            yield await self._index.turns(self._user, conversation_id, start, end)

    # -- compressing -------------------------------------------------------------------------

    async def _compress(self, due: _Due) -> bool:
        parts = self._parts(due.conversation.id, due.first, due.through)
        messages = [message async for part in parts for message in part]
        material = await self._material(due, messages)
        made = await asyncio.to_thread(self._condensed, material)
        receipt = self._receipt(due, material, made)
        if reasons := await asyncio.to_thread(faults, made, material):
            log.warning("A summary was refused. %s", " ".join(reasons))
        stored = not reasons and await self._write(due, made, receipt)
        if stored or reasons:
            self._telemetry.tell(_told(due, receipt, "kept" if stored else "refused"))
        return stored

    async def _material(self, due: _Due, messages: Sequence[Message]) -> Material:
        known = await self._states.look(due.conversation)
        items = [item for item in known.state.open_items if item.turn <= due.through]
        still_open = [open_note(item) for item in items]
        before = notes_of(due.before.sources) if due.before else []
        budget = int(_SHARE * self._limits.budget_of(due.conversation)) - _TITLES
        return Material(_without_closed(before, still_open), messages, still_open, budget)

    def _condensed(self, material: Material) -> Condensed:
        return completed(self._condenser.condense(material), material)

    def _receipt(self, due: _Due, material: Material, made: Condensed) -> Json:
        """What was kept, and what was not."""
        return {
            "turns": {"from": due.first, "to": due.through},
            "messages": len(material.messages),
            "tokensBefore": sum(map(self._cost, material.messages)),
            "tokensAfter": self._limits.count(made.text),
            "kept": len(made.notes),
            "dropped": max(made.offered + len(material.open) - len(made.notes), 0),
            "carriedOn": {"kept": kept(made.text, material.before), "of": len(material.before)},
        }

    async def _write(self, due: _Due, made: Condensed, receipt: Json) -> bool:
        """Stores the summary; False when another process has, or its words were erased."""
        for attempt in range(_ATTEMPTS):
            try:
                draft = self._draft(due, made, receipt, attempt)
                appended = (await self._ledger.append([draft]))[0]
            except KeyReused:
                return False
            except Erased:  # an erased summary stays erased; another one takes its place
                continue
            return await self._stands(made.notes, due.conversation.id, appended.line.seq)
        return False

    def _draft(self, due: _Due, made: Condensed, receipt: Json, attempt: int) -> Draft:
        again = f":{attempt + 1}" if attempt else ""
        return event(
            due.conversation.id,
            COMPRESSION,
            compressedThrough=due.through,
            summary=made.text,
            sources=[note.to_source() for note in made.notes],
            by=self._condenser.name,
            receipt=receipt,
            key=f"compression:{due.conversation.id}:{due.through}{again}",
        )

    async def _stands(self, notes: Sequence[Note], conversation_id: str, seq: int) -> bool:
        """Erases what was written while its sources were being erased."""
        wanted = {note.message_id for note in notes}
        found = {one.id for one in await self._index.find(self._user, sorted(wanted))}
        if wanted <= found:
            return True
        await self._ledger.erase(Erasure(lines={conversation_id: [seq]}))
        return False


def _told(due: _Due, receipt: Json, outcome: Literal["kept", "refused"]) -> Compressed:
    return Compressed(
        due.conversation.id,
        outcome,
        turns=due.through - due.first + 1,
        tokens_before=receipt["tokensBefore"],
        tokens_after=receipt["tokensAfter"],
    )


def _without_closed(before: Sequence[Note], still_open: Sequence[Note]) -> list[Note]:
    """What a summary has kept, but for what was open then and is not any more."""
    texts = {note.text for note in still_open}
    return [note for note in before if note.kind != "open" or note.text in texts]
