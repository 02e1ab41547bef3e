"""The ledger up to a moment: what had been committed then, and nothing that came after.

Whoever reads without the lock may see lines whose commit fails in the end; these are not among
what had been committed while the lock was held.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import takewhile

from palaver.ledger.lines import Line
from palaver.ledger.port import LineSource


class Settled:
    """A LineSource that ends where the streams ended."""

    def __init__(self, source: LineSource) -> None:
        self._source = source
        with source.exclusive():
            self._sizes = source.sizes()

    def sizes(self) -> dict[str, int]:
        return self._sizes

    def lines(self, stream: str, *, offset: int = 0, seq: int = 0) -> Iterator[Line]:
        end = self._sizes.get(stream, 0)
        lines = self._source.lines(stream, offset=offset, seq=seq)
        return takewhile(lambda line: line.end <= end, lines)

    def pieces(self, stream: str, offset: int = 0) -> Iterator[bytes]:
        return self._source.pieces(stream, offset)

    def exclusive(self) -> AbstractContextManager[int]:
        return self._source.exclusive()
