"""Ids: of people, places and messages of Telegram.

A message has a number that is unique in its place only, so the place belongs to its id. A topic of
a group is a place of its own: its number follows that of the group.
"""

from __future__ import annotations

import re

from palaver.channels.port import Place
from palaver.errors import BadValue, ChannelRefused

_PERSON = re.compile(r"(?:tg://user\?id=|telegram:)?(-?)0*([1-9][0-9]{0,17})")
_PLACE = re.compile(r"(-?[0-9]{1,18})(?::([0-9]{1,18}))?")
_MESSAGE = re.compile(r"(-?[0-9]{1,18}):([0-9]{1,18})")


def person(identity: str) -> str:
    """The id in digits. Raises BadValue: names can be changed, and taken over by others."""
    found = _PERSON.fullmatch(identity.strip())
    if not found:
        raise BadValue(
            f"{identity[:80]!r} is not the id of somebody on Telegram.",
            remedy="Write the number, such as 123456789, and not the name.",
        )
    return found[1] + found[2]


def message_id(chat: int, number: int) -> str:
    return f"{chat}:{number}"


def place_id(chat: int, topic: int | None) -> str:
    return str(chat) if topic is None else f"{chat}:{topic}"


def chat_of(place: Place) -> tuple[int, int | None]:
    """The chat and the topic of a place. Raises ChannelRefused."""
    found = _PLACE.fullmatch(place.id)
    if not found:
        raise ChannelRefused(f"{place.id[:80]!r} is no place on Telegram.")
    return int(found[1]), int(found[2]) if found[2] else None


def number_of(message: str | None) -> int | None:
    """The number of a message in its place."""
    found = _MESSAGE.fullmatch(message or "")
    return int(found[2]) if found else None
