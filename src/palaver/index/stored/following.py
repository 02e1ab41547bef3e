"""Following the ledger: what the lines of a commit change in the rows, inside one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palaver.index.sketch import sketch, with_lines
from palaver.index.stored.tables import StreamRecord, Tables
from palaver.ledger.erasure import EVENTS
from palaver.ledger.lines import Line
from palaver.ledger.port import Lines


def by_stream(lines: Sequence[Line]) -> dict[str, list[Line]]:
    streams: dict[str, list[Line]] = {}
    for line in lines:
        streams.setdefault(line.stream, []).append(line)
    return streams


def follow(tables: Tables, lines: Sequence[Line]) -> bool:
    """Applies lines to rows that are complete; False when they do not follow on these."""
    streams = by_stream(lines)
    records = _fitting(tables, streams)
    if records is None:
        return False
    for record, part in zip(records, streams.values(), strict=True):
        tables.take(record, tables.fold(record), part)
    return True


def _fitting(tables: Tables, streams: Mapping[str, Sequence[Line]]) -> list[StreamRecord] | None:
    """What was applied of each stream, if the lines follow on that."""
    records = [tables.begin(stream) for stream in streams]
    for record, lines in zip(records, streams.values(), strict=True):
        follows = (record.size, record.lines) == (lines[0].offset, lines[0].seq)
        if not follows or record.state != "whole":
            return None
    return records


def follow_sketches(tables: Tables, source: Lines, lines: Sequence[Line]) -> None:
    """Keeps the sketches of conversations, while there are no rows."""
    for stream, part in by_stream(lines).items():
        for line in part:
            if line.event == "deleted" and isinstance(gone := line.data.get("stream"), str):
                tables.database.send(tables.sql["delete_conversation"], {"id": gone})
        if stream.startswith("conv-"):
            _sketch(tables, source, stream, part)


def _sketch(tables: Tables, source: Lines, stream: str, lines: Sequence[Line]) -> None:
    known = tables.conversation(stream)
    if known is None or any(line.event == "redacted" for line in lines):
        tables.erased = tables.erased or known is not None
        row = sketch(stream, source.pieces(stream))
    else:
        row = with_lines(known, lines)
    if row:
        tables.put_conversation(row)


def erases(lines: Sequence[Line]) -> bool:
    """Whether any of the lines records an erasure."""
    return any(line.event in EVENTS for line in lines)


def take_out(tables: Tables, lines: Sequence[Line]) -> None:
    """Takes what the lines erase out of rows that a rebuild is filling; it reads them again."""
    for line in lines:
        gone = line.data.get("stream")
        if line.event == "redacted" and (record := tables.record(line.stream)):
            tables.clear(record)
        elif line.event == "deleted" and isinstance(gone, str) and tables.record(gone):
            tables.drop(gone)
