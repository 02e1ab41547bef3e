"""Saying: what a message of Telegram says in words, and what it brings besides."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.channels.calls import (
    coordinates,
    each,
    forwarded,
    id_of,
    inner,
    label,
    number,
    placeholder,
    text,
)
from palaver.channels.marks import EMPTY
from palaver.index.records import Json

_MEDIA = {
    "animation": "Animation",
    "audio": "Audio",
    "document": "File",
    "photo": "Photo",
    "sticker": "Sticker",
    "story": "Story",
    "video": "Video",
    "video_note": "Video message",
    "voice": "Voice message",
    "paid_media": "Paid media",
}
"""An animation is a document, too, so it comes first."""
_OTHERS = ("venue", "location", "contact", "dice", "game", "poll", "checklist", "invoice")
"""A venue is a location, too."""
_GONE = "The group has another id now: Telegram has made a supergroup of it."


def words(message: Json, username: str | None) -> str | None:
    """The text of a message, with a placeholder for what is no text; None for what nobody said,
    such as that somebody has joined."""
    said = _said(message, username)
    if said is None:
        return None
    said = said.strip() or EMPTY
    origin = inner(message, "forward_origin")
    return forwarded(said, _author(origin)) if origin else said


def _said(message: Json, username: str | None) -> str | None:
    if isinstance(message.get("text"), str):
        return without_name(text(message, "text"), username)
    if number(message, "migrate_to_chat_id") is not None:
        return placeholder(_GONE)
    for kind, name in _MEDIA.items():
        if kind in message:
            given = inner(message, kind)
            about = label(given, "file_name") or label(given, "emoji")
            return f"{placeholder(name, about)} {text(message, 'caption')}"
    return _other(message)


def _other(message: Json) -> str | None:
    for kind in _OTHERS:
        given = inner(message, kind)
        if given:
            return _about(kind, given)
    return None


def _about(kind: str, given: Json) -> str:
    match kind:
        case "contact":
            names = [label(given, name) for name in ("first_name", "last_name")]
            said = placeholder(
                "Contact", " ".join(one for one in names if one), label(given, "phone_number")
            )
        case "location":
            said = placeholder("Location", coordinates(given))
        case "venue":
            where = coordinates(inner(given, "location"))
            said = placeholder("Location", label(given, "title"), label(given, "address"), where)
        case "poll":
            options = [label(one, "text") for one in each(given, "options")]
            said = placeholder("Poll", label(given, "question"), *options)
        case "dice":
            said = placeholder("Dice", label(given, "emoji"), str(number(given, "value") or ""))
        case _:
            said = placeholder(kind.capitalize(), label(given, "title"))
    return said


def _author(origin: Json) -> str:
    """Who wrote what was passed on, as Telegram says."""
    user = inner(origin, "sender_user")
    chat = inner(origin, "chat") or inner(origin, "sender_chat")
    return name_of(user) or label(origin, "sender_user_name") or label(chat, "title")


def name_of(user: Json) -> str:
    names = [label(user, name) for name in ("first_name", "last_name")]
    return " ".join(one for one in names if one) or label(user, "username") or label(user, "title")


def files(message: Json) -> Iterator[Json]:
    """What the provider keeps for us to fetch."""
    for kind in _MEDIA:
        sizes = list(each(message, kind))  # of a photo, the last is the largest
        given = sizes[-1] if sizes else inner(message, kind)
        if found := id_of(given, "file_id"):
            about = {"name": label(given, "file_name"), "mimeType": label(given, "mime_type")}
            yield {"type": "file", "id": found, **{name: one for name, one in about.items() if one}}
            return


def without_name(said: str, username: str | None) -> str:
    """A command without the name of the bot that it is for: `/new@ada_bot` is `/new`."""
    head, space, rest = said.partition(" ")
    command, at, name = head.partition("@")
    is_ours = command.startswith("/") and at and name.lower() == (username or "").lower()
    return command + space + rest if is_ours else said
