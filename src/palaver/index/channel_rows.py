"""Rows of what channels need: what is to be sent, and exchanges with outsiders."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from palaver.index.records import Delivery, ExternalMessage, ExternalMeta
from palaver.index.values import EPOCH

OPEN = ("waiting", "sending")
"""What is still to be sent."""
REACHED = ("sent", "delivered", "read")
"""How far a message comes, one after the other."""


class DeliveryRow(NamedTuple):
    """A line that is sent to a channel: the fold of it and of the events that name it."""

    seq: int
    id: str
    pos: int
    """Its place among everything of its user: what was said first is sent first."""
    channel: str
    target: str
    """The id of the place that it is sent to."""
    updated: str
    state: str = "waiting"
    part: int | None = None
    parts: int = 0
    attempts: int = 0
    due: str | None = None
    """When it is tried again."""
    code: str | None = None
    message: str | None = None
    remedy: str | None = None


def to_delivery(stream: str, row: DeliveryRow) -> Delivery:
    """The record of a line of `stream` that is sent."""
    named = row._asdict()
    del named["pos"]
    return Delivery(
        conversation_id=stream,
        message_id=named.pop("id"),
        place=named.pop("target"),
        after=named.pop("due"),
        **named,
    )


class ExternalMessageRow(NamedTuple):
    """A message of an exchange with an outsider: the fold of it and of the events that name it."""

    seq: int
    id: str
    by: str
    """Who said it: the `outsider`, the `assistant` or the `owner`."""
    taken: str
    """When the ledger took it. What the outsider says of the time is not asked."""
    sender: str | None
    grade: str | None
    """Whether it is `proven` who wrote it, or merely `claimed`."""
    content: str


@dataclass(slots=True)
class ExternalRow:
    """An exchange with an outsider, and all that its fold has to remember."""

    id: str
    channel: str = ""
    party: str = ""
    name: str | None = None
    trust: str | None = None
    policy: str | None = None
    scope: str | None = None
    created: str = EPOCH
    said: str | None = None
    """When the ledger took the last message. What the outsider says of the time is not asked."""
    message_count: int = 0
    last_text: str = ""
    last_by: str | None = None
    last_id: str | None = None
    drafts: str = "[]"
    """The ids of those that are not decided."""
    escalated: int = 0
    acknowledged: int = 0
    begun: int = 0
    """Whether there was a meta line."""

    @property
    def updated(self) -> str:
        return self.said or self.created

    @property
    def folded(self) -> str:
        """By what it is found: whether letters are large or small makes no difference."""
        return f"{self.name or ''}\n{self.party}".casefold()

    def values(self) -> tuple[Any, ...]:
        """The fields, in their order."""
        return _external_values(self)


EXTERNAL_FIELDS = tuple(field.name for field in fields(ExternalRow))
_external_values = attrgetter(*EXTERNAL_FIELDS)


def to_external_message(stream: str, row: ExternalMessageRow) -> ExternalMessage:
    """The record of a message of the exchange `stream`."""
    named = row._asdict()
    return ExternalMessage(external_id=stream, claimed=named.pop("grade") == "claimed", **named)


def to_external(row: ExternalRow) -> ExternalMeta:
    """The record of an exchange."""
    named = {name: getattr(row, name) for name in EXTERNAL_FIELDS if name not in _REMEMBERED}
    named |= {
        "drafts": len(orjson.loads(row.drafts)),
        "escalated": bool(row.escalated),
        "acknowledged": bool(row.acknowledged),
    }
    return ExternalMeta(updated=row.updated, **named)


_REMEMBERED = ("said", "last_id", "begun")
"""What only the fold asks for."""
