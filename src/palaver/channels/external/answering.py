"""Answering an outsider: a model that has the exchange, the owner's words on what may be told, and
nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from importlib.resources import files

from palaver.agent.answering import Frames, ReplyDraft, Task
from palaver.agent.language import Models, ToolCall
from palaver.agent.loop import Agent
from palaver.agent.toolbox import Caller, Output
from palaver.context.builder import ContextBuilder
from palaver.index.records import Message
from palaver.telemetry import Telemetry

_WHY = "Whoever is answered is not the owner: they are told of nothing else."
_NO_SCOPE = "Nothing beyond what they wrote themselves."


class _Prompt:
    """What a model is told before it answers an outsider."""

    def __init__(self, name: str, scope: str) -> None:
        self._name = name
        self._scope = scope

    def text(self, tools: Iterable[str] = ()) -> str:
        del tools  # there are none
        template = (files(__package__ or "") / "prompt.txt").read_text(encoding="utf-8")
        return template.replace("{name}", self._name).replace("{scope}", self._scope or _NO_SCOPE)


class _NoFrames(Frames):
    """Nothing with an effect is used for an outsider."""

    async def started(self, call: ToolCall) -> None:
        raise AssertionError(call.name)

    async def finished(self, call: ToolCall, output: Output) -> None:
        raise AssertionError(call.name)


@dataclass(frozen=True, slots=True)
class Outsiders:
    """Writes replies to outsiders."""

    models: Models
    context: ContextBuilder
    name: str
    telemetry: Telemetry

    @property
    def can_write(self) -> bool:
        """Whether there is a model. What answers the owner offline looks things up, which is not
        for outsiders."""
        return self.models.info(None).kind != "offline"

    async def write(self, exchange: Sequence[Message], scope: str) -> ReplyDraft:
        """A reply to the last message of an exchange. It is made of that exchange alone: there are
        no tools, no memories and no other conversation that could be asked for. Raises
        ModelError."""
        *earlier, question = exchange
        packet = self.context.alone(question, _WHY, earlier=earlier)
        task = Task(question, packet, None, Caller(question.conversation_id, frozenset()))
        agent = Agent(self.models, (), _Prompt(self.name, scope), self.telemetry)
        draft = ReplyDraft()
        async with aclosing(agent.answer(task, draft, _NoFrames())) as deltas:
            async for _ in deltas:
                pass
        return draft
