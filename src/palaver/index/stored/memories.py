"""Memories in the live tables, and those that are near to what somebody says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from palaver.errors import NotFound
from palaver.index.connection import Connection, Row, Statements
from palaver.index.evidence import Floats, Vector
from palaver.index.fulltext.library import Library
from palaver.index.fulltext.remembered import (
    ARCHIVED,
    PINNED,
    SUPERSEDED,
    WAITING,
    Part,
    Read,
    Remembered,
)
from palaver.index.fulltext.tally import Tally, leading
from palaver.index.port import After, MemoryFilter, MemoryLine, NearMemory, Question
from palaver.index.records import Memory
from palaver.index.rows import MemoryRow, to_memory
from palaver.index.stored.places import place, read_memory
from palaver.ledger.lines import USER_STREAM

_AT_THE_TOP = After("~", "~")
_BY_WORDS, _BY_MEANING = 40, 40
"""So many of the best by words, and of the nearest in meaning, are given."""
_LOOKED_AT = 256
"""So many of each part are compared digit by digit."""
_FOLLOWED = 20_000
"""So many occurrences of the terms are followed, the rarest first."""
_K1, _B = 1.2, 0.5
_LEAST = 20
"""Among fewer memories than that it is not known which words are common: one that they all hold may
be rare."""


class Means(NamedTuple):
    """What a question means, and what memories mean."""

    query: Callable[[], Vector | None]
    read: Read


class StoredMemories:
    """The memories of one user, from one state of the index."""

    def __init__(self, database: Connection, sql: Statements, remembered: Remembered) -> None:
        self._database = database
        self._sql = sql
        self._remembered = remembered

    def page(self, wanted: MemoryFilter, limit: int, after: After | None) -> list[Memory]:
        start = after or _AT_THE_TOP
        values = {
            "state": wanted.state,
            "type": wanted.type,
            "category": wanted.category,
            "pinned": _number(wanted.pinned),
            "archived": _number(wanted.archived),
            "superseded": _number(wanted.superseded),
            "conversation": wanted.conversation_id,
            "successor": wanted.superseded_by,
            "updated": start.updated,
            "id": start.id,
            "limit": limit,
        }
        # There are few, and they are asked for with every message.
        asked = self._sql["pinned_memories" if wanted.pinned else "list_memories"]
        return self._memories(self._database.all(asked, values))

    def count(self, wanted: MemoryFilter) -> int:
        parts = self._remembered.parts(self._database)
        return sum(int(np.count_nonzero(_eligible(part, wanted))) for part in parts)

    def one(self, memory_id: str) -> Memory:
        """Raises NotFound."""
        found = self.some([memory_id])
        if not found:
            raise NotFound(
                f"There is no memory {memory_id}.",
                remedy="List what there is with `palaver memories list`.",
            )
        return found[0]

    def some(self, memory_ids: Sequence[str]) -> list[Memory]:
        """Those of the memories that are there, in that order."""
        rows = self._database.all(self._sql["some_memories"], _listed(memory_ids))
        found = {memory.id: memory for memory in self._memories(rows)}
        return [found[name] for name in dict.fromkeys(memory_ids) if name in found]

    def lines(self, memory_ids: Sequence[str]) -> list[MemoryLine]:
        rows = self._database.all(self._sql["lines_of_memories"], _listed(memory_ids))
        read = [read_memory(USER_STREAM, row) for row in rows]
        return [MemoryLine(row.seq, row.event, to_memory(row), row.changed_by) for row in read]

    def at(self, seqs: Sequence[int]) -> list[MemoryLine]:
        """What some lines of the user's stream tell of memories, the oldest first."""
        stream = self._database.one(self._sql["stream"], (USER_STREAM,))
        if stream is None:
            return []
        places = [place(stream[0], seq) for seq in sorted(seqs)]
        rows = self._database.all(self._sql["memories_in"], _listed(places))
        read = sorted((read_memory(USER_STREAM, row) for row in rows), key=lambda row: row.seq)
        return [MemoryLine(row.seq, row.event, to_memory(row), row.changed_by) for row in read]

    def salts(self) -> list[str]:
        return [salt for (salt,) in self._database.all(self._sql["salts"])]

    def forgotten(self, digests: Sequence[str]) -> set[str]:
        return {one for (one,) in self._database.all(self._sql["forgotten"], _listed(digests))}

    def _memories(self, rows: Sequence[Row]) -> list[Memory]:
        read = [read_memory(USER_STREAM, row) for row in rows]
        return [to_memory(row, uses) for row, uses in zip(read, self._uses(read), strict=True)]

    def _uses(self, rows: Sequence[MemoryRow]) -> list[tuple[int, str | None]]:
        names = [row.id for row in rows]
        counted = self._database.all(self._sql["uses"], _listed(names)) if names else []
        found = {name: (int(count), last) for name, count, last in counted}
        return [found.get(name, (0, None)) for name in names]

    # -- what is near ------------------------------------------------------------------------

    def near(self, question: Question, wanted: MemoryFilter, means: Means) -> list[NearMemory]:
        """The best by words and the nearest in meaning, in no order."""
        parts = self._remembered.parts(self._database)
        if not parts:
            return []
        may = [_eligible(part, wanted) for part in parts]
        by_words = _by_words(parts, may, question)
        query = means.query()
        if query is not None:
            for part in parts:
                part.meant.fill(part.volume.book, means.read)
        chosen = [
            np.union1d(_best(score, _BY_WORDS), _nearest(part, query, allowed))
            for part, score, allowed in zip(parts, by_words, may, strict=True)
        ]
        found: dict[int, tuple[float, float | None]] = {}
        for part, score, places in zip(parts, by_words, chosen, strict=True):
            cosines = _cosines(part, query, places)
            for one, cosine in zip(places.tolist(), cosines.tolist(), strict=True):
                at = int(part.columns["round"][one])
                found[at] = (float(score[one]), None if np.isnan(cosine) else cosine)
        return self._shown(_few(found))

    def _shown(self, found: dict[int, tuple[float, float | None]]) -> list[NearMemory]:
        rows = self._database.all(self._sql["memories_in"], _listed(list(found)))
        memories = zip(rows, self._memories(rows), strict=True)
        return [NearMemory(memory, *found[row[0]]) for row, memory in memories]


def _eligible(part: Part, wanted: MemoryFilter) -> NDArray[np.bool_]:
    may = part.volume.book.here.copy()
    for given, flag in (
        (wanted.pinned, PINNED),
        (wanted.archived, ARCHIVED),
        (wanted.superseded, SUPERSEDED),
        (None if wanted.state is None else wanted.state == "waiting", WAITING),
    ):
        if given is not None:
            may &= (part.traits & flag > 0) == given
    if wanted.type is not None:
        may &= np.array([kind == wanted.type for kind in part.types], np.bool_)
    return may


def _by_words(
    parts: Sequence[Part], may: Sequence[NDArray[np.bool_]], question: Question
) -> list[Floats]:
    """What the words of a question say for each memory of each part."""
    scores = [np.zeros(len(part.columns), np.float32) for part in parts]
    terms = question.terms
    if not terms:
        return scores
    library = Library([part.volume for part in parts])
    tally = Tally(library)
    occurrences = [tally.size(term) for term in terms]
    length = np.concatenate([part.volume.book.length for part in parts])
    fulness = _K1 * (1 - _B + _B * length / max(float(length.mean()), 1.0))
    total = np.zeros(len(library), np.float32)
    many = max(len(library), _LEAST)
    for number in leading(occurrences, _FOLLOWED):
        held = tally.everywhere(terms[number])
        rarity = np.log1p((many + 0.5) / (len(held.pieces) + 0.5))
        total[held.pieces] += (
            rarity * (_K1 + 1) * held.counts / (held.counts + fulness[held.pieces])
        )
    begin = 0
    for score, allowed in zip(scores, may, strict=True):
        score[:] = np.where(allowed, total[begin : begin + len(score)], 0)
        begin += len(score)
    return scores


def _best(score: Floats, most: int) -> NDArray[np.intp]:
    found = np.flatnonzero(score)
    if len(found) <= most:
        return found
    return found[np.argpartition(-score[found], most)[:most]]


def _nearest(part: Part, query: Vector | None, may: NDArray[np.bool_]) -> NDArray[np.intp]:
    if query is None:
        return np.zeros(0, np.intp)
    near = part.meant.nearest(query, may, _LOOKED_AT)
    cosines = part.meant.cosines(query, near)
    return near[np.argsort(-cosines)[:_BY_MEANING]]


def _cosines(part: Part, query: Vector | None, places: NDArray[np.intp]) -> Floats:
    if query is None:
        return np.full(len(places), np.nan, np.float32)
    return part.meant.cosines(query, places)


def _few(found: dict[int, tuple[float, float | None]]) -> dict[int, tuple[float, float | None]]:
    """The best of all parts, by words and by meaning."""
    by_words = sorted(found, key=lambda at: -found[at][0])[:_BY_WORDS]
    by_meaning = sorted(found, key=lambda at: -(found[at][1] or 0.0))[:_BY_MEANING]
    return {at: found[at] for at in dict.fromkeys([*by_words, *by_meaning])}


def _number(value: bool | None) -> int | None:
    return None if value is None else int(value)


def _listed(wanted: Sequence[object]) -> tuple[str]:
    return (orjson.dumps(wanted).decode(),)
