"""The days of a continuous conversation: how its lines open them, tell them and close them.

What the row of the conversation remembers of them is small: the label of the newest day and its
first turn, the days that are not closed with the moments at which they are over, and the last
messages of which no summary of the newest day tells. A day is the turns from its first one to the
one before the next day's first: a reply has the turn of its question, and so the day of its
question.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, TypeGuard

import orjson

from palaver.index import values
from palaver.index.rows import ConversationRow, DayRow, MessageRow
from palaver.ledger.lines import Line

OPENED, CLOSED, SUMMARY = "day_opened", "day_closed", "day_summary"
_TURNS = {OPENED: ("opened", "turnNumber"), CLOSED: ("closed", "through")}
"""What an event marks, and where it names the first turn of a day, or the last."""
_LABEL = re.compile(r"\d{4}-\d{2}-\d{2}")


def is_label(text: object) -> TypeGuard[str]:
    if not isinstance(text, str) or _LABEL.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def day_row(row: ConversationRow, line: Line) -> DayRow | None:
    """What an event says of a day, which the row is told; None when it says nothing new. A day
    that is not later than the last one does not begin: labels never change."""
    data, label = line.data, line.data.get("day")
    if line.event not in _TURNS or row.mode != "continuous" or not is_label(label):
        return None
    kind, where = _TURNS[line.event]
    turn, days = values.count(data.get(where)), _days(row)
    if turn == 0 and line.event == OPENED and "label" in days:
        # Two opened the first day at once. What the other one has heard stays in its day.
        turn = row.turn_count + 1
    if turn is None or not (
        _open(days, label, turn, data) if line.event == OPENED else _close(days, label)
    ):
        return None
    _keep(row, days)
    return DayRow(
        line.seq,
        kind,
        label,
        values.text(data.get("daySegmentId")) or "",
        values.text(data.get("zone")) or "",
        turn,
        values.moment(data.get("at")) or values.EPOCH,
    )


def _open(days: dict[str, Any], label: str, turn: int, data: dict[str, Any]) -> bool:
    if label <= days.get("label", ""):
        return False
    until = values.moment(data.get("until")) or f"{label}T23:59:59.999Z"
    days |= {"label": label, "first": turn, "untold": []}
    days.pop("told", None)
    days["unclosed"] = [*days.get("unclosed", ()), [label, until]]
    return True


def _close(days: dict[str, Any], label: str) -> bool:
    unclosed = days.get("unclosed", [])
    days["unclosed"] = [one for one in unclosed if one[0] != label]
    return len(days["unclosed"]) < len(unclosed)


def hear(row: ConversationRow, message: MessageRow) -> None:
    """Somebody speaks. What comes late to an earlier day is not told with the newest."""
    if row.mode == "continuous":
        days = _days(row)
        if message.turn_number >= days.get("first", 0):
            days["untold"] = [*days.get("untold", ()), message.seq][-values.MOST_UNTOLD :]
            _keep(row, days)


def is_untold(row: ConversationRow, seq: int) -> bool:
    """Whether a line is one of those of which no summary of the newest day tells."""
    return row.mode == "continuous" and seq in _days(row).get("untold", ())


def tell(row: ConversationRow, line: Line, covers: int) -> None:
    """A day is told up to a line."""
    days = _days(row)
    if line.data.get("day") == days.get("label"):
        days |= {"untold": [seq for seq in days.get("untold", ()) if seq > covers], "told": 1}
    days.pop("stale", None)
    _keep(row, days)


def lose(row: ConversationRow) -> None:
    """A summary of a day was erased: it has to be made again."""
    if row.mode == "continuous":
        _keep(row, _days(row) | {"stale": 1})


def outdate(row: ConversationRow) -> None:
    """A message says something else now: what was told of the newest day may be gone with it."""
    if row.mode == "continuous" and "told" in _days(row):
        lose(row)


def _days(row: ConversationRow) -> dict[str, Any]:
    return orjson.loads(row.day_state)


def _keep(row: ConversationRow, days: dict[str, Any]) -> None:
    days["until"] = min((until for _, until in days.get("unclosed", ())), default=None)
    row.day_state = orjson.dumps(days, option=orjson.OPT_SORT_KEYS).decode()
