"""Full text: how words come into it, and how they leave it for good.

The words of a message wait at first; whoever searches reads them where they are. When many wait,
they are taken into a segment together. Words that are to be erased leave every posting at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from palaver.index.connection import Connection, Row
from palaver.index.evidence import Speaker
from palaver.index.faults import Unusable
from palaver.index.fulltext.segments import Ready, Segment, Segments, ready, without
from palaver.index.pieces import GONE, Said, batches, speaker_of, without_marks
from palaver.index.rows import MessageRow, SummaryRow
from palaver.index.stored.places import (
    place,
    read_memory,
    read_message,
    read_summary,
    stream_of,
)
from palaver.index.values import is_echo, milliseconds

AT_ONCE = 10 << 20
"""About so many bytes of text are taken at once, so that nobody waits long for a segment."""
_LAST_TURN = (1 << 32) - 3
_NO_TURN = (1 << 32) - 1
"""In the round of an abbreviation: it is next to that of no turn."""
_DAMAGED = "The full text does not say what the messages say."


class Waiting(NamedTuple):
    """A message whose words wait, or an abbreviation, and what it was when it was read."""

    at: int
    checksum: bytes
    said: Said


def counted(messages: Iterable[Said]) -> list[Ready]:
    """The segments that messages make."""
    return [ready(batch) for batch in batches(messages)]


def said(stream: str, values: Row) -> Said:
    """What a stored message says. Raises Unusable when it is damaged."""
    return said_by(stream_of(values[0]), read_message(stream, values))


def told(stream: str, values: Row) -> Said:
    """What a stored abbreviation says. Raises Unusable when it is damaged."""
    return told_by(stream_of(values[0]), read_summary(stream, values))


def learned(stream: str, values: Row) -> Said:
    """What a stored memory says. Raises Unusable when it is damaged."""
    row = read_memory(stream, values)
    at, time = values[0], milliseconds(row.updated)
    return Said(at, row.seq, Speaker.MEMORY, time, row.content)


def read_said(
    database: Connection, sql: Mapping[str, str], places: Sequence[int]
) -> dict[int, Said]:
    """What the messages, the abbreviations and the memories in some places say. Raises Unusable
    when one is damaged, or not there."""
    rows = database.all(sql["said"], (_listed(places),))
    found = {row[1]: said(row[0], row[1:]) for row in rows}
    if others := [at for at in places if at not in found]:
        rows = database.all(sql["told"], (_listed(others),))
        found |= {row[1]: told(row[0], row[1:]) for row in rows}
    if others := [at for at in places if at not in found]:
        rows = database.all(sql["remembered"], (_listed(others),))
        found |= {row[1]: learned(row[0], row[1:]) for row in rows}
    if found.keys() != set(places):
        raise Unusable(_DAMAGED)
    return found


def _listed(places: Sequence[int]) -> str:
    return orjson.dumps(places).decode()


def round_of(no: int, turn: int) -> int:
    """The number of a round, from those of its stream and its turn."""
    return place(no, min(turn, _LAST_TURN))


class FullText:
    """The full text of one set of tables."""

    def __init__(self, database: Connection, sql: Mapping[str, str]) -> None:
        self._database = database
        self._sql = sql
        self._segments = Segments(database, sql)
        self.on_gone: Callable[[int], None] = lambda at: None
        """Called for each message that is taken out while its words wait, with its place."""

    # -- inside a transaction that the caller has begun --------------------------------------

    def wait(self, places: Iterable[int]) -> None:
        """The words of messages wait to be taken in; they can be found meanwhile."""
        self._database.many(self._sql["wait"], [(place,) for place in places])

    def remove(self, messages: Iterable[Said]) -> None:
        """Takes the words of messages out; afterwards nothing is left of them.

        Raises Unusable when they are not there as they were taken in.
        """
        taken = [one for one in messages if not self._stops_waiting(_place(one))]
        if taken:
            self._segments.sweep_all()  # what is half written may hold the words, too
            self._take_out(taken)

    def _stops_waiting(self, at: int) -> bool:
        """Whether a message has waited; it does not any more."""
        waited = self._database.run(self._sql["has_waited"], (at,)) > 0
        if waited:
            self.on_gone(at)
        return waited

    def _take_out(self, messages: Sequence[Said]) -> None:
        left = {(message.round, message.seq): message for message in messages}
        for mark in self._segments.marks():
            held = _held(self._segments.columns(mark), left)
            if held:
                gone = [left.pop(key) for key in set(held.values())]
                self._take_from(mark.no, gone, np.array(list(held), np.intp))
        if any(message.content and list(batches([message])) for message in left.values()):
            raise Unusable(_DAMAGED)

    def _take_from(self, no: int, messages: Sequence[Said], where: NDArray[np.intp]) -> None:
        """Takes messages out of one segment; `where` are the numbers of their pieces."""
        found = self._segments.get(no)
        if found is None:
            raise Unusable(_DAMAGED)
        segment = Segment(no, found.columns.copy(), found.digest)
        columns = segment.columns
        terms: set[str] = set()
        for batch in batches(messages):
            terms |= batch.postings.keys()
        expected = int(columns["terms"][where].sum(dtype=np.int64))
        for term in terms:
            old = self._segments.posting(no, term)
            new = without(old, where.astype(np.uint16)) if old else None
            if old is None or new is None:
                raise Unusable(_DAMAGED)
            expected -= len(old.pieces) - len(new.pieces)
            self._segments.replace(segment, term, old, new)
        if expected:
            raise Unusable(_DAMAGED)
        for name in ("start", "end", "language", "length", "terms", "time", "key"):
            columns[name][where] = 0
        columns["speaker"][where] = GONE
        if np.all(columns["speaker"] == GONE):
            self._segments.drop(no)
        else:
            self._segments.put(segment)

    # -- transactions of its own -------------------------------------------------------------

    def take(self, most: int) -> int:
        """Takes up to so many of the messages that wait into a segment, fewer when they are long;
        says how many."""
        while True:
            waiting = self._some_waiting(most)
            if self.put(waiting, counted([one.said for one in waiting])):
                return len(waiting)

    def put(self, waiting: Sequence[Waiting], made: Iterable[Ready]) -> bool:
        """Stores segments made of messages that waited; False if some of these were changed or
        erased meanwhile."""
        with self._database.writing():
            if len(self._those_waiting(waiting)) < len(waiting):
                return False
            for one in made:
                self._segments.add(one)
            self._database.many(self._sql["stop_waiting"], [(one.at,) for one in waiting])
        return True

    def still_waiting(self, waiting: Sequence[Waiting]) -> list[Waiting]:
        """Those of some messages that still wait as they were."""
        with self._database.reading():
            return self._those_waiting(waiting)

    def _some_waiting(self, most: int) -> list[Waiting]:
        """Some of the messages that wait."""
        with self._database.reading():
            rows = self._database.all(self._sql["longest_waiting"], {"some": most})
            before = accumulate((size for _, _, size in rows), initial=0)
            some = [row for row, size in zip(rows, before, strict=False) if size < AT_ONCE]
            found = read_said(self._database, self._sql, [at for at, _, _ in some])
        return [Waiting(at, checksum, found[at]) for at, checksum, _ in some]

    def _those_waiting(self, waiting: Sequence[Waiting]) -> list[Waiting]:
        places = _listed([one.at for one in waiting])
        there = dict(self._database.all(self._sql["still_waiting"], {"places": places}))
        return [one for one in waiting if there.get(one.at) == one.checksum]


def said_by(no: int, row: MessageRow) -> Said:
    """What a message of a stream says."""
    speaker = speaker_of(row.role, echo=is_echo(row.role, row.model))
    time = milliseconds(row.timestamp)
    return Said(round_of(no, row.turn_number), row.seq, speaker, time, row.content)


def told_by(no: int, row: SummaryRow) -> Said:
    """What an abbreviation of a stream says."""
    time = milliseconds(row.made)
    return Said(place(no, _NO_TURN), row.seq, Speaker.SUMMARY, time, without_marks(row.text))


def _place(message: Said) -> int:
    return place(stream_of(message.round), message.seq)


def _held(
    columns: NDArray[np.void], messages: Mapping[tuple[int, int], Said]
) -> dict[int, tuple[int, int]]:
    """The numbers of the pieces of some messages, and which message each belongs to."""
    rounds = np.array(sorted({number for number, _ in messages}), np.int64)
    near = np.flatnonzero(np.isin(columns["round"], rounds) & (columns["speaker"] != GONE))
    found = {int(i): (int(columns["round"][i]), int(columns["seq"][i])) for i in near}
    return {piece: message for piece, message in found.items() if message in messages}
