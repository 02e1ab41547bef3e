"""What a commit has to know before it can make lines: read at once, under the users' locks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from palaver.errors import Erased
from palaver.ledger.lines import Line, key_digest
from palaver.ledger.postgres.rows import QUERIES, as_json, head_of, line_of, raw_of
from palaver.ledger.postgres.tasks import Task
from palaver.ledger.stamping import Head
from palaver.postgres import Connection, Row


@dataclass(slots=True)
class Stored:
    """The streams of one user, as far as a commit touches them."""

    connection: Connection
    owner: int
    pos: int
    copying: bool = False
    """It is half a copy, and takes no lines."""
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    heads: dict[str, Head] = field(default_factory=dict[str, Head])
    deleted: set[str] = field(default_factory=set[str])
    keys: dict[str, Line | None] = field(default_factory=dict[str, Line | None])

    def head(self, stream: str) -> Head:
        return self.heads.get(stream) or Head(stream)

    def find_key(self, key: str, pos: int) -> Line | None:
        digest = key_digest(key)
        if digest not in self.keys:
            return None
        line = self.keys[digest]
        if line is None or line.data.get("key") != key:
            raise Erased
        return line

    def was_deleted(self, stream: str) -> bool:
        return stream in self.deleted

    def bytes_between(self, stream: str, start: int, end: int) -> bytes:
        self.connection.act_for(self.owner)
        first = self.heads[stream].lines - self.heads[stream].unsealed_lines
        rows = (row for row in self._rows(stream, first) if start <= row[1] < end)
        return b"".join(raw_of(text, odd) + b"\n" for _, _, text, odd in rows)

    def lines(self, stream: str) -> Iterator[Line]:
        """All lines of a stream; none when it is not there."""
        self.connection.act_for(self.owner)
        return (line_of(stream, row) for row in self._rows(stream, 0))

    def _rows(self, stream: str, seq: int) -> Iterator[Row]:
        if stream not in self.numbers:
            return
        asked = {"stream": self.numbers[stream], "seq": seq}
        while page := self.connection.all(QUERIES["page"], asked):
            yield from page
            asked["seq"] = page[-1][0] + 1


def lock(
    connection: Connection, shares: Sequence[Sequence[Task]], *, waiting: bool
) -> dict[int, Stored]:
    """Locks the users and reads what their tasks need. Without `waiting`, some may be missing."""
    owners = [tasks[0].owner for tasks in shares]
    streams = {(task.owner, name) for tasks in shares for task in tasks for name in task.streams()}
    keys = {(task.owner, digest) for tasks in shares for task in tasks for digest in task.digests()}
    _, locked, heads, used = connection.together(
        (QUERIES["owners"], (f"{{{','.join(map(str, owners))}}}",)),
        (QUERIES["lock_waiting" if waiting else "lock"], ()),
        (QUERIES["heads"], (_pairs("name", streams),)),
        (QUERIES["find_keys"], (_pairs("digest", keys),)),
    )
    found = {
        owner: Stored(connection, owner, pos, copying=copying)
        for owner, pos, copying in locked.rows
    }
    for owner, name, number, *rest, deleted in heads.rows:
        if stored := found.get(owner):
            _take_head(stored, name, number, rest, deleted=deleted)
    for owner, digest, name, *row in used.rows:
        if stored := found.get(owner):
            stored.keys[digest.hex()] = line_of(name, tuple(row)) if name is not None else None
    return found


def _take_head(
    stored: Stored, name: str, number: int, rest: Sequence[object], *, deleted: bool
) -> None:
    if deleted:
        stored.deleted.add(name)
    else:
        stored.numbers[name] = number
        stored.heads[name] = head_of((name, *rest))


def _pairs(name: str, pairs: set[tuple[int, str]]) -> str:
    return as_json([{"owner": owner, name: value} for owner, value in pairs])
