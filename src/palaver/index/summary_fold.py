"""The row of a summary: made from the event that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from palaver.index import values
from palaver.index.rows import SummaryRow
from palaver.ledger.lines import Line, sources_of

COMPRESSION, ROLLING, ABBREVIATION = "compression", "rolling_summary", "abbreviation"
TITLE = "title_assigned"
FIELDS = {
    COMPRESSION: ("summary", "compressedThrough"),
    ROLLING: ("summary", "through"),
    ABBREVIATION: ("text", "through"),
    TITLE: ("title", "turn"),
}
"""The events that hold a summary, where they hold it, and where they say how far it goes. The title
that a user gave says nothing of turns, and is none."""


def summary_row(line: Line) -> SummaryRow | None:
    """The summary that an event holds; None when it holds none."""
    kind, data = line.event, line.data
    if kind not in FIELDS:
        return None
    text, through = (data.get(name) for name in FIELDS[kind])
    turn = values.count(through)
    if kind == ABBREVIATION:
        turn = turn or 0  # S1's does not say it
    if turn is None or not isinstance(text, str) or not text:
        return None
    made = values.moment(data.get("at")) or values.EPOCH
    sources = orjson.dumps([_source(source) for source in sources_of(data)]).decode()
    by = values.text(data.get("by")) or ""
    return SummaryRow(line.seq, kind, text, turn, made, sources, by, covered(line))


def covered(line: Line) -> int:
    """The last line of which a summary tells. An abbreviation tells of everything before it, unless
    it says otherwise; any other one may leave it open (-1)."""
    covers = values.count(line.data.get("covers"))
    if covers is None:
        return line.seq - 1 if line.event == ABBREVIATION else -1
    return min(covers, line.seq - 1)


def _source(source: Mapping[str, Any]) -> dict[str, Any]:
    """A source, with what its quotation is in the summary."""
    return {
        "messageId": source["messageId"],
        "quote": values.text(source.get("quote")),
        "turn": values.count(source.get("turn")) or 0,
        "kind": values.text(source.get("kind")) or "",
        "by": values.text(source.get("by")) or "",
        "point": values.count(source.get("point")),
    }
