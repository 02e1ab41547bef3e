"""Whoever answers in tests: word by word, when the test lets it, or by a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from palaver.agent.answering import Answerer, Delta, Frames, ReplyDraft, Task, ToolDone
from palaver.agent.language import Said, Thought, ToolCall
from palaver.agent.toolbox import Output
from palaver.app import Palaver

A = TypeVar("A", bound=Answerer)
Pause = Callable[[], Awaitable[object]]


def answer_by(palaver: Palaver, answerer: A) -> A:
    palaver._agent.turns._maker.answerer = answerer  # pyright: ignore[reportPrivateUsage]
    return answerer


class Gate:
    """Answers when the test lets it."""

    def __init__(self, expected: int = 1) -> None:
        self.asked: list[str] = []
        self.expected = expected
        self.open = asyncio.Event()
        self.waiting = asyncio.Event()

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        self.asked.append(task.question.content)
        if len(self.asked) == self.expected:
            self.waiting.set()
        await self.open.wait()
        draft.model = "gate"
        draft.content = f"Re: {task.question.content}"
        yield Said(draft.content)


@dataclass
class Scripted:
    """Says what the script holds, step by step; an error is raised, a pause is waited for."""

    script: Sequence[str | Exception | Pause | ToolCall | Thought]
    tasks: list[Task] = field(default_factory=list[Task])
    ran: list[ToolCall] = field(default_factory=list[ToolCall])
    """The tools with an effect that were used."""

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        self.tasks.append(task)
        draft.model = "scripted"
        begun = {frame.call.id for frame in task.earlier}
        for step in self.script:
            match step:
                case str():
                    draft.content += step
                    yield Said(step)
                case Thought():
                    draft.thinking += step.text
                    yield step
                case ToolCall():
                    yield step
                    if step.id not in begun:
                        await frames.started(step)
                        self.ran.append(step)
                        await frames.finished(step, Output("done", {"done": True}))
                    draft.tool_calls.append({"toolName": step.name, "input": step.input})
                    yield ToolDone(step, failed=False)
                case Exception():
                    raise step
                case _:
                    await step()
