"""The summaries that events of a conversation hold, as a packet shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from palaver.context.policy import SectionName
from palaver.context.ports import Summary
from palaver.index.newest import newest_summary, summary_in
from palaver.index.port import Index
from palaver.index.records import ConversationMeta, StoredSummary
from palaver.index.summary_fold import day_kind, day_of


@dataclass(frozen=True, slots=True)
class KeptSummaries:
    """Reads the summaries of one user's conversations."""

    index: Index
    user: str

    async def newest(self, conversation: ConversationMeta) -> Sequence[Summary]:
        """Raises NotFound, IndexUnavailable."""
        found = await newest_summary(self.index, self.user, conversation.id)
        return [await self._summary(conversation.id, found)] if found else ()

    async def at(self, conversation_id: str, seq: int, *, day: str | None = None) -> Summary | None:
        """Raises NotFound, IndexUnavailable."""
        if day is not None:
            told = await self.index.summary(self.user, conversation_id, day_kind(day), seq=seq)
            return day_summary(told, day) if told else None
        found = await summary_in(self.index, self.user, conversation_id, seq)
        return await self._summary(conversation_id, found) if found else None

    async def _summary(self, conversation_id: str, found: StoredSummary) -> Summary:
        last = await self.index.turns(self.user, conversation_id, found.through, found.through)
        return _shown(found, "summary", last[-1].seq if last else -1)


def day_summary(told: StoredSummary, shown_on: str) -> Summary:
    """What tells of a day, as it is shown on that day, or on a later one."""
    day = day_of(told.kind)
    shown = _shown(told, "today" if day == shown_on else "yesterday", told.covers)
    return replace(shown, day=day, shown_on=shown_on)


def _shown(found: StoredSummary, section: SectionName, covers: int) -> Summary:
    return Summary(
        section=section,
        text=found.text,
        covers=covers,
        seq=found.seq,
        made=found.made,
        sources=list(dict.fromkeys(one.message_id for one in found.sources)),
    )
