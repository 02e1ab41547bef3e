"""Responding: where the reply to a message goes, and what is kept of a message besides its text."""

from __future__ import annotations

from palaver.channels.connection import Connection
from palaver.channels.marks import cleaned, readable
from palaver.channels.port import Place, Received
from palaver.index.records import Json

_MAX_NAME = 255


def respond_to(by: Connection, received: Received) -> Json:
    """Where the reply to a message is to be sent."""
    return to_place(by, received.place, received.details) | {"answers": cleaned(received.id)}


def to_place(by: Connection, place: Place, details: Json) -> Json:
    """Where something is to be sent."""
    name = readable(place.name)[:_MAX_NAME] if place.name else None
    shown = {"kind": place.kind, "id": cleaned(place.id), "name": name}
    return {"channel": by.name, "place": shown, "details": cleaned(details) or None}


def parts_of(received: Received) -> list[Json] | None:
    """What stands in a message besides its text; the text comes first, as it is."""
    if not received.parts:
        return None
    return [{"type": "text", "text": readable(received.text)}, *map(cleaned, received.parts)]
