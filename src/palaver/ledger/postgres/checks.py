"""What `verify` has to say about the tables beyond the lines in them.

Everything beside the lines could be made from them: the ends of the streams, the keys, the counter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from palaver.ledger.lines import Line, key_digest
from palaver.ledger.port import Finding
from palaver.ledger.postgres.rows import QUERIES, head_of
from palaver.ledger.stamping import Head, Turns, follow
from palaver.postgres import Connection, Pool, Row


class RowCheck:
    """Compares what is noted of one stream with its lines; others may go on writing."""

    def __init__(self, pool: Pool, owner: int, stream: str) -> None:
        self._pool = pool
        self._owner = owner
        self._stream = stream
        self._row = self._read()
        self._noted = head_of(self._row[1:]) if self._row else Head(stream)
        self._found = Head(stream)
        self._keys: dict[bytes, set[int]] = {}
        """More than one line of a key only if another program wrote some of them."""

    def line(self, line: Line) -> None:
        if line.seq >= self._noted.lines:
            return  # it came after the note that was read
        self._found = follow(self._found, [line])
        if isinstance(key := line.data.get("key"), str):
            self._keys.setdefault(bytes.fromhex(key_digest(key)), set()).add(line.seq)

    def end(self) -> Iterator[Finding]:
        if self._row is None or self._read() is None:
            return  # it was deleted meanwhile
        if _known(self._found) != _known(self._noted):
            message = "What is noted of its end is not what its lines say."
            yield Finding("wrong_head", message, damage=True, file=self._stream)
        yield from self._check_keys(self._row[0])

    def _check_keys(self, number: int) -> Iterator[Finding]:
        asked = {"stream": number, "digests": list(self._keys)}
        with self._pool.connection(self._owner) as connection, connection.reading():
            noted: dict[bytes, int | None] = dict(connection.all(QUERIES["keys_of"], asked))
        for digest, seqs in self._keys.items():
            # It may be noted for a line of another stream, or as erased: then it is used, too.
            if noted.get(digest, -1) not in {None, *seqs}:
                message = "Its key is not noted: the message could be stored a second time."
                yield Finding("wrong_key", message, True, self._stream, min(seqs) + 1)

    def _read(self) -> Row | None:
        with self._pool.connection(self._owner) as connection, connection.reading():
            return connection.one(QUERIES["stream"], (self._stream,))


def _known(head: Head) -> Head:
    """What the lines can tell: after an erasure they do not tell whether there was a reply."""
    return replace(head, turns=Turns(head.turns.number))


def other_findings(connection: Connection, last: int) -> Iterator[Finding]:
    """What there is to say about no single stream."""
    ((pos,),) = connection.all(QUERIES["position"])
    if pos < last:
        message = f"The last number given is {pos}, but {last} stands in a line."
        yield Finding("wrong_counter", message, damage=True)
    ((count,),) = connection.all(QUERIES["wrong_keys"])
    if count:
        message = f"{count} keys point to lines that are not there."
        yield Finding("wrong_key", message, damage=True)
    ((stray, deleted),) = connection.all(QUERIES["stray_lines"])
    if stray:
        yield Finding("stray_lines", f"{stray} lines belong to no conversation.", damage=True)
    if deleted:
        message = f"{deleted} lines are left of conversations that were deleted."
        yield Finding("unfinished_erasure", message, damage=True)
