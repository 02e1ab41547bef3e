"""Rules: when older turns of a conversation become a summary, and which event holds it."""

from __future__ import annotations

from typing import Protocol

from palaver.digest.fullness import Fullness, Limits
from palaver.index.records import ConversationMeta
from palaver.index.summary_fold import COMPRESSION, FIELDS, ROLLING

_EVERY = 10
"""After so many turns there is another rolling summary."""


class Rule(Protocol):
    """When a summary of one kind is due."""

    kind: str
    through: str
    """The field in which its event says how far it goes."""

    async def is_due(self, conversation: ConversationMeta, told: int) -> bool:
        """Whether there is enough after turn `told`, the last one that such a summary tells; -1
        without one. Raises NotFound, IndexUnavailable."""
        ...


class WhenFull:
    """Compression: when the turns since the last one fill the window."""

    kind, through = COMPRESSION, FIELDS[COMPRESSION][1]

    def __init__(self, fullness: Fullness) -> None:
        self._fullness = fullness

    async def is_due(self, conversation: ConversationMeta, told: int) -> bool:
        return await self._fullness.is_full(conversation, told + 1)


class EveryTenTurns:
    """The rolling summary: at every tenth turn, however little was said in them."""

    kind, through = ROLLING, FIELDS[ROLLING][1]

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    async def is_due(self, conversation: ConversationMeta, told: int) -> bool:
        made = told + self._limits.turns if told >= 0 else 0
        return conversation.turn_count >= made + _EVERY
