"""The row of a summary: made from the event that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from palaver.index import values
from palaver.index.day_fold import SUMMARY, is_label
from palaver.index.rows import BY_HAND, STANDS_IN, SummaryRow
from palaver.ledger.lines import Line, sources_of

COMPRESSION, ROLLING, ABBREVIATION = "compression", "rolling_summary", "abbreviation"
TITLE = "title_assigned"
EXTRACTED = "memories_extracted"
"""How far a conversation was read for something to remember."""
FIELDS = {
    COMPRESSION: ("summary", "compressedThrough"),
    ROLLING: ("summary", "through"),
    ABBREVIATION: ("text", "through"),
    TITLE: ("title", "turn"),
    SUMMARY: ("summary", "through"),
    EXTRACTED: ("text", "through"),
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
    # An abbreviation without a word takes the place of the one before: there is nothing to tell.
    wordless = kind in (ABBREVIATION, EXTRACTED)
    if turn is None or not isinstance(text, str) or not (text or wordless):
        return None
    if kind == SUMMARY:
        if not is_label(data.get("day")):
            return None
        kind = day_kind(data["day"])
    made = values.moment(data.get("at")) or values.EPOCH
    sources = orjson.dumps([_source(source) for source in sources_of(data)]).decode()
    by = values.text(data.get("by")) or ""
    stands_in = bool(values.text(data.get("standsInFor")))
    marks = STANDS_IN * stands_in | BY_HAND * (data.get("edited") is True)
    return SummaryRow(line.seq, kind, text, turn, made, sources, by, covered(line), marks)


def day_kind(label: str) -> str:
    """The kind of a summary that tells of one day."""
    return f"{SUMMARY} {label}"


def day_of(kind: str) -> str | None:
    """The day of which a summary of that kind tells, if it tells of one."""
    name, _, label = kind.partition(" ")
    return label if name == SUMMARY else None


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
