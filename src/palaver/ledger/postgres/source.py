"""The stored lines of one user in PostgreSQL: read forwards, backwards and by pages."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from palaver.errors import CopyUnfinished, Erased, NotFound
from palaver.ledger.lines import Line, check_stream, key_digest
from palaver.ledger.port import Finding
from palaver.ledger.postgres.checks import RowCheck, other_findings
from palaver.ledger.postgres.rows import QUERIES, line_of, raw_of
from palaver.ledger.since import MOST_BYTES, Since, check_reach
from palaver.postgres import Connection, Pool, Row


class PostgresSource:
    """The streams of one user; a LineSource. Every method may raise StorageFailed."""

    def __init__(self, pool: Pool, user: str, *, unfinished: bool = False) -> None:
        """A user who has no rows yet gets the one that counts them. Raises CopyUnfinished.

        With `unfinished`, what a copy has brought so far can be read.
        """
        self._pool = pool
        self.user = user
        self.owner = _owner_of(pool, user, unfinished=unfinished)

    def sizes(self) -> dict[str, int]:
        with self._reading() as connection:
            return dict(connection.all(QUERIES["sizes"]))

    def lines(self, stream: str, *, offset: int = 0, seq: int = 0) -> Iterator[Line]:
        """Finds the line by its offset: `seq` is what the line there carries anyway."""
        return (line_of(stream, row) for row in self._rows(stream, offset))

    def pieces(self, stream: str, offset: int = 0) -> Iterator[bytes]:
        # An offset may lie in a line: then its end comes first.
        for page in self._pages(stream, offset, before=1):
            data = b"".join(raw_of(text, odd) + b"\n" for _, _, text, odd in page)
            yield data[max(offset - page[0][1], 0) :]

    @contextmanager
    def exclusive(self) -> Generator[int]:
        with self._pool.connection(self.owner) as connection, connection.writing():
            yield _number(connection.one(QUERIES["hold"]))

    def position(self) -> int:
        with self._reading() as connection:
            return _number(connection.one(QUERIES["position"]))

    def after(self, stream: str, seq: int) -> Iterator[Line]:
        """The lines with a greater `seq`. Raises NotFound."""
        number = self._number(stream)
        return (line_of(stream, row) for page in self._from(number, seq + 1) for row in page)

    def tail(self, stream: str, turns: int) -> list[Line]:
        """The last lines, back to where `turns` turns are whole. Raises NotFound."""
        taken: list[Line] = []
        seen: set[int] = set()
        for row in self._back(self._number(stream)):
            line = line_of(stream, row)
            number = line.data.get("turnNumber") if line.type == "turn" else None
            if isinstance(number, int) and number not in seen:
                if len(seen) == turns:
                    break
                seen.add(number)
            taken.append(line)
        return taken[::-1]

    def since(self, after: int, limit: int) -> Since:
        """The lines that were written after a position. Raises TooFarBehind, and NotFound when
        the user is not there any more."""
        asked = {"after": after, "limit": limit, "bytes": MOST_BYTES}
        with self._reading() as connection:
            position, found = connection.together(
                (QUERIES["position"], ()), (QUERIES["since"], asked)
            )
        if not position.rows:
            raise NotFound(f"There is no user {self.user} any more.")
        pos, rows = _number(position.rows[0]), found.rows
        check_reach(after, pos)
        return Since.of([(row[0], line_of(row[1], row[2:])) for row in rows], pos)

    def where(self, key: str) -> str | None:
        """The stream in which a key was used. Raises Erased when the line is gone."""
        with self._reading() as connection:
            row = connection.one(QUERIES["where_used"], (bytes.fromhex(key_digest(key)),))
        if row is None:
            return None
        if row[0] is None:
            raise Erased
        return row[0]

    # -- Verifiable --------------------------------------------------------------------------

    def place(self, stream: str) -> str:
        return stream

    def own_check(self, stream: str) -> RowCheck:
        return RowCheck(self._pool, self.owner, stream)

    def other_findings(self, last: int) -> Iterator[Finding]:
        with self._reading() as connection:
            yield from other_findings(connection, last)

    # -- pages -------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Generator[Connection]:
        with self._pool.connection(self.owner) as connection, connection.reading():
            yield connection

    def _number(self, stream: str) -> int:
        check_stream(stream)
        with self._reading() as connection:
            row = connection.one(QUERIES["stream"], (stream,))
        if row is None:
            raise NotFound(f"There is no conversation {stream}.")
        return row[0]

    def _rows(self, stream: str, offset: int) -> Iterator[Row]:
        return (row for page in self._pages(stream, offset) for row in page)

    def _pages(self, stream: str, offset: int, before: int = 0) -> Iterator[list[Row]]:
        check_stream(stream)
        with self._reading() as connection:
            row = connection.one(QUERIES["stream"], (stream,))
            if row is None:
                return
            asked = {"stream": row[0], "offset": offset}
            first = _number(connection.one(QUERIES["first_from"], asked)) if offset else 0
        yield from self._from(row[0], max(first - before, 0))

    def _from(self, number: int, seq: int) -> Iterator[list[Row]]:
        """No connection is held between the pages: whoever reads may take their time."""
        while page := self._page("page", number, seq):
            yield page
            seq = page[-1][0] + 1

    def _back(self, number: int) -> Iterator[Row]:
        seq = 1 << 62
        while page := self._page("page_back", number, seq):
            yield from page
            seq = page[-1][0]

    def _page(self, query: str, number: int, seq: int) -> list[Row]:
        with self._reading() as connection:
            return connection.all(QUERIES[query], {"stream": number, "seq": seq})


def _owner_of(pool: Pool, user: str, *, unfinished: bool) -> int:
    with pool.connection() as connection, connection.writing():
        row = connection.one(QUERIES["user_number"], (user,))
        if row is None:
            connection.run(QUERIES["add_user"], (user,))
            row = connection.one(QUERIES["user_number"], (user,))
        number, copying = row or (0, False)
    if copying and not unfinished:
        raise CopyUnfinished
    return number


def _number(row: Row | None) -> int:
    return row[0] if row else 0
