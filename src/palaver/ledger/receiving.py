"""The two ends of a copy: a ledger that gives its lines away, and one that takes them as they are.

A copy does not write drafts: it hands over stored lines, byte for byte, with their numbers, their
offsets and their proofs. While it is under way, half of it is never used: the receiving end is
marked before the first line comes, and the mark goes when the last one is proved to be there.
Whoever opens or commits refuses a place with such a mark (CopyUnfinished).

One contract suite (`tests/ledger/test_receiving.py`) runs against every adapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from palaver.ledger.lines import Line
from palaver.ledger.stamping import Head
from palaver.ledger.verify import Verifiable

State = Literal["empty", "unfinished", "used"]
"""What is at the receiving end: nothing, what an interrupted copy left, or anything else."""


class Sender(Protocol):
    """A ledger whose lines are copied. Every method may raise StorageError or OSError."""

    @property
    def stored(self) -> Verifiable: ...

    @property
    def identity(self) -> object:
        """Equal for the two ends of a copy if they are the same place."""
        ...

    def held(self) -> AbstractContextManager[int]:
        """Keeps everybody from changing the lines; gives the ledger's position.

        What a crash left undone is finished first, as at every start. Raises CopyUnfinished.
        """
        ...

    def check_held(self) -> None:
        """Raises StorageFailed if somebody may have changed the lines since `held` was entered."""
        ...


class Receiver(Protocol):
    """A ledger that takes copied lines. Every method may raise StorageError or OSError."""

    @property
    def stored(self) -> Verifiable:
        """What is there; for use inside `receiving`."""
        ...

    @property
    def identity(self) -> object:
        """Equal for the two ends of a copy if they are the same place."""
        ...

    def receiving(self) -> AbstractContextManager[State]:
        """Keeps everybody else away; what was there. An empty place is marked as unfinished."""
        ...

    def cut(self, head: Head) -> None:
        """Takes away what stands in the stream of `head` behind it; all of it if `head` is empty.

        Only for what an interrupted copy left.
        """
        ...

    def take(self, lines: Sequence[Line]) -> None:
        """Adds the lines, of one stream or more, each where its stream ends."""
        ...

    def finish(self, pos: int) -> None:
        """Sets the position and takes the mark away, once every line is durable.

        It has happened when `receiving` is left without an error.
        """
        ...
