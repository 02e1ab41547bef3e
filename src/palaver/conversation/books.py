"""The books of one user: the ledger, and the index made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.index.port import Index
from palaver.ledger.port import Ledger


@dataclass(frozen=True, slots=True)
class Books:
    """Where one user's conversations are written, and where they are found again."""

    ledger: Ledger
    index: Index
    user: str
    remains: Sequence[str] = ()
    """What is left of erased words where Palaver does not reach, in sentences."""
