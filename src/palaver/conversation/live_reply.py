"""A reply in the making: whoever wants to can follow it, from whenever on.

A reader is not sent what was said, but looks at what there is and remembers how far it has read.
So one who joins late gets the text so far, and one who is slow gets more at a time; nothing waits
for anybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

from palaver.agent.answering import ReplyDraft
from palaver.conversation.steps import (
    ReplyDelta,
    ReplyFinished,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)
from palaver.events.relay import Question
from palaver.index.records import Message


class LiveReply:
    """A reply that is waited for, being made, or just made: in this process, or on another node."""

    def __init__(self, question: Message | Question, message_id: str, turn_number: int) -> None:
        self.conversation_id = question.conversation_id
        self.question_id = question.id
        self.message_id = message_id
        self.draft = ReplyDraft()
        self.outcome: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._turn_number = turn_number
        self._tools: list[ReplyTool] = []
        self._beginnings = 0
        self._moved = asyncio.Event()

    @property
    def started(self) -> bool:
        return self._beginnings > 0

    async def wait(self) -> Message:
        """The reply as it is stored. Raises what kept it from being made."""
        return await asyncio.shield(self.outcome)

    async def follow(self) -> AsyncGenerator[Step]:
        """The steps so far, and then those to come. Raises what kept it from being made."""
        async with aclosing(self.portions()) as portions:
            async for steps in portions:
                for step in steps:
                    yield step
        yield ReplyFinished(conversation_id=self.conversation_id, turn=self.outcome.result())

    async def portions(self) -> AsyncGenerator[list[Step]]:
        """The same, as many steps at a time as there are, up to where it is stored."""
        seen = _Seen()
        while True:
            moved, over = self._moved, self.outcome.done()
            if steps := list(self._since(seen)):
                yield steps
            if over:
                return
            await moved.wait()

    def _since(self, seen: _Seen) -> Iterator[Step]:
        if seen.beginnings < self._beginnings:
            seen.restart(self._beginnings)
            yield ReplyStarted(**self._named, turn_number=self._turn_number)
        draft, named = self.draft, self._named
        if thought := draft.thinking[seen.thinking :]:
            yield ReplyThinking(**named, offset=seen.thinking, text=thought)
            seen.thinking += len(thought)
        for step in self._tools[seen.tools :]:
            yield step
            seen.tools += 1
        if text := draft.content[seen.content :]:
            yield ReplyDelta(**named, offset=seen.content, text=text)
            seen.content += len(text)

    @property
    def _named(self) -> dict[str, Any]:
        return {"conversation_id": self.conversation_id, "message_id": self.message_id}

    # -- for whoever knows more of it --------------------------------------------------------

    def _begin(self, message_id: str) -> None:
        """It is made from here on; what an earlier beginning gave is gone."""
        self.message_id = message_id
        self.draft = ReplyDraft()
        self._tools.clear()
        self._beginnings += 1
        self._move()

    def _fail(self, error: Exception) -> None:
        self.outcome.set_exception(error)
        self.outcome.exception()  # there need not be anybody who waits for it

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()


class _Seen:
    """How far a reader has read."""

    def __init__(self) -> None:
        self.restart(0)

    def restart(self, beginnings: int) -> None:
        self.beginnings = beginnings
        self.content = self.thinking = self.tools = 0
