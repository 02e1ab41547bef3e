"""A user in PostgreSQL who takes the lines of a copy.

The mark is a column of the user's row. One connection holds that row from the beginning to the end
of the copy, so that nobody commits and no other copy runs; the last thing it does is to set the
position and to take the mark away, in one commit. The lines come through other connections, a part
at a time.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from palaver.errors import StorageBusy, StorageFailed
from palaver.ledger.erasure import EVENTS
from palaver.ledger.lines import USER_STREAM, Line, key_digest
from palaver.ledger.postgres.rows import QUERIES, as_json, head_of, head_row
from palaver.ledger.postgres.source import PostgresSource
from palaver.ledger.receiving import State
from palaver.ledger.stamping import Head, follow
from palaver.postgres import Connection, Pool
from palaver.sql import statements

COPYING = statements(__package__ or "", "copying.sql")
_HIGHEST = (1 << 63) - 1
_MANY_LINES = 2000
_DIGEST = re.compile(r"(?:[0-9a-f]{2})+")


class PostgresReceiver:
    """A Receiver in the tables of a database."""

    def __init__(self, pool: Pool, user: str) -> None:
        self.stored = PostgresSource(pool, user, unfinished=True)
        self.identity = identity(pool, self.stored.owner)
        self._pool = pool
        self._holding: Connection | None = None
        self._heads: dict[str, Head] = {}
        self._taken, self._many = 0, _MANY_LINES

    @contextmanager
    def receiving(self) -> Generator[State]:
        with self._writing() as connection:
            state = _state(connection)
            if state == "empty":
                connection.run(COPYING["mark"])
        with self._writing() as self._holding:
            self._holding.run(COPYING["patience"])
            if (_state(self._holding) == "used") != (state == "used"):
                raise StorageBusy("Another copy to this place was at work.")
            yield state

    def cut(self, head: Head) -> None:
        self._heads.pop(head.stream, None)
        where = {"name": head.stream, "lines": head.lines}
        with self._writing() as connection:
            connection.run(COPYING["cut_keys"], where)
            connection.run(COPYING["cut_lines"], where)
            if head.lines:
                _put_heads(connection, self.stored.owner, [head])
            else:
                connection.run(COPYING["drop_stream"], where)

    def take(self, lines: Sequence[Line]) -> None:
        with self._writing() as connection:
            heads = self._after(connection, lines)
            numbers = _put_heads(connection, self.stored.owner, list(heads.values()))
            _put_lines(connection, numbers, lines)
            _put_keys(connection, lines)
            connection.run(COPYING["put_deleted"], (_deleted(lines),))
        self._heads = {lines[-1].stream: heads[lines[-1].stream]}
        self._taken += len(lines)
        if self._taken >= self._many:
            self._tell_planner()

    def _tell_planner(self) -> None:
        """Until the planner knows of so many lines, it reads all of a user's to find one stream."""
        self._many = 4 * self._taken
        with self._writing() as connection:
            connection.script(COPYING["analyse"])

    def finish(self, pos: int) -> None:
        if self._holding is None or self._holding.run(COPYING["finish"], (pos,)) != 1:
            raise StorageFailed("The user is not in the database any more.")

    @contextmanager
    def _writing(self) -> Generator[Connection]:
        with self._pool.connection(self.stored.owner) as connection, connection.writing():
            yield connection

    def _after(self, connection: Connection, lines: Sequence[Line]) -> dict[str, Head]:
        """Where the streams end once they have the lines. Raises StorageFailed."""
        heads: dict[str, Head] = {}
        for line in lines:
            head = heads.get(line.stream) or self._heads.get(line.stream)
            head = head or _head(connection, line.stream)
            if (head.size, head.lines) != (line.offset, line.seq):
                raise StorageFailed("Somebody else has written to the place that is copied to.")
            heads[line.stream] = follow(head, [line])
        return heads


def identity(pool: Pool, owner: int) -> object:
    """Equal for the same user of the same database, whatever address it is reached by."""
    with pool.connection(owner) as connection, connection.reading():
        return connection.one(COPYING["identity"])


def _state(connection: Connection) -> State:
    """Holds the user's row to the end of the transaction."""
    copying, used = connection.one(COPYING["state"]) or (False, True)
    return "unfinished" if copying else "used" if used else "empty"


def _head(connection: Connection, stream: str) -> Head:
    row = connection.one(QUERIES["stream"], (stream,))
    return head_of(row[1:]) if row else Head(stream)


def _put_heads(connection: Connection, owner: int, heads: Sequence[Head]) -> dict[str, int]:
    """Notes where the streams end; gives their numbers."""
    rows = [
        {
            **head_row(owner, head),
            "unsealed": head.unsealed,
            "unsealed_lines": head.unsealed_lines,
        }
        for head in heads
    ]
    numbers: dict[str, int] = dict(connection.all(COPYING["put_heads"], (as_json(rows),)))
    if len(numbers) != len(rows):
        raise StorageFailed("A conversation that was deleted has come back, so it is not copied.")
    return numbers


def _put_lines(connection: Connection, numbers: dict[str, int], lines: Sequence[Line]) -> None:
    wanted = [line.pos for line in lines if 0 < line.pos <= _HIGHEST]
    taken = {pos for (pos,) in connection.all(COPYING["positions"], (wanted,))}
    columns = [list(column) for column in zip(*_rows(numbers, lines, taken), strict=True)]
    connection.run(COPYING["lines"], columns)


def _rows(
    numbers: dict[str, int], lines: Sequence[Line], taken: set[int]
) -> Iterator[tuple[Any, ...]]:
    """A number that stands in two lines, because a file was copied by hand, is noted for one."""
    for line in lines:
        pos = line.pos if 0 < line.pos <= _HIGHEST and line.pos not in taken else None
        if pos is not None:
            taken.add(pos)
        text, odd = _stored_as(line.raw)
        yield numbers[line.stream], line.seq, pos, line.offset, text, odd


def _stored_as(raw: bytes) -> tuple[str | None, bytes | None]:
    """As text, unless it is none: a text in the database holds no NUL."""
    try:
        return (None, raw) if b"\0" in raw else (raw.decode(), None)
    except UnicodeDecodeError:
        return None, raw


def _put_keys(connection: Connection, lines: Sequence[Line]) -> None:
    used = [
        {"digest": key_digest(key), "name": line.stream, "seq": line.seq}
        for line in lines
        if isinstance(key := line.data.get("key"), str)
    ]
    connection.run(COPYING["put_keys"], (as_json(used),))
    connection.run(QUERIES["erase_keys"], (_erased_keys(lines),))


def _erased_keys(lines: Sequence[Line]) -> list[bytes]:
    records = [line for line in lines if line.event in EVENTS and not line.adopted]
    listed = (cast("list[object]", line.data.get("keys") or []) for line in records)
    digests = {str(item) for items in listed for item in items}
    return [bytes.fromhex(digest) for digest in digests if _DIGEST.fullmatch(digest)]


def _deleted(lines: Sequence[Line]) -> list[str]:
    """The streams that are recorded as deleted."""
    records = (line for line in lines if line.event == "deleted" and not line.adopted)
    names = [line.data.get("stream") for line in records if line.stream == USER_STREAM]
    return [name for name in names if isinstance(name, str)]
