"""The row of a preference: made from the event in the user's stream that holds it."""

from __future__ import annotations

from collections.abc import Iterable

from palaver.index import values
from palaver.index.port import Preference
from palaver.index.rows import PreferenceRow
from palaver.ledger.lines import Line

PREFERENCE = "preference_changed"


def preference_row(line: Line) -> PreferenceRow | None:
    """What an event says that the user has chosen; None when it does not say it."""
    name = values.text(line.data.get("name"))
    if line.event != PREFERENCE or not name:
        return None
    since = values.moment(line.data.get("at")) or values.EPOCH
    return PreferenceRow(line.seq, name, values.text(line.data.get("value")), since)


def chosen(rows: Iterable[PreferenceRow]) -> dict[str, Preference]:
    """What the user has chosen, by name: of each the last one counts."""
    last = {row.name: row for row in rows}
    return {
        name: Preference(row.value, row.since)
        for name, row in last.items()
        if row.value is not None
    }
