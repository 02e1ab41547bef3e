"""Catching up: which streams have more lines than were applied, and which have lost some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from palaver.index.stored.caught import CaughtUp
from palaver.index.stored.tables import StreamRecord, Tables
from palaver.ledger.lines import USER_STREAM
from palaver.ledger.port import Lines, LineSource


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was applied, beside what there is."""

    behind: Sequence[str]
    """Streams with lines that were not applied; the user's own first, then the newest."""
    backlog: int
    """How many bytes that is."""
    lost: Sequence[StreamRecord]
    """Streams that are shorter than was applied, or gone."""
    found: Sequence[StreamRecord]
    """Streams that were lost, and are whole again."""


def compare(records: Mapping[str, StreamRecord], sizes: Mapping[str, int]) -> Comparison:
    """Compares by length alone: unchanged streams are not read."""
    behind: list[str] = []
    backlog = 0
    for name, size in sizes.items():
        record = records.get(name)
        applied = record.size if record else 0
        if size > applied and not (record and record.state == "deleted"):
            behind.append(name)
            backlog += size - applied
    lost = [record for record in records.values() if is_lost(record, sizes)]
    found = [
        record
        for record in records.values()
        if record.state == "lost" and not is_lost(record, sizes)
    ]
    behind.sort(key=_order, reverse=True)
    return Comparison(behind, backlog, lost, found)


def is_lost(record: StreamRecord, sizes: Mapping[str, int]) -> bool:
    """Whether lines that were applied are not there any more."""
    return record.state != "deleted" and record.size > sizes.get(record.name, 0)


def catch_up(tables: Tables, source: LineSource, sizes: Mapping[str, int]) -> CaughtUp:
    """Applies every line that was not; call it while nobody can commit."""
    caught = CaughtUp()
    comparison = compare(tables.records(), sizes)
    if USER_STREAM in comparison.behind:  # first, because it says which others are deleted
        _catch_up_one(tables, source, USER_STREAM, caught)
        comparison = compare(tables.records(), sizes)
    for name in comparison.behind:
        _catch_up_one(tables, source, name, caught)
    for record in comparison.lost:
        tables.mark(record, "lost")
    for record in comparison.found:
        tables.mark(record, "whole")
    return caught


def catch_up_some(tables: Tables, source: Lines, names: Iterable[str]) -> CaughtUp:
    """Applies every line of some streams that was not."""
    caught = CaughtUp()
    for name in sorted(names, key=_order, reverse=True):
        if tables.begin(name).state != "deleted":
            _catch_up_one(tables, source, name, caught)
    return caught


def _order(name: str) -> tuple[bool, str]:
    """The user's own stream is the last, because it says which others are deleted."""
    return name == USER_STREAM, name


def _catch_up_one(tables: Tables, source: Lines, name: str, caught: CaughtUp) -> None:
    record = tables.begin(name)
    if not _follows_on(source, record):
        tables.clear(record)
        caught.made_again += 1
    before = record.lines
    lines = source.lines(name, offset=record.size, seq=record.lines)
    tables.take(record, tables.fold(record), lines)
    caught.streams.add(name)
    caught.lines += record.lines - before


def _follows_on(source: Lines, record: StreamRecord) -> bool:
    """Whether the stream goes on where it was left: nobody has edited what stands before."""
    if not record.size:
        return True
    before = next(source.pieces(record.name, record.size - 1), b"")
    line = next(source.lines(record.name, offset=record.size, seq=record.lines), None)
    stated = line.data.get("seq", line.seq) if line else record.lines
    return before.startswith(b"\n") and stated == record.lines
