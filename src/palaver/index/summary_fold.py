"""The row of a summary: made from the event that holds it."""

from __future__ import annotations

import orjson

from palaver.index import values
from palaver.index.rows import SummaryRow
from palaver.ledger.lines import Line, sources_of

COMPRESSION = "compression"
_THROUGH = {COMPRESSION: "compressedThrough"}
"""The events that hold a summary, and where they say how far it goes."""


def summary_row(line: Line) -> SummaryRow | None:
    """The summary that an event holds; None when it holds none."""
    kind = line.event
    if kind not in _THROUGH:
        return None
    through = values.count(line.data.get(_THROUGH[kind]))
    text = values.text(line.data.get("summary"))
    if through is None or not text:
        return None
    ids = dict.fromkeys(source["messageId"] for source in sources_of(line.data))
    made = values.moment(line.data.get("at")) or values.EPOCH
    return SummaryRow(line.seq, kind, text, through, made, orjson.dumps(list(ids)).decode())
