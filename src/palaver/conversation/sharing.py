"""Sharing a reply that is made here with those who follow it on other nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import aclosing

import orjson

from palaver.conversation.own_reply import OwnReply
from palaver.conversation.steps import ReplyDelta, ReplyStarted, ReplyThinking, ReplyTool, Step
from palaver.events import Relay
from palaver.events.relay import Making, Question
from palaver.ledger.lines import new_id

_APART = 0.02
"""What is made in so many seconds becomes one part; when it is written is up to the relay."""


async def share(live: OwnReply, relay: Relay) -> None:
    """Whoever stops it takes back what was shared. As long as nobody wants it, it costs nothing."""
    asked = live.question
    making = Making(new_id("reply"), Question(asked.id, asked.conversation_id, asked.seq))
    await relay.wanted()
    try:
        async with aclosing(live.portions()) as portions:
            async for steps in portions:
                relay.publish(making, packed(steps), anew=isinstance(steps[0], ReplyStarted))
                await asyncio.sleep(_APART)
    finally:
        relay.end(making)


def packed(steps: Iterable[Step]) -> str:
    """Steps as they travel between nodes."""
    return orjson.dumps(list(_packed(steps))).decode()


def _packed(steps: Iterable[Step]) -> Iterator[tuple[str | int, ...]]:
    for step in steps:
        match step:
            case ReplyStarted():
                yield "started", step.message_id, step.turn_number
            case ReplyThinking():
                yield "thinking", step.offset, step.text
            case ReplyDelta():
                yield "text", step.offset, step.text
            case ReplyTool():
                yield "tool", step.tool_name, step.state
            case _:
                pass
