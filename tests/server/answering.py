"""Somebody who answers as a test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from threading import Event

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said
from palaver.errors import ModelBusy


class Model:
    """Answers what the test says, and waits at a mark until it is let go on."""

    def __init__(self) -> None:
        self.words: list[str] = ["It ", "is ", "blue."]
        self.reached, self.go_on = Event(), Event()
        self.scopes: list[frozenset[str]] = []

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        self.scopes.append(task.caller.scopes)
        draft.model = "test"
        for word in self.words:
            if word == "…":
                self.reached.set()
                while not await asyncio.to_thread(self.go_on.wait, 0.01):
                    pass
            elif word == "busy":
                raise ModelBusy
            else:
                draft.content += word
                yield Said(word)
