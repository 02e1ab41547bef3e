"""The rows of memories: made from the events in the user's stream that tell of them.

Each of these holds the whole memory as it is from then on, so the last one that is left counts. A
reply names the memories it was made with: how often one was used follows from the replies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast, get_args

from palaver.index import values
from palaver.index.records import MemoryState, MemoryType
from palaver.index.rows import MemoryRow, OblivionRow, UseRow
from palaver.ledger.lines import Line, sources_of

ADDED, EDITED, SUPERSEDED = "memory_added", "memory_edited", "memory_superseded"
RESTORED, CANDIDATE, FORGOTTEN = "memory_restored", "memory_candidate", "memory_forgotten"
TELLING = (ADDED, EDITED, SUPERSEDED, RESTORED, CANDIDATE)
"""The events that hold a memory."""
OWNER = "user"
"""By whom something was done by hand."""
SECTION = "memories"
"""The part of a packet in which memories are shown."""
_TYPES: tuple[str, ...] = get_args(MemoryType)
_STATES: tuple[str, ...] = get_args(MemoryState)
_NO_SOURCE: Mapping[str, Any] = {}


def memory_row(line: Line) -> MemoryRow | None:
    """The memory that an event holds; None when it holds none."""
    told = line.data.get("memory")
    if line.event not in TELLING or not isinstance(told, dict):
        return None
    memory = cast("dict[str, Any]", told)
    name, content = values.text(line.data.get("memoryId")), values.text(memory.get("content"))
    kind, state = str(memory.get("type")), str(memory.get("state", "kept"))
    if not name or not content or kind not in _TYPES or state not in _STATES:
        return None
    at = values.moment(line.data.get("at")) or values.EPOCH
    source = next(iter(sources_of(line.data)), _NO_SOURCE)
    confidence = values.number(memory.get("confidence"))
    by = values.text(memory.get("by")) or OWNER
    return MemoryRow(
        seq=line.seq,
        id=name,
        event=line.event,
        state=state,
        type=kind,
        category=values.text(memory.get("category")),
        content=content,
        confidence=1.0 if confidence is None else min(max(confidence, 0.0), 1.0),
        pinned=int(memory.get("pinned") is True),
        archived=int(memory.get("archived") is True),
        valid_from=values.moment(memory.get("validFrom")),
        superseded_by=values.text(memory.get("supersededBy")),
        created=values.moment(memory.get("created")) or at,
        updated=at,
        conversation_id=values.text(source.get("conversationId")),
        message_id=values.text(source.get("messageId")),
        quote=values.text(source.get("quote")),
        by=by,
        edited=int(memory.get("edited") is True),
        slot=values.text(memory.get("slot")),
        beside=values.json_texts(memory.get("beside")),
        changed_by=_changed_by(line, by),
    )


def _changed_by(line: Line, by: str) -> str:
    """Who wrote a line about a memory; of lines that do not say so, those who edit are owners."""
    return values.text(line.data.get("by")) or (OWNER if line.event == EDITED else by)


def use_rows(line: Line, at: str) -> Iterator[UseRow]:
    """The memories that a reply was made with: those it was shown, and those it looked up."""
    if line.data.get("role") != "assistant":
        return
    shown: list[object] = []
    packet = line.data.get("packet")
    if isinstance(packet, dict):
        for section in values.objects(cast("dict[str, Any]", packet).get("sections")):
            if section.get("name") == SECTION and isinstance(section.get("memories"), list):
                shown += cast("list[object]", section["memories"])
    for call in values.objects(line.data.get("toolCalls")):
        shown += _looked_up(call)
    for name in dict.fromkeys(values.text(one) for one in shown):
        if name:
            yield UseRow(line.seq, name, at)


def _looked_up(call: dict[str, Any]) -> list[object]:
    """The memories that a tool found for a reply."""
    kept = call.get("output")
    found = cast("dict[str, object]", kept).get("memories") if isinstance(kept, dict) else None
    return cast("list[object]", found) if isinstance(found, list) else []


def oblivion_rows(line: Line) -> Iterator[OblivionRow]:
    """What an event says is not to be learned again."""
    salt = values.text(line.data.get("markSalt"))
    if line.event == FORGOTTEN and salt:
        for digest in values.digests(line.data.get("marks")):
            yield OblivionRow(line.seq, salt, digest)
