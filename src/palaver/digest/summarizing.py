"""Summarizing: older turns of a conversation become a summary, when a rule says that it is due.

The summary is an event of the conversation. Nothing that was said changes, and the conversation
goes on under the same id. Whatever the rule, each summary carries on the newest one there is: what
was kept does not depend on which of them is shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from palaver.digest.condensing import Condensed, Condenser, Material
from palaver.digest.deriving import Derived, Deriving
from palaver.digest.fullness import Limits, TurnReader, cost
from palaver.digest.judging import completed, faults, kept
from palaver.digest.notes import Note, notes_of, open_note
from palaver.digest.remembered import Remembered
from palaver.digest.rules import Rule
from palaver.digest.states import States
from palaver.index.newest import KINDS, newest_of
from palaver.index.port import Index
from palaver.index.records import ConversationMeta, Json, Message, StoredSummary
from palaver.ledger.port import Ledger
from palaver.telemetry import Compressed, Telemetry

log = logging.getLogger(__name__)
_SHARE = 0.14
"""What a summary may take of the budget: a little less than it is shown with."""
_TITLES = 75
"""What is said around it, in tokens."""
_MOST = 400
"""So many turns become one summary; of a longer history, there are several."""
_PAUSE = 10
"""After a summary was refused, so many turns pass before another attempt."""


@dataclass(frozen=True, slots=True)
class _Due:
    """Turns that are to become a summary."""

    conversation: ConversationMeta
    before: StoredSummary | None
    first: int
    through: int


class Look(NamedTuple):
    """A conversation, and the summaries that it has."""

    conversation: ConversationMeta
    summaries: Sequence[StoredSummary]


class Summarizing:
    """Summarizes one user's conversations, when one rule says so."""

    def __init__(
        self,
        ledger: Ledger,
        index: Index,
        user: str,
        rule: Rule,
        *,
        states: States,
        condenser: Condenser,
        limits: Limits,
        telemetry: Telemetry,
    ) -> None:
        self._telemetry = telemetry
        self._deriving = Deriving(ledger, index, user)
        self._index = index
        self._user = user
        self._states = states
        self._condenser = condenser
        self._limits = limits
        self._rule = rule
        self._turns = TurnReader(index, user)
        self._refused = Remembered[int]()
        """The turn up to which no other attempt is made."""

    async def run_if_due(self, conversation_id: str, look: Look | None = None) -> int:
        """Writes the summaries that are due; gives how many. Call it after a reply. Whoever has
        just had a `look` gives it.

        Raises NotFound, IndexUnavailable, StorageError.
        """
        made, look = 0, look or await self.look(conversation_id)
        while (due := await self._due(look)) and await self._summarize(due):
            made, look = made + 1, await self.look(conversation_id)
        return made

    async def look(self, conversation_id: str) -> Look:
        """What summaries are made by. Raises NotFound, IndexUnavailable."""
        conversation, summaries = await asyncio.gather(
            self._index.conversation(self._user, conversation_id),
            self._index.summaries(self._user, conversation_id, KINDS),
        )
        return Look(conversation, summaries)

    # -- what is due -------------------------------------------------------------------------

    async def _due(self, look: Look) -> _Due | None:
        conversation, found = look
        if conversation.mode == "continuous":
            return None
        least = max(self._refused.get(conversation.id) or 0, self._limits.turns + 1)
        if conversation.turn_count < least:
            return None
        told = next((one.through for one in found if one.kind == self._rule.kind), -1)
        before = newest_of(found)
        first = before.through + 1 if before else 0
        through = min(conversation.turn_count - self._limits.turns, first + _MOST - 1)
        if through < max(first - 1, told + 1, 1) or not await self._rule.is_due(conversation, told):
            return None
        return _Due(conversation, before, first, through)

    # -- summarizing -------------------------------------------------------------------------

    async def _summarize(self, due: _Due) -> bool:
        parts = self._turns.parts(due.conversation.id, due.first, due.through)
        messages = [message async for part in parts for message in part]
        material = await self._material(due, messages)
        made = await asyncio.to_thread(self._condensed, material)
        receipt = self._receipt(due, material, made)
        if reasons := await asyncio.to_thread(faults, made, material):
            log.warning("A summary was refused. %s", " ".join(reasons))
            later = due.conversation.turn_count + _PAUSE
            self._refused.put(due.conversation.id, later)
        stored = not reasons and await self._write(due, material, made, receipt)
        if stored or reasons:
            self._telemetry.tell(self._told(due, receipt, "kept" if stored else "refused"))
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
            "tokensBefore": sum(cost(one, self._limits.count) for one in material.messages),
            "tokensAfter": self._limits.count(made.text),
            "kept": len(made.notes),
            "dropped": max(made.offered + len(material.open) - len(made.notes), 0),
            "carriedOn": {"kept": kept(made.text, material.before), "of": len(material.before)},
        }

    async def _write(self, due: _Due, material: Material, made: Condensed, receipt: Json) -> bool:
        """Stores the summary; False when another process has, or its words do not hold any more."""
        derived = Derived(
            due.conversation.id,
            self._rule.kind,
            {
                self._rule.through: due.through,
                "summary": made.text,
                "sources": [note.to_source() for note in made.notes],
                "by": self._condenser.name,
                "receipt": receipt,
            },
            key=str(due.through),
            read={message.id: message.content for message in material.messages},
        )
        return await self._deriving.write(
            derived, is_done=lambda: self._is_told(due), holds=lambda: self._carries_on(due)
        )

    async def _is_told(self, due: _Due) -> bool:
        """Whether another process has told these turns."""
        newest = await self._index.summary(self._user, due.conversation.id, self._rule.kind)
        return newest is not None and newest.through >= due.through

    async def _carries_on(self, due: _Due) -> bool:
        """Whether the summary before still holds."""
        if due.before is None:
            return True
        asked = (self._user, due.conversation.id, due.before.kind)
        return await self._index.summary(*asked, seq=due.before.seq) is not None

    def _told(self, due: _Due, receipt: Json, outcome: Literal["kept", "refused"]) -> Compressed:
        return Compressed(
            due.conversation.id,
            self._rule.kind,
            outcome,
            turns=due.through - due.first + 1,
            tokens_before=receipt["tokensBefore"],
            tokens_after=receipt["tokensAfter"],
        )


def _without_closed(before: Sequence[Note], still_open: Sequence[Note]) -> list[Note]:
    """What a summary has kept, but for what was open then and is not any more."""
    texts = {note.text for note in still_open}
    return [note for note in before if note.kind != "open" or note.text in texts]
