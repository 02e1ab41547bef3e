"""Residue: copies of rows in the unused parts of pages, and how they are wiped.

SQLite overwrites what is deleted. But when it moves a row to another page, a copy may stay behind
in an unused part of the old one, and nobody overwrites that when the row is deleted later. So after
something was erased, the unused parts of all pages are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from palaver.index.sqlite.database import Database
from palaver.index.sqlite.statements import QUERIES

_HEADERS = {2: 12, 5: 12, 10: 8, 13: 8}
"""How long the header is on each kind of page that holds rows; other pages begin with 0."""
_FILE_HEADER = 100
_AT_ONCE = 1 << 20
_FLAGS = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READWRITE


def wipe(path: Path) -> bool:
    """Wipes the residue, if something was erased since the last time; call it when the log has
    been emptied. False if somebody has written since. Raises Missing, Unusable, Failed."""
    with closing(Database(path)) as database, database.writing():
        ((needed,),) = database.all(QUERIES["has_residue"])
        if not needed:
            return True
        if path.with_name(f"{path.name}-wal").stat().st_size:
            return False
        # Through SQLite: closing a file that was opened in another way would drop its locks.
        file: Any = apsw.VFSFile("", str(path), [_FLAGS, 0])
        try:
            for start, size in _residues(file):
                file.xWrite(bytes(size), start)
            file.xSync(apsw.SQLITE_SYNC_NORMAL)
        finally:
            file.xClose()
        # This change makes everybody else read again the pages that they remember.
        database.run(QUERIES["set_wiped"])
    return True


def _residues(file: Any) -> Iterator[tuple[int, int]]:
    """Where something stands in the unused parts of pages, and how much of it."""
    size = _number(file.xRead(2, 16), 0)
    size = 1 << 16 if size == 1 else size
    length = file.xFileSize()
    for chunk in range(0, length, _AT_ONCE):
        data = file.xRead(min(_AT_ONCE, length - chunk), chunk)
        for start in range(0, len(data), size):
            page = data[start : start + size]
            for first, last in _unused(page, 0 if chunk + start else _FILE_HEADER):
                if page[first:last] != bytes(last - first):
                    yield chunk + start + first, last - first


def _unused(page: bytes, header: int) -> Iterator[tuple[int, int]]:
    """The unused parts of a page: that between the list of its rows and the rows themselves, and
    the gaps between rows, but for the four bytes that say where the next gap is."""
    length = _HEADERS.get(page[header])
    if length is None:
        return
    rows, first = _number(page, header + 3), _number(page, header + 5) or 1 << 16
    start = header + length + 2 * rows
    if start <= first <= len(page):
        yield start, first
    gap = _number(page, header + 1)
    while first <= gap <= len(page) - 4:
        following, size = _number(page, gap), _number(page, gap + 2)
        if 4 <= size <= len(page) - gap:
            yield gap + 4, gap + size
        gap = following if following > gap else 0


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2])
