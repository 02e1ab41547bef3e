"""Portions: the lines of many streams, as many at a time as one short transaction takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from palaver.index.stored.tables import StreamRecord
from palaver.ledger.lines import Line
from palaver.ledger.port import LineSource

_LINES = 2000
_BYTES = 4 << 20


class Part(NamedTuple):
    """Some lines of one stream, in order."""

    stream: str
    lines: list[Line]


def portions(
    source: LineSource, streams: Iterable[str], records: Mapping[str, StreamRecord]
) -> Iterator[list[Part]]:
    """What has not been applied of `streams`, stream by stream."""
    gathered: list[Part] = []
    count = size = 0
    for stream in streams:
        record = records.get(stream)
        start, seq = (record.size, record.lines) if record else (0, 0)
        part = Part(stream, [])
        for line in source.lines(stream, offset=start, seq=seq):
            part.lines.append(line)
            count, size = count + 1, size + len(line.raw)
            if count >= _LINES or size >= _BYTES:
                yield [*gathered, part]
                gathered, part, count, size = [], Part(stream, []), 0, 0
        if part.lines:
            gathered.append(part)
    if gathered:
        yield gathered
