"""The port of language models: whoever can go on in a conversation, and call tools for it.

The offline assistant is one of them. A connected model is another, behind `agent.models`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from palaver.context.packet import ContextPacket
from palaver.index.records import Json, Record, Source


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens that a model counted."""

    input: int = 0
    """Everything it read, from its cache or not."""
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """Some more of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Some more of what a model thinks before it says anything."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model wants to be used."""

    id: str
    name: str
    input: Json


@dataclass(frozen=True, slots=True)
class Cited:
    """The messages that a reply stands on, from a model that knows them. Each quotation stands in
    its message, word for word."""

    sources: Sequence[Source] = ()


@dataclass(frozen=True, slots=True)
class Spent:
    """What one step cost; the last piece of each."""

    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None when the prices are not known."""
    cut: bool = False
    """Whether the model had to stop before it was done: its reply may not be longer."""


Piece = Said | Thought | ToolCall | Cited | Spent


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it."""

    name: str
    description: str
    schema: Json


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave, as a model reads it."""

    call: ToolCall
    content: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked to go on with."""

    system: str
    packet: ContextPacket
    """Its `messages` are the conversation, in the form of OpenAI's API."""
    tools: Sequence[ToolSpec] = ()


class Exchange(Protocol):
    """One reply in the making: a step for each time the model speaks."""

    def step(self, results: Sequence[ToolResult] = ()) -> AsyncGenerator[Piece]:
        """What the model says next, as it comes, given the results of all tools that it called in
        the step before. It ends with `Spent`, exactly once. Closing it stops the model.

        Raises ModelError.
        """
        ...


class LanguageModel(Protocol):
    """A model that is ready to be asked."""

    @property
    def name(self) -> str:
        """As replies record it."""
        ...

    def exchange(self, request: Request) -> Exchange: ...


class ModelInfo(Record):
    """A model that can be chosen."""

    name: str
    """As `/model` takes it."""
    model: str
    """As its provider calls it."""
    provider: str
    connected: bool
    """Whether everything is set that it needs."""
    window: int
    """How many tokens it takes."""
    input_price: float | None = None
    output_price: float | None = None
    """US dollars for a million tokens."""
    kind: Literal["offline", "connected"] = "connected"


class Models(Protocol):
    """The models there are."""

    def choose(self, name: str | None) -> LanguageModel:
        """The model of that name; without one, the usual model. Raises ModelUnknown,
        ModelNotConnected."""
        ...

    def info(self, name: str | None) -> ModelInfo:
        """What is known of it, without connecting to anything. Raises ModelUnknown."""
        ...

    def list(self) -> Sequence[ModelInfo]:
        """All that can be chosen, the usual one first."""
        ...
