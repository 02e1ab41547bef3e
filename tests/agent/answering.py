"""What tests of the agent share: an agent beside a library, and a record of what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from palaver.agent.answering import Delta, Frame, ReplyDraft, Task
from palaver.agent.language import LanguageModel, ModelInfo, ToolCall
from palaver.agent.loop import Agent
from palaver.agent.offline import OfflineModel
from palaver.agent.prompt import SystemPrompt
from palaver.agent.toolbox import Caller, Output, Tool
from palaver.agent.tools.making import recall_tools
from palaver.agent.tools.past import Openings, Past
from palaver.app import Palaver
from palaver.index.records import Message
from tests.library import Clock

RECALL = frozenset({"recall"})


@dataclass(frozen=True, slots=True)
class OneModel:
    """The models there are: one."""

    model: LanguageModel

    def choose(self, name: str | None) -> LanguageModel:
        return self.model

    def info(self, name: str | None) -> ModelInfo:
        return ModelInfo(
            name=self.model.name, model="", provider="", connected=True, window=100_000
        )

    def list(self) -> Sequence[ModelInfo]:
        return [self.info(None)]


@dataclass(slots=True)
class Notes:
    """Keeps a record of tools with an effect."""

    started_calls: list[ToolCall] = field(default_factory=list[ToolCall])
    finished_calls: list[tuple[ToolCall, Output]] = field(
        default_factory=list[tuple[ToolCall, Output]]
    )

    async def started(self, call: ToolCall) -> None:
        self.started_calls.append(call)

    async def finished(self, call: ToolCall, output: Output) -> None:
        self.finished_calls.append((call, output))


@dataclass(slots=True)
class Desk:
    """Sends messages to an agent, and stores its replies as a conversation does."""

    palaver: Palaver
    model: LanguageModel
    tools: Sequence[Tool] = ()
    scopes: frozenset[str] = RECALL
    main: bool = True
    notes: Notes = field(default_factory=Notes)
    deltas: list[Delta] = field(default_factory=list[Delta])
    clock: Clock = field(default_factory=Clock)

    async def send(
        self, text: str, conversation_id: str | None = None, *, earlier: Sequence[Frame] = ()
    ) -> Message:
        """The reply to `text`, in a new conversation unless one is named."""
        where = conversation_id or (await self.palaver.start()).id
        question = await self.palaver.append(where, "user", text)
        draft = await self.draft(question, earlier)
        return await self.palaver.append(
            where,
            "assistant",
            draft.content,
            model=draft.model,
            tool_calls=draft.tool_calls or None,
            sources=draft.sources or None,
        )

    async def draft(self, question: Message, earlier: Sequence[Frame] = ()) -> ReplyDraft:
        draft = ReplyDraft()
        async for delta in self.agent().answer(
            await self.task(question, earlier), draft, self.notes
        ):
            self.deltas.append(delta)
        return draft

    def agent(self) -> Agent:
        prompt = SystemPrompt(name="Palaver", zone=self.palaver.zone, clock=self.clock)
        return Agent(OneModel(self.model), self.tools, prompt)

    async def task(self, question: Message, earlier: Sequence[Frame] = ()) -> Task:
        packet = await self.palaver.context(question.conversation_id)
        caller = Caller(question.conversation_id, self.scopes, self.main)
        return Task(question, packet, None, caller, earlier)


def offline(palaver: Palaver, clock: Clock, openings: Openings | None = None) -> Desk:
    """A desk at which the offline assistant sits."""
    zone = palaver.zone
    return Desk(
        palaver,
        OfflineModel(name=palaver.settings.agent.name, zone=zone, clock=clock),
        recall_tools(Past(palaver, zone), openings),
        clock=clock,
    )
