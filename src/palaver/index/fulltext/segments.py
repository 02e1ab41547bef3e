"""Segments: the words of many messages in one place, each term with the pieces that hold it.

A segment is made of rows: one with the columns of its pieces, and one posting per term. The digest
of a segment is that of its postings, whatever their order; so it can follow when one changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from palaver.index.connection import Connection
from palaver.index.faults import Unusable
from palaver.index.pieces import COLUMNS, GONE, Batch, Posting

_DIGEST_BYTES = 16
NOTHING = bytes(_DIGEST_BYTES)
"""The digest of no postings."""
_AT_ONCE = 2000


class Mark(NamedTuple):
    """Which segment, and in which form."""

    no: int
    stamp: int
    pieces: int


class Ready(NamedTuple):
    """A segment that only has to be stored."""

    columns: bytes
    digest: bytes
    postings: Sequence[tuple[str, bytes, bytes]]
    """Every term, in order, with its pieces and its counts."""


@dataclass(slots=True)
class Segment:
    """A segment on its way into the tables, or out of them, without its postings."""

    no: int
    columns: NDArray[np.void]
    digest: bytes = NOTHING

    def mix(self, term: str, posting: Posting) -> tuple[str, bytes, bytes]:
        """A posting comes in, or goes out; gives what is stored of it."""
        stored = term, posting.pieces.tobytes(), posting.counts.tobytes()
        mixed = int.from_bytes(self.digest) ^ int.from_bytes(_posting_digest(*stored))
        self.digest = mixed.to_bytes(_DIGEST_BYTES)
        return stored


class Segments:
    """The segments of one set of tables, inside a transaction that the caller has begun."""

    def __init__(self, database: Connection, sql: Mapping[str, str]) -> None:
        self._database = database
        self._sql = sql

    def marks(self) -> list[Mark]:
        return [Mark(*row) for row in self._database.all(self._sql["segments"])]

    def columns(self, mark: Mark) -> NDArray[np.void]:
        """The columns of a segment. Raises Unusable when they are damaged."""
        row = self._database.one(self._sql["columns"], (mark.no, mark.stamp))
        if row is None:
            raise Unusable("A segment of the full text is missing.")
        return _read_columns(mark.no, *row)

    def get(self, no: int) -> Segment | None:
        """A segment, if it is there. Raises Unusable when it is damaged."""
        row = self._database.one(self._sql["segment"], (no,))
        if row is None:
            return None
        return Segment(no, _read_columns(no, *row), row[2])

    def add(self, made: Ready) -> None:
        """Stores a whole segment."""
        no = new_number()
        self._database.many(self._sql["put_posting"], [(no, *one) for one in made.postings])
        self.put(Segment(no, np.frombuffer(made.columns, COLUMNS), made.digest))

    def put(self, segment: Segment) -> None:
        """Stores the columns of a segment, under another stamp; it is there from now on."""
        columns = segment.columns.tobytes()
        pieces = int(np.count_nonzero(segment.columns["speaker"] != GONE))
        values = {
            "no": segment.no,
            "stamp": secrets.randbits(62),
            "pieces": pieces,
            "columns": columns,
            "digest": segment.digest,
            "hash": _checksum(segment.no, pieces, columns, segment.digest),
        }
        self._database.run(self._sql["put_segment"], values)

    def put_postings(self, segment: Segment, postings: Iterable[tuple[str, Posting]]) -> None:
        """Stores postings that the segment does not have yet."""
        rows = [(segment.no, *segment.mix(term, posting)) for term, posting in postings]
        self._database.many(self._sql["put_posting"], rows)

    def posting(self, no: int, term: str) -> Posting | None:
        row = self._database.one(self._sql["posting"], (no, term))
        return read_posting(*row) if row else None

    def replace(self, segment: Segment, term: str, old: Posting, new: Posting) -> None:
        """A term occurs in other pieces than before, or in none."""
        segment.mix(term, old)
        if len(new.pieces):
            self.put_postings(segment, [(term, new)])
        else:
            self._database.run(self._sql["drop_posting"], (segment.no, term))

    def postings(self, no: int, after: str = "") -> list[tuple[str, Posting]]:
        """Some terms of a segment, in order, after one of them."""
        rows = self._database.all(self._sql["some_postings"], (no, after, _AT_ONCE))
        return [(term, read_posting(pieces, counts)) for term, pieces, counts in rows]

    def count(self, no: int) -> int:
        """How many postings there are of a segment."""
        ((count,),) = self._database.all(self._sql["count_postings"], (no,))
        return count

    def drop(self, no: int) -> None:
        """The segment is not there any more; its postings are swept later."""
        self._database.run(self._sql["drop_segment"], (no,))

    def stray(self) -> int | None:
        """A segment that has postings, but is not there: never finished, or dropped."""
        there = {mark.no for mark in self.marks()}
        no = -1
        while True:
            ((no,),) = self._database.all(self._sql["next_with_postings"], (no,))
            if no is None or no not in there:
                return no

    def sweep(self, no: int, some: int) -> bool:
        """Takes away some postings of a stray segment; False when there are none left."""
        return self._database.run(self._sql["drop_postings"], {"segment": no, "some": some}) > 0

    def sweep_all(self) -> None:
        """Takes away the postings of all segments that are not there."""
        while (no := self.stray()) is not None:
            while self.sweep(no, _AT_ONCE):
                pass


def ready(batch: Batch) -> Ready:
    """The segment that a batch makes."""
    segment = Segment(0, batch.columns)
    postings = [segment.mix(term, posting) for term, posting in sorted(batch.postings.items())]
    return Ready(batch.columns.tobytes(), segment.digest, postings)


def new_number() -> int:
    """A number that no segment has, nor one that another process is writing at the moment."""
    return secrets.randbits(46)  # six bytes in every posting


def _read_columns(
    no: int, pieces: int, columns: bytes, digest: bytes, checksum: bytes
) -> NDArray[np.void]:
    """Raises Unusable when they are not what was stored."""
    if _checksum(no, pieces, columns, digest) != checksum:
        raise Unusable("A segment of the full text is damaged.")
    return np.frombuffer(columns, COLUMNS)


def read_posting(pieces: bytes, counts: bytes) -> Posting:
    """Raises Unusable when it cannot be what was stored."""
    if len(pieces) != 2 * len(counts):
        raise Unusable("A posting of the full text is damaged.")
    return Posting(np.frombuffer(pieces, "<u2"), np.frombuffer(counts, np.uint8))


def _posting_digest(term: str, pieces: bytes, counts: bytes) -> bytes:
    digest = blake2b(term.encode(), digest_size=_DIGEST_BYTES)
    digest.update(b"\0")
    digest.update(pieces)
    digest.update(counts)
    return digest.digest()


def without(posting: Posting, pieces: Sequence[int] | NDArray[np.uint16]) -> Posting:
    """The posting, but for some pieces."""
    kept = ~np.isin(posting.pieces, np.asarray(pieces, np.uint16))
    return Posting(posting.pieces[kept], posting.counts[kept])


def _checksum(no: int, pieces: int, columns: bytes, digest: bytes) -> bytes:
    known = blake2b(b"%d %d " % (no, pieces) + digest, digest_size=_DIGEST_BYTES)
    known.update(columns)
    return known.digest()
