"""What was written to a home after a position.

A stream does not say where the others stand, so their ends are read, the one written last first.
Positions have no gaps: once all of them are found no other stream has to be looked at. Only when
some of those lines were erased are the ends of all streams read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line, read_line
from palaver.ledger.since import MOST_BEHIND, MOST_BYTES, Since, check_reach


class _Place(NamedTuple):
    pos: int
    stream: str
    offset: int


def since(store: FileStore, pos: int, after: int, limit: int) -> Since:
    """The lines after `after`; `pos` is the ledger's position. Raises TooFarBehind."""
    check_reach(after, pos)
    found: list[_Place] = []
    for stream in store.newest_first():
        if len(found) == pos - after:
            break
        found += _end(store, stream, pos, after)
    return Since.of(list(_read(store, sorted(found)[:limit])), pos)


def _end(store: FileStore, stream: str, pos: int, after: int) -> Iterator[_Place]:
    """Where the lines of a stream stand that came later; newer ones than `pos` may stand behind
    them. An erased line does not tell its `pos`, but it is lower than that of the next one."""
    highest = pos + MOST_BEHIND
    for offset, raw in store.raw_lines_back(stream):
        line = read_line(stream, 0, offset, raw)
        highest = line.pos or highest - 1
        if highest <= after:
            return
        if line.pos and line.pos <= pos:
            yield _Place(line.pos, stream, offset)


def _read(store: FileStore, places: list[_Place]) -> Iterator[tuple[int, Line | None]]:
    taken = 0
    for place in places:
        line = store.at(place.stream, place.offset)
        yield place.pos, line  # there is none when its stream has been deleted meanwhile
        taken += len(line.raw) if line else 0
        if taken > MOST_BYTES:
            return
