"""What a check has found: whether the index has to be made again."""

from __future__ import annotations

from collections.abc import Iterable

from palaver.errors import IndexDegraded
from palaver.ledger.port import Finding

_OF_ROWS = {"row_damaged", "text_damaged", "index_damaged"}
"""Findings that a rebuild mends; the others are about the ledger."""


def found_wrong(findings: Iterable[Finding]) -> IndexDegraded | None:
    """What to say about rows that are not what they should be, if any are."""
    damaged = [one for one in findings if one.code in _OF_ROWS]
    if not damaged:
        return None
    return IndexDegraded(
        f"{damaged[0].message} Such findings: {len(damaged)}.",
        remedy="The index is made again by itself; then it is checked again.",
    )
