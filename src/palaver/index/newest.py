"""The newest summary: of those that stand for older turns, the one that tells most."""

from __future__ import annotations

from collections.abc import Iterable

from palaver.index.port import Index
from palaver.index.records import StoredSummary
from palaver.index.summary_fold import COMPRESSION, ROLLING

KINDS = (COMPRESSION, ROLLING)


async def newest_summary(index: Index, user: str, conversation_id: str) -> StoredSummary | None:
    """That which goes furthest, and the later one of two that go as far; None without any.

    Raises NotFound, IndexUnavailable.
    """
    return newest_of(await index.summaries(user, conversation_id, KINDS))


def newest_of(found: Iterable[StoredSummary]) -> StoredSummary | None:
    return max(found, key=lambda one: (one.through, one.seq), default=None)


async def summary_in(
    index: Index, user: str, conversation_id: str, seq: int
) -> StoredSummary | None:
    """The one in a line, of whichever kind; None when it is erased, or never was.

    Raises NotFound, IndexUnavailable.
    """
    for kind in KINDS:
        if found := await index.summary(user, conversation_id, kind, seq=seq):
            return found
    return None
