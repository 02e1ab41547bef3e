"""Summaries of a conversation, as they are stored."""

from __future__ import annotations

from palaver.app import Palaver
from palaver.index.records import StoredSummary
from palaver.ledger.lines import Line
from palaver.settings import Settings


async def newest(palaver: Palaver, conversation_id: str, kind: str) -> StoredSummary:
    index = palaver._index  # pyright: ignore[reportPrivateUsage]
    found = await index.summary(palaver.user, conversation_id, kind)
    assert found is not None
    return found


async def every(palaver: Palaver, conversation_id: str, kind: str) -> list[Line]:
    lines = await palaver.lines(conversation_id)
    return [line for line in lines if line.event == kind]


def with_little_room(kept: Settings) -> Settings:
    """A small budget, so that little has to be said before a conversation is compressed."""
    less = kept.conversations.model_copy(update={"max_context_tokens": 800})
    return kept.model_copy(update={"conversations": less})
