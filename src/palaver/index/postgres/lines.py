"""The lines of one user as a transaction sees them, also those that it has written itself."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.index.connection import Connection, Row
from palaver.ledger.lines import Line
from palaver.ledger.postgres.rows import QUERIES, line_of, raw_of


class TransactionLines:
    """The lines of the user whose rows the connection is about."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lines(self, stream: str, *, offset: int = 0, seq: int = 0) -> Iterator[Line]:
        return (line_of(stream, row) for page in self._pages(stream, offset) for row in page)

    def pieces(self, stream: str, offset: int = 0) -> Iterator[bytes]:
        for page in self._pages(stream, offset, before=1):
            data = b"".join(raw_of(text, odd) + b"\n" for _, _, text, odd in page)
            yield data[max(offset - page[0][1], 0) :]

    def _pages(self, stream: str, offset: int, before: int = 0) -> Iterator[list[Row]]:
        """From the first line on that begins at the offset or behind it, or from one before."""
        found = self._connection.one(QUERIES["stream"], (stream,))
        if found is None:
            return
        asked = {"stream": found[0], "offset": offset, "seq": 0}
        if offset and (row := self._connection.one(QUERIES["first_from"], asked)):
            asked["seq"] = max(row[0] - before, 0)
        while page := self._connection.all(QUERIES["page"], asked):
            yield page
            asked["seq"] = page[-1][0] + 1
