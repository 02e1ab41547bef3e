"""Examining an index that nobody has opened, without changing it or making it again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from palaver.errors import IndexTooNew
from palaver.index.faults import Failed, Missing, Unusable
from palaver.index.records import Health
from palaver.index.sqlite.readers import Readers
from palaver.index.sqlite.statements import QUERIES
from palaver.index.sqlite.verify import FILE, verify
from palaver.index.stored.catchup import compare
from palaver.index.stored.caught import CaughtUp
from palaver.index.stored.info import read_info
from palaver.index.stored.tables import Tables
from palaver.ledger.port import Finding, LineSource


def sqlite_version() -> str:
    """The version of the SQLite library in use."""
    return apsw.sqlite_lib_version()


def examine(path: Path, source: LineSource) -> list[Finding]:
    """Everything that is wrong with the rows of the index at `path`."""
    try:
        with closing(Readers(path).connect()) as database:
            with database.reading():
                complete = read_info(database, QUERIES).complete
            if not complete:
                return [_note("incomplete", "The index is not complete; the next start goes on.")]
            return list(verify(database, source))
    except Missing:
        return [_note("no_index", "There is no index; the next start makes it.")]
    except IndexTooNew as error:
        return [_note("index_too_new", f"{error.message} It was not looked at.")]
    except (Unusable, Failed) as fault:
        return [Finding("index_damaged", str(fault), damage=True, file=FILE)]


def _note(code: str, message: str) -> Finding:
    return Finding(code, message, damage=False, file=FILE)


def uncaught(path: Path, source: LineSource) -> CaughtUp:
    """What the next start will catch up with, or that it makes the index. Reads only streams that
    have grown. Raises IndexTooNew."""
    try:
        with closing(Readers(path).connect()) as database, database.reading():
            if not read_info(database, QUERIES).complete:
                return CaughtUp(rebuild="running")
            records = Tables(database, QUERIES, source).records()
    except (Unusable, Failed):
        return CaughtUp(rebuild="running")
    behind = compare(records, source.sizes()).behind
    starts = {name: records[name].size if name in records else 0 for name in behind}
    pieces = (piece for name, start in starts.items() for piece in source.pieces(name, start))
    return CaughtUp(set(behind), sum(piece.count(b"\n") for piece in pieces))


def glance(path: Path, source: LineSource) -> Health:
    """The health of the index at `path`, by its lengths alone. Raises IndexTooNew."""
    try:
        with closing(Readers(path).connect()) as database, database.reading():
            complete = read_info(database, QUERIES).complete
            lost = compare(Tables(database, QUERIES, source).records(), source.sizes()).lost
    except Missing:
        return Health(status="rebuilding", detail="There is no index; the next start makes it.")
    except Unusable as fault:
        return Health(status="rebuilding", detail=f"{fault} The next start makes it again.")
    except Failed as fault:
        return Health(status="degraded", detail=f"{fault} {fault.remedy}")
    if not complete:
        detail = "The index is not complete; the next start goes on."
        return Health(status="rebuilding", detail=detail)
    names = [record.name for record in lost]
    return Health(status="ok", detail="The index can be read.", lost=names)
