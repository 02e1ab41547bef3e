"""Saying: what a message of WhatsApp says in words, and what it brings besides."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.channels.calls import (
    coordinates,
    each,
    id_of,
    inner,
    label,
    placeholder,
    text,
)
from palaver.channels.marks import EMPTY
from palaver.index.records import Json

_MEDIA = {
    "image": "Photo",
    "video": "Video",
    "audio": "Audio",
    "document": "File",
    "sticker": "Sticker",
}
_OTHERS = {"order": "Order", "request_welcome": "Began to write"}
UNKNOWN = "[Something that WhatsApp does not pass on]"


def words(message: Json) -> str:
    """The text of a message, with a placeholder for what is no text."""
    return _said(message).strip() or EMPTY


def _said(message: Json) -> str:
    match kind := text(message, "type"):
        case "text":
            said = text(inner(message, "text"), "body")
        case "button":
            said = text(inner(message, "button"), "text")
        case "interactive":
            said = _chosen(inner(message, "interactive"))
        case "location":
            said = _location(inner(message, "location"))
        case "contacts":
            said = "\n".join(_contact(one) for one in each(message, "contacts"))
        case _ if kind in _MEDIA:
            said = _media(kind, inner(message, kind))
        case _:
            said = placeholder(_OTHERS[kind]) if kind in _OTHERS else UNKNOWN
    return said


def files(message: Json) -> Iterator[Json]:
    """What the provider keeps for us to fetch."""
    kind = text(message, "type")
    media = inner(message, kind) if kind in _MEDIA else {}
    if found := id_of(media, "id"):
        about = {"name": label(media, "filename"), "mimeType": label(media, "mime_type")}
        yield {"type": "file", "id": found, **{name: one for name, one in about.items() if one}}


def _media(kind: str, media: Json) -> str:
    said = "Voice message" if media.get("voice") is True else _MEDIA[kind]
    return f"{placeholder(said, label(media, 'filename'))} {text(media, 'caption')}"


def _chosen(given: Json) -> str:
    kind = text(given, "type")
    reply = inner(given, kind)
    said = [text(reply, name) for name in ("title", "description", "body")]
    return "\n".join(one for one in said if one) or "[Form]"


def _location(given: Json) -> str:
    where = (label(given, "name"), label(given, "address"), coordinates(given))
    return placeholder("Location", *where)


def _contact(given: Json) -> str:
    name = label(inner(given, "name"), "formatted_name")
    numbers = [label(one, "phone") for one in each(given, "phones")]
    return placeholder("Contact", name, *numbers)
