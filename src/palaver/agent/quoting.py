"""The offline assistant as somebody who answers: all of its reply comes at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said
from palaver.agent.port import Responder


class Quoting:
    """An Answerer that has a responder answer."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        found = await self._responder.reply(task.question)
        draft.model = found.model
        draft.content = found.content
        draft.sources = list(found.sources)
        yield Said(found.content)
