"""Auditing: what the owner would have been answered with, and an outsider was not."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.errors import IndexUnavailable, InputError
from palaver.index.port import MemoryFilter
from palaver.index.records import Json
from palaver.memory.finding import Finding
from palaver.recall.scope import Scope
from palaver.recall.search import Search

_MOST = 10
_LONGEST = 1000
"""So much of what somebody wrote is looked for."""


@dataclass(frozen=True, slots=True)
class Auditor:
    """Looks what has to do with what an outsider wrote. Nobody but the owner is told: ids are kept,
    and no words."""

    search: Search
    memories: Finding

    async def withheld(self, text: str) -> Json:
        """The memories and conversations that were withheld from whoever answered it."""
        asked = text[:_LONGEST]
        try:
            found = await self.search.page(
                asked, Scope(ignore_time_phrases=True), limit=_MOST, kind="conversation"
            )
            near = await self.memories.relevant(asked, MemoryFilter(), _MOST)
        except (
            IndexUnavailable,
            InputError,
        ):  # it is answered all the same, from the exchange alone
            return {"conversations": [], "memories": []}
        return {
            "conversations": [one.conversation_id for one in found.results],
            "memories": [one.memory.id for one in near],
        }
