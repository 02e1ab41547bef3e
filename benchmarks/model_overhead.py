"""Models: what we add to a provider's own library, before the request and for each delta."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from benchmarks.result import Result
from palaver.agent.language import Said
from palaver.index.records import Json
from tests.models.asking import NAMES, SEARCH, SECRET, Asker, asking
from tests.models.script import Text
from tests.models.server import Asked, ModelServer

ROUNDS = 60
DELTAS = 400
_SYSTEM = "You are Ada, and you help. " * 150
_MODELS = {"anthropic": "claude-opus-5-5", "openai": "gpt-6-sol"}
_SWITCH = 0.0002
"""The server is a thread of this process: it must not wait long for its turn to hear a request."""
Deltas = Callable[[], AsyncIterator[str]]


@dataclass(slots=True)
class Spent:
    """What one way of asking took, in seconds: one entry for each reply."""

    before: list[float] = field(default_factory=list[float])
    each: list[float] = field(default_factory=list[float])


def run() -> list[Result]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        found = asyncio.run(_measure())
    finally:
        sys.setswitchinterval(usual)
    how = (
        f"{ROUNDS} replies of {DELTAS} deltas to a packet of 40 messages from a server on this "
        "machine, by our adapter and by the provider's library alone, in turns. Before: from "
        "asking until the request has come. A delta: the time of a whole stream, by its deltas."
    )
    result = Result("Models", how, axis="ms")
    for provider, (ours, raw) in found.items():
        _tell(result, provider, ours, raw)
    return [result]


def _tell(result: Result, provider: str, ours: Spent, raw: Spent) -> None:
    before, plain = median(ours.before) * 1000, median(raw.before) * 1000
    result.at_most(f"{provider}: before the request", before, "ms", 15)
    result.note(
        f"{provider}: before the request, p95", quantiles(ours.before, n=20)[18] * 1e3, "ms"
    )
    result.note(f"{provider}: before it with the library alone", plain, "ms")
    result.note(f"{provider}: what we add to that", before - plain, "ms")
    each, bare = median(ours.each) * 1000, median(raw.each) * 1000
    result.at_most(f"{provider}: a delta", each, "ms", 2)
    result.note(f"{provider}: a delta with the library alone", bare, "ms")
    result.note(f"{provider}: a delta, ours to the library's", each / bare, "times")
    result.bars += [(f"{provider} before", before), (f"{provider} delta", each)]


async def _measure() -> dict[str, tuple[Spent, Spent]]:
    found: dict[str, tuple[Spent, Spent]] = {}
    with ModelServer() as server:
        server.otherwise = _reply
        async with asking(server) as models:
            for provider, raw in (("anthropic", _anthropic(server)), ("openai", _openai(server))):
                ours = _ours(models, provider)
                found[provider] = (Spent(), Spent())
                for number in range(ROUNDS + 2):
                    for way, spent in zip((ours, raw), found[provider], strict=True):
                        await _once(server, way, spent if number > 1 else Spent())
    return found


def _reply(_: Asked) -> list[Text]:
    return [Text(*("word " for _ in range(DELTAS)))]


async def _once(server: ModelServer, way: Deltas, spent: Spent) -> None:
    started, heard, first = time.perf_counter(), 0, 0.0
    async for _ in way():
        heard += 1
        first = first or time.perf_counter()
    ended = time.perf_counter()
    assert heard == DELTAS, heard
    spent.before.append(server.asked[-1].at - started)
    spent.each.append((ended - first) / DELTAS)


def _messages() -> list[Json]:
    roles = ("user", "assistant")
    text = "A message of an ordinary length, as people write them. " * 3
    return [{"role": roles[n % 2], "content": f"{n}: {text}"} for n in range(41)]


def _ours(models: Asker, provider: str) -> Deltas:
    async def deltas() -> AsyncIterator[str]:
        exchange = models.exchange(NAMES[provider], _messages(), system=_SYSTEM, tools=[SEARCH])
        async with aclosing(exchange.step()) as pieces:
            async for piece in pieces:
                if isinstance(piece, Said):
                    yield piece.text

    return deltas


def _anthropic(server: ModelServer) -> Deltas:
    client = AsyncAnthropic(api_key=SECRET, base_url=server.anthropic_url, max_retries=0)
    tool: Any = {"name": SEARCH.name, "input_schema": SEARCH.schema}
    sent: Any = _messages()

    async def deltas() -> AsyncIterator[str]:
        stream = await client.beta.messages.create(
            model=_MODELS["anthropic"],
            max_tokens=1000,
            system=_SYSTEM,
            messages=sent,
            tools=[tool],
            stream=True,
        )
        async for event in stream:
            if event.type == "content_block_delta" and event.delta.type == "text_delta":
                yield event.delta.text

    return deltas


def _openai(server: ModelServer) -> Deltas:
    client = AsyncOpenAI(api_key=SECRET, base_url=server.openai_url, max_retries=0)
    tool: Any = {"type": "function", "function": {"name": SEARCH.name, "parameters": SEARCH.schema}}
    sent: Any = [{"role": "system", "content": _SYSTEM}, *_messages()]

    async def deltas() -> AsyncIterator[str]:
        stream = await client.chat.completions.create(
            model=_MODELS["openai"], messages=sent, tools=[tool], stream=True
        )
        async for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                yield chunk.choices[0].delta.content

    return deltas
