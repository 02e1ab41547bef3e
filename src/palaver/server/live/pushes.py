"""Pushes: the messages that tell what happened."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.conversation.happenings import Happening
from palaver.index.records import Record
from palaver.server.live.messages import (
    ConversationChanged,
    ConversationCreated,
    ConversationRemoved,
    ConversationRenamed,
    ConversationUpdated,
    DaySummaryUpdated,
    ExternalUpdated,
    MemoryChanged,
    encode,
)
from palaver.server.wire import Frames


def pushes(one: Happening) -> list[Frames]:
    """The messages for a step.

    `eventId` is where to go on. So of several messages for one step only the last names it, and
    the others the one before: whoever is cut off between them hears all of them again.
    """
    *others, last = _told(one)
    told = [encode(message, eventId=one.pos - 1) for message in others]
    return [*told, encode(last, eventId=one.pos)]


def _told(one: Happening) -> Iterator[Record]:
    """At least one message."""
    meta, conversation_id = one.conversation, one.conversation_id or ""
    match one.kind:
        case "memory":
            alone = one.memory_ids[0] if len(one.memory_ids) == 1 else None
            yield MemoryChanged(memory_id=alone, memory_ids=one.memory_ids)
        case "external":
            yield ExternalUpdated(external_id=one.external_id or "")
        case "created" if meta:
            yield ConversationCreated(conversation=meta)
        case "renamed" if meta:
            yield ConversationRenamed(
                conversation_id=conversation_id, title=meta.title, topics=meta.topics
            )
        case "changed" if meta:
            yield ConversationChanged(conversation=meta)
        case "day_summary":
            yield DaySummaryUpdated(date=one.day or "", conversation_id=conversation_id)
        case "removed":
            yield ConversationRemoved(conversation_id=conversation_id)
        case _:
            pass
    for message in one.messages:
        yield ConversationUpdated(conversation_id=conversation_id, turn=message)
