"""The summaries that events of a conversation hold, as a packet shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.context.ports import Summary
from palaver.index.newest import newest_summary, summary_in
from palaver.index.port import Index
from palaver.index.records import ConversationMeta, StoredSummary


@dataclass(frozen=True, slots=True)
class KeptSummaries:
    """Reads the summaries of one user's conversations."""

    index: Index
    user: str

    async def newest(self, conversation: ConversationMeta) -> Sequence[Summary]:
        """Raises NotFound, IndexUnavailable."""
        if conversation.mode == "continuous":  # it has none
            return ()
        found = await newest_summary(self.index, self.user, conversation.id)
        return [await self._summary(conversation.id, found)] if found else ()

    async def at(self, conversation_id: str, seq: int) -> Summary | None:
        """Raises NotFound, IndexUnavailable."""
        found = await summary_in(self.index, self.user, conversation_id, seq)
        return await self._summary(conversation_id, found) if found else None

    async def _summary(self, conversation_id: str, found: StoredSummary) -> Summary:
        last = await self.index.turns(self.user, conversation_id, found.through, found.through)
        return Summary(
            section="summary",
            text=found.text,
            covers=last[-1].seq if last else -1,
            seq=found.seq,
            made=found.made,
            sources=list(dict.fromkeys(one.message_id for one in found.sources)),
        )
