"""Going on with a copy that was interrupted: what of it can stay.

What came of a copy is known line by line. A line that is the same stays. One that was erased at its
origin since, and one that a power loss left unreadable, is copied again with whatever stands behind
it. Anything else was not copied from there: then nothing is touched.
"""

from __future__ import annotations

from collections.abc import Iterator

from palaver.errors import NotEmpty
from palaver.ledger import chain
from palaver.ledger.lines import USER_STREAM, Line
from palaver.ledger.port import LineSource
from palaver.ledger.stamping import Head, follow


def what_stays(origin: LineSource, copied: LineSource) -> dict[str, Head]:
    """Each stream that is there, with the end of what can stay. Raises NotEmpty."""
    deleted = {
        line.data.get("stream")
        for line in origin.lines(USER_STREAM)
        if line.event == "deleted" and not line.adopted
    }
    return {
        stream: Head(stream)
        if stream in deleted
        else _common(Head(stream), origin.lines(stream), copied.lines(stream))
        for stream in sorted(copied.sizes())
    }


def _common(head: Head, origin: Iterator[Line], copied: Iterator[Line]) -> Head:
    """How far both are the same."""
    same = True
    for line in copied:
        wanted = next(origin, None)
        if wanted is not None and wanted.raw == line.raw:
            head = follow(head, [line]) if same else head
        elif not line.readable:
            break
        elif wanted is not None and _was_erased(wanted, line):
            same = False
        else:
            raise NotEmpty(f"The place to copy to holds another {line.stream}.")
    return head


def _was_erased(now: Line, before: Line) -> bool:
    """Whether a tombstone stands where the line stood."""
    stone = now.type == "tombstone" or not now.raw.strip()
    proof = chain.chain_of(now.raw) == chain.chain_of(before.raw)
    return stone and proof and len(now.raw) == len(before.raw)
