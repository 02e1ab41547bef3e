"""Listening to a model: what it says, as it comes, for as long as patience lasts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TypeVar

from pydantic_ai.exceptions import ModelRequestTimeout, UnexpectedModelBehavior, UserError
from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
)
from pydantic_ai.models import StreamedResponse

from palaver.agent.language import Said, Thought
from palaver.agent.models.clean import Cleaner
from palaver.agent.models.patience import Patience

T = TypeVar("T")
_UNEXPECTED = (
    *(AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError),
    UserError,
)
"""What a provider's library raises over something that it did not foresee."""


async def heard(
    asking: AbstractAsyncContextManager[StreamedResponse], patience: Patience
) -> AsyncGenerator[Said | Thought | ModelResponse]:
    """What a model says, piece by piece, and at the end all of it. Raises AgentRunError."""
    words, thoughts = Cleaner(), Cleaner()
    async with AsyncExitStack() as stack:
        stream = await _within(patience.first, stack.enter_async_context(asking))
        events, patient = aiter(stream), patience.first
        while (event := await _within(patient, anext(events, None))) is not None:
            patient = patience.silence
            piece = _piece(event)
            if isinstance(piece, Said) and (text := words.clean(piece.text)):
                yield Said(text)
            elif isinstance(piece, Thought) and (text := thoughts.clean(piece.text)):
                yield Thought(text)
        if rest := words.rest():
            yield Said(rest)
        yield stream.get()


async def _within(seconds: float, waiting: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(seconds):
            return await waiting
    except TimeoutError:
        raise ModelRequestTimeout("", seconds) from None
    except _UNEXPECTED as error:
        raise UnexpectedModelBehavior(type(error).__name__) from error


def _piece(event: ModelResponseStreamEvent) -> Said | Thought | None:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return Said(text)
        case PartStartEvent(part=ThinkingPart(content=text)):
            return Thought(text)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return Said(text)
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)):
            return Thought(text or "")
        case _:
            return None
