"""The loop: a model speaks, the tools that it calls are used, and it speaks again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from itertools import count

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task, ToolDone
from palaver.agent.hands import Hands, failed
from palaver.agent.language import Models, Request, ToolCall, ToolResult
from palaver.agent.prompt import Prompt
from palaver.agent.timed import Timed
from palaver.agent.toolbox import Tool
from palaver.agent.writing import Writer
from palaver.errors import Forbidden, ModelError
from palaver.telemetry import Logged, Telemetry

MAX_STEPS = 8
"""So many times a model may have tools used for one reply."""


class Agent:
    """Answers with a model, and with tools."""

    def __init__(
        self,
        models: Models,
        tools: Sequence[Tool],
        prompt: Prompt,
        telemetry: Telemetry | None = None,
    ) -> None:
        self._telemetry = telemetry or Logged()
        self._models = models
        self._tools = tools
        self._prompt = prompt

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        """As `Answerer` promises. A model that goes on calling tools is told once that there are
        no more, so that it can still say something."""
        model = self._models.choose(task.model)
        draft.model = model.name
        hands = Hands(self._tools, task.caller, frames, task.earlier)
        system = self._prompt.text([spec.name for spec in hands.specs])
        exchange = model.exchange(Request(system, task.packet, hands.specs))
        writer = Writer(draft, hands.kept_input)
        results: list[ToolResult] = []
        for step in count():
            calls: list[ToolCall] = []
            writer.begin_step()
            timed = Timed(self._telemetry, task.question.conversation_id, model.name)
            async with aclosing(timed.step(exchange.step(results))) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ToolCall):
                        calls.append(piece)
                    for delta in writer.take(piece):
                        yield delta
            results = []
            for call in calls:
                used = await hands.use(call) if step < MAX_STEPS else failed(call, _enough())
                writer.take_result(used)
                results.append(used.result)
                yield ToolDone(call, used.result.failed)
            if not calls or step > MAX_STEPS:
                break
        if not draft.content.strip():
            raise _silent(draft)


def _silent(draft: ReplyDraft) -> ModelError:
    if not draft.cut:
        return ModelError("The model said nothing.")
    return ModelError(
        "The model thought for so long that nothing could be said any more.",
        remedy="Set a larger `maxTokens` for it in `agent.models`, or less `thinking`.",
    )


def _enough() -> Forbidden:
    return Forbidden(
        "No more tools can be used for this reply.", remedy="Answer now, with what is known."
    )
