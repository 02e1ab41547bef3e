"""Steps of a reply as they go out: by WebSocket, and as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

import orjson

from palaver.conversation.steps import (
    MessageAccepted,
    ReplyDelta,
    ReplyFinished,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)
from palaver.errors import PalaverError
from palaver.index.records import Record
from palaver.server.guests import Stay
from palaver.server.streams import EVENT_STREAM, Stream

NAMES: dict[type[Step], str] = {
    MessageAccepted: "message_accepted",
    ReplyStarted: "reply_started",
    ReplyDelta: "reply_delta",
    ReplyThinking: "reply_thinking",
    ReplyTool: "reply_tool",
    ReplyFinished: "reply_finished",
}
"""How each step is called outside."""


class Trouble(Record):
    """A request cannot be done, or a reply cannot be made, or not to its end."""

    code: str
    message: str
    remedy: str

    @classmethod
    def of(cls, error: PalaverError) -> Trouble:
        return cls(code=error.code, message=error.message, remedy=error.remedy)


EVENTS: Mapping[str, type[Record]] = {
    **{name: kind for kind, name in NAMES.items()},
    "error": Trouble,
}
"""The events of a stream, each with the shape of its data."""


def name_of(step: Step) -> str:
    return NAMES[type(step)]


async def event_stream(steps: AsyncGenerator[Step], stay: Stay) -> Stream:
    """The steps as they come. Raises what keeps the first from coming."""
    first = await stay.during(_next(steps))
    return Stream(_events(first, steps), stay, media_type=EVENT_STREAM, farewell=_error)


async def _next(steps: AsyncGenerator[Step]) -> Step:
    return await anext(steps)


async def _events(first: Step, steps: AsyncGenerator[Step]) -> AsyncGenerator[bytes]:
    async with aclosing(steps):
        yield _event(name_of(first), first.to_json())
        try:
            async for step in steps:
                yield _event(name_of(step), step.to_json())
        except PalaverError as error:
            yield _error(error)


def _error(error: PalaverError) -> bytes:
    return _event("error", Trouble.of(error).to_json())


def _event(name: str, data: dict[str, Any]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), orjson.dumps(data))
