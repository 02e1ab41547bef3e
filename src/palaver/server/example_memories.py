"""Examples of answers about memories."""

from __future__ import annotations

from palaver.index.records import Memory, Record
from palaver.memory.records import (
    AuditFinding,
    AuditReport,
    AuditShares,
    Extraction,
    ForgetReceipt,
    HistoryEntry,
    MemoryHistory,
    MemoryPage,
    Merged,
    Replaced,
    Skipped,
)
from palaver.server.examples import ASKED, CONVERSATION, MEMORY, THEN, WHEN
from palaver.server.views import Mended

_EARLIER = "mem-01HQXJ0A1C3E5G7J9M1P3R5T7V"
_NOW, _BEFORE = "We live in Oslo now.", "We live in Berlin."


def remembered() -> list[Record]:
    memory = _memory(MEMORY, _NOW)
    before = _memory(_EARLIER, _BEFORE).model_copy(update={"superseded_by": MEMORY})
    return [
        memory,
        MemoryPage(memories=[memory], next_cursor="eyJhIjoxfQ"),
        MemoryHistory(
            memory=memory,
            before=[before],
            after=[],
            changes=[HistoryEntry(at=THEN, event="added", by="offline", content=_NOW)],
        ),
        Extraction(
            by="offline",
            added=[memory],
            merged=[Merged(content=_BEFORE, quote=_BEFORE, memory_id=_EARLIER)],
            superseded=[Replaced(memory_id=_EARLIER, by=MEMORY)],
            skipped=[Skipped(quote="My knee hurts.", reason="sensitive")],
        ),
        AuditReport(total=1, shares=AuditShares(stale=1.0), findings=[_finding(memory)]),
        Mended(changed=[memory.model_copy(update={"archived": True})], fixed=[_finding(memory)]),
        ForgetReceipt(
            preview=True,
            memories=[memory],
            messages=0,
            erased=["1 memory, with everything written about them."],
            remains=["1 message in which it was said stays."],
        ),
    ]


def _finding(memory: Memory) -> AuditFinding:
    return AuditFinding(
        kind="stale",
        memory_ids=[memory.id],
        reason="Nobody has used it for half a year.",
        fix="archive",
        memories=[memory],
    )


def _memory(name: str, content: str) -> Memory:
    return Memory(
        id=name,
        type="fact",
        category="home",
        content=content,
        confidence=0.9,
        source_conversation_id=CONVERSATION,
        source_message_id=ASKED,
        quote=content,
        valid_from=WHEN,
        created=THEN,
        updated=THEN,
        by="offline",
    )
