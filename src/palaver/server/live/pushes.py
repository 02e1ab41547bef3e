"""Pushes: the messages that tell what happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palaver.conversation.happenings import Happening, Happenings

Push = tuple[str, dict[str, Any]]


def pushes(found: Happenings) -> Iterator[Push]:
    """The messages for some steps.

    `eventId` is where to go on. So of several messages for one step only the last names it, and
    the others the one before: whoever is cut off between them hears all of them again.
    """
    for one in found.happenings:
        *others, last = _told(one)
        for kind, fields in others:
            yield kind, {"eventId": one.pos - 1, **fields}
        yield last[0], {"eventId": one.pos, **last[1]}


def _told(one: Happening) -> Iterator[Push]:
    """At least one message."""
    meta = one.conversation
    match one.kind:
        case "created" if meta:
            yield "conversation_created", {"conversation": meta.to_json()}
        case "renamed" if meta:
            named = {"conversationId": one.conversation_id, "title": meta.title}
            yield "conversation_renamed", named
        case "changed" if meta:
            yield "conversation_changed", {"conversation": meta.to_json()}
        case "removed":
            yield "conversation_removed", {"conversationId": one.conversation_id}
        case _:
            pass
    for message in one.messages:
        turn = {"conversationId": one.conversation_id, "turn": message.to_json()}
        yield "conversation_updated", turn
