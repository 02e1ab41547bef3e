"""Asking a connected model, as the agent does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from palaver.agent.language import Exchange, Piece, Request, Said, Spent, ToolSpec
from palaver.agent.models import Catalogue, Connections, Patience
from palaver.context.packet import ContextPacket
from palaver.context.references import PacketReferences
from palaver.errors import ModelError
from palaver.index.records import Json
from palaver.settings import AgentSettings
from tests.models.server import ModelServer

SECRET = "sk-a1b2c3d4e5"
NAMES = {
    "anthropic": "anthropic:claude-opus-5-5",
    "openai": "openai:gpt-6-sol",
    "local": "local:llama",
}
NOW = "2026-11-16T12:00:00.000Z"
SEARCH = ToolSpec("search", "Finds.", {"type": "object", "properties": {"q": {"type": "string"}}})
HELLO: list[Json] = [{"role": "user", "content": "Hello?"}]


async def no_sleep(_seconds: float) -> None:
    """Nobody waits in a test."""


HASTE = Patience(connect=5, first=20, silence=20, sleep=no_sleep)


def agent_settings(server: ModelServer, **more: Any) -> AgentSettings:
    """All providers at one server, each with a key but the local one."""
    return AgentSettings.model_validate(
        {
            "providers": {
                "anthropic": {"apiKey": SECRET, "baseUrl": server.anthropic_url},
                "openai": {"apiKey": SECRET, "baseUrl": server.openai_url},
                "local": {"baseUrl": server.openai_url},
            },
            **more,
        }
    )


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks the models of some settings."""

    connections: Connections

    def exchange(
        self,
        name: str,
        messages: Sequence[Json] = HELLO,
        *,
        system: str = "You are Ada.",
        tools: Sequence[ToolSpec] = (SEARCH,),
    ) -> Exchange:
        request = Request(system, packet_of(messages), tools)
        return self.connections.model(NAMES.get(name, name)).exchange(request)

    async def hear(self, name: str, messages: Sequence[Json] = HELLO) -> list[Piece]:
        return [piece async for piece in self.exchange(name, messages).step()]


@asynccontextmanager
async def asking(
    server: ModelServer, patience: Patience = HASTE, **more: Any
) -> AsyncGenerator[Asker]:
    settings = agent_settings(server, **more)
    connections = Connections(settings, Catalogue(settings), patience)
    try:
        yield Asker(connections)
    finally:
        await connections.close()


async def until_it_breaks(exchange: Exchange) -> tuple[list[Piece], ModelError | None]:
    """What is said, and why no more."""
    heard: list[Piece] = []
    try:
        async for piece in exchange.step():
            heard.append(piece)  # noqa: PERF401
    except ModelError as error:
        return heard, error
    return heard, None


def packet_of(messages: Sequence[Json]) -> ContextPacket:
    return ContextPacket(
        conversation_id="conv-1",
        context_compiled_at=NOW,
        messages=list(messages),
        sections=[],
        tokens=0,
        budget=0,
        truncated_messages=0,
        references=PacketReferences(
            compiled_at=NOW, tokens=0, budget=0, room=0, truncated_messages=0
        ),
    )


def said(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Said))


def spent(pieces: Sequence[Piece]) -> Spent:
    (found,) = [piece for piece in pieces if isinstance(piece, Spent)]
    assert pieces[-1] is found
    return found
