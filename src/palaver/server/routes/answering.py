"""Answering: a message in, and its reply out, whole or as it is made."""

from __future__ import annotations

from typing import TypedDict, Unpack

from palaver.app import Palaver
from palaver.conversation.records import Reply
from palaver.errors import (
    BadId,
    EmptyMessage,
    Erased,
    KeyReused,
    ModelUnknown,
    NotFound,
    ReadOnly,
    Stopping,
)
from palaver.server.bodies import LIMIT
from palaver.server.guests import Stay
from palaver.server.problems import Responses
from palaver.server.routing import BODY, INDEX, WRITE, needs
from palaver.server.shapes import MessageBody
from palaver.server.steps import EVENTS, event_stream
from palaver.server.streams import EVENT_STREAM, Stream

SAYING = (BadId, NotFound, EmptyMessage, KeyReused, Erased, ReadOnly, *BODY, *INDEX, *WRITE)
_STREAMED: Responses = {
    200: {
        "content": {
            EVENT_STREAM: {
                "schema": {"type": "string", "description": "Server-sent events."},
                "x-events": {
                    name: {"$ref": f"#/components/schemas/{kind.__name__}"}
                    for name, kind in EVENTS.items()
                },
            }
        }
    }
}
ANSWERED = needs(
    "chat",
    *SAYING,
    ModelUnknown,
    Stopping,
    max_body=LIMIT,
    spends="messages",
    answers=_STREAMED,
)
"""What whoever says something needs, and may be answered with."""


class Place(TypedDict, total=False):
    """Where something is said, by whom, and under which key."""

    conversation_id: str | None
    new: bool
    channel: str
    key: str | None
    scopes: frozenset[str]


async def answer(
    palaver: Palaver, body: MessageBody, stay: Stay | None, **place: Unpack[Place]
) -> Reply | Stream:
    """The reply; for whoever stays to listen, its steps as they come."""
    text, model, context = body.message, body.model, body.context
    if stay is None:
        return await palaver.send(text, model=model, context=context, **place)
    steps = palaver.stream(text, model=model, context=context, detached=True, **place)
    return await event_stream(steps, stay)
