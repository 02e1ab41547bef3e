"""Points: the lines of a digest, and how they stand in an event."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.digest.notes import Note, flat
from palaver.digest.port import BULLET, Abbreviation, Point
from palaver.index.records import Json, StoredSummary, SummarySource


def points_of(summary: StoredSummary) -> list[Point]:
    """The points of a stored digest; one of another program has lines without sources."""
    lines = [line.removeprefix(BULLET) for line in summary.text.splitlines()]
    by_line: dict[int, list[SummarySource]] = {}
    for source in summary.sources:
        by_line.setdefault(source.point or 0, []).append(source)
    told = [(text, by_line.get(number, [])) for number, text in enumerate(lines)]
    return [Point(text=text, sources=sources) for text, sources in told if text.strip()]


def point_of(note: Note) -> Point:
    """A note, word for word, as a point of its own."""
    source = SummarySource.model_validate(note.to_source())
    return Point(text=flat(note.text), sources=[source])


def text_of(points: Sequence[Point]) -> str:
    """One line for each."""
    return Abbreviation(points).text


def source_fields(points: Sequence[Point]) -> list[Json]:
    """The sources of points as an event holds them: each says which line it belongs to."""
    return [
        as_field(source.model_copy(update={"point": number}))
        for number, point in enumerate(points)
        for source in point.sources
    ]


def as_field(source: SummarySource) -> Json:
    return source.model_dump(mode="json", by_alias=True, exclude_none=True)
