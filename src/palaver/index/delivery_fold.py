"""The outbox: how lines say that they are to be sent, and events how far that has come.

A line with `deliver` waits to be sent. The events that follow name it by its id; each part is begun
before it is sent, so that after a crash it is known of which part nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from palaver.index import values
from palaver.index.channel_rows import REACHED, DeliveryRow
from palaver.ledger.lines import Line

STARTED, DELIVERED, FAILED = "delivery_started", "delivered", "delivery_failed"
REPORTED, RETRIED = "delivery_reported", "delivery_retried"

Data = Mapping[str, Any]
Change = Callable[[DeliveryRow], DeliveryRow]


def delivery_row(line: Line) -> DeliveryRow | None:
    """What a line says is to be sent; None when it says nothing of the kind."""
    deliver = line.data.get("deliver")
    if not isinstance(deliver, dict):
        return None
    named = cast("dict[str, Any]", deliver)
    channel, place = values.text(named.get("channel")), _place(named.get("place"))
    if not channel or not place:
        return None
    target = _queue(line, place)
    return DeliveryRow(line.seq, line.id, line.pos, channel, target, _at(line.data))


def moved(line: Line) -> tuple[str, Change] | None:
    """Of which line an event says how far it has come, and how that changes its row."""
    change, about = EVENTS.get(line.event), values.text(line.data.get("messageId"))
    if change is None or about is None:
        return None
    return about, lambda row: change(row, line.data)


def _place(given: object) -> str | None:
    return values.text(cast("dict[str, Any]", given).get("id")) if isinstance(given, dict) else None


def _queue(line: Line, place: str) -> str:
    """What waits for what: the replies to an outsider, who may say what they like of the place in
    which they write, for each other, and notices to the owner for each other."""
    if not line.stream.startswith("ext-"):
        return place
    return line.stream if line.type == "turn" else f"notices:{place}"


def _at(data: Data) -> str:
    return values.moment(data.get("at")) or values.EPOCH


def _changed(row: DeliveryRow, data: Data, **given: Any) -> DeliveryRow:
    """The row with another state; what was wrong before is not wrong any more."""
    right: dict[str, Any] = {"part": None, "due": None, "code": None, "message": None}
    return row._replace(updated=_at(data), **right | {"remedy": None} | given)


def _start(row: DeliveryRow, data: Data) -> DeliveryRow:
    if row.state in REACHED:
        return row
    return _changed(row, data, state="sending", part=values.count(data.get("part")) or 0)


def _deliver(row: DeliveryRow, data: Data) -> DeliveryRow:
    if row.state in REACHED:
        return row
    done = (values.count(data.get("part")) or 0) + 1
    state = "sent" if done >= (values.count(data.get("parts")) or 1) else "sending"
    return _changed(row, data, state=state, parts=max(row.parts, done), attempts=0)


def _fail(row: DeliveryRow, data: Data) -> DeliveryRow:
    due = values.moment(data.get("retryAt"))
    return _changed(
        row,
        data,
        state="waiting" if due else "failed",
        due=due,
        attempts=values.count(data.get("attempt")) or row.attempts + 1,
        **{name: values.text(data.get(name)) for name in ("code", "message", "remedy")},
    )


def _report(row: DeliveryRow, data: Data) -> DeliveryRow:
    """A provider tells in any order what it knows: nothing goes back."""
    reach = data.get("reach")
    if reach == "failed":
        why, part = values.text(data.get("why")), values.count(data.get("part")) or 0
        sent = min(row.parts, part)  # whoever has it sent again has it sent from there on
        return _changed(row, data, state="failed", code="channel_refused", message=why, parts=sent)
    if reach not in REACHED or row.state not in REACHED:
        return row
    if REACHED.index(reach) <= REACHED.index(row.state):
        return row
    return _changed(row, data, state=reach)


def _retry(row: DeliveryRow, data: Data) -> DeliveryRow:
    return _changed(row, data, state="waiting", attempts=0)


EVENTS: dict[str, Callable[[DeliveryRow, Data], DeliveryRow]] = {
    STARTED: _start,
    DELIVERED: _deliver,
    FAILED: _fail,
    REPORTED: _report,
    RETRIED: _retry,
}
"""The events that say how far a line has come."""
