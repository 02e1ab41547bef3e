"""The port between a turn and whoever answers it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from palaver.agent.language import Said, Thought, ToolCall, Usage
from palaver.agent.toolbox import Caller, Output
from palaver.context.packet import ContextPacket
from palaver.index.records import Json, Message, Source


@dataclass(frozen=True, slots=True)
class Frame:
    """A tool with an effect that an earlier attempt at the same turn has begun to use."""

    call: ToolCall
    output: Any = None
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A message to be answered."""

    question: Message
    packet: ContextPacket
    model: str | None
    """The name that was chosen for the conversation; None for the usual model."""
    caller: Caller
    earlier: Sequence[Frame] = ()


@dataclass(slots=True)
class ReplyDraft:
    """A reply in the making: at any moment, all of it that there is."""

    model: str = ""
    content: str = ""
    thinking: str = ""
    tool_calls: list[Json] = field(default_factory=list[Json])
    """`{toolName, input, output}`, in order."""
    usage: Usage | None = None
    cost: float | None = None
    sources: list[Source] = field(default_factory=list[Source])
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ToolDone:
    """A tool has been used."""

    call: ToolCall
    failed: bool


Delta = Said | Thought | ToolCall | ToolDone


class Frames(Protocol):
    """Whoever keeps a record of tools with an effect, before and after they are used."""

    async def started(self, call: ToolCall) -> None:
        """Returns once it is safely stored. Raises StorageError."""
        ...

    async def finished(self, call: ToolCall, output: Output) -> None: ...


class Answerer(Protocol):
    """Somebody who answers messages."""

    def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        """Fills the draft, and tells each step as it is made. Closing it stops the reply; what the
        draft holds by then stays.

        Raises ModelError, and StorageError when a tool with an effect cannot be recorded; the
        draft then holds what came before.
        """
        ...
