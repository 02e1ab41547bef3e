"""The row of a summary: made from the event that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from palaver.index import values
from palaver.index.rows import SummaryRow
from palaver.ledger.lines import Line, sources_of

COMPRESSION = "compression"
ROLLING = "rolling_summary"
THROUGH = {COMPRESSION: "compressedThrough", ROLLING: "through"}
"""The events that hold a summary, and where they say how far it goes."""


def summary_row(line: Line) -> SummaryRow | None:
    """The summary that an event holds; None when it holds none."""
    kind = line.event
    if kind not in THROUGH:
        return None
    through = values.count(line.data.get(THROUGH[kind]))
    text = values.text(line.data.get("summary"))
    if through is None or not text:
        return None
    made = values.moment(line.data.get("at")) or values.EPOCH
    sources = orjson.dumps([_source(source) for source in sources_of(line.data)]).decode()
    return SummaryRow(line.seq, kind, text, through, made, sources)


def _source(source: Mapping[str, Any]) -> dict[str, Any]:
    """A source, with what its quotation is in the summary."""
    return {
        "messageId": source["messageId"],
        "quote": values.text(source.get("quote")),
        "turn": values.count(source.get("turn")) or 0,
        "kind": values.text(source.get("kind")) or "",
        "by": values.text(source.get("by")) or "",
    }
