"""Trying a model out: one word, to see whether it answers."""

from __future__ import annotations

import time
from contextlib import aclosing

from palaver.agent.language import Request, Said
from palaver.agent.models.connections import Connections
from palaver.context.packet import ContextPacket
from palaver.context.references import PacketReferences
from palaver.errors import ModelError
from palaver.index.records import Record

_SYSTEM = "Answer with one word."
_QUESTION = "Are you there?"


class ModelProblem(Record):
    """Why a model did not answer."""

    code: str
    message: str
    remedy: str


class ModelTest(Record):
    """What came of trying a model."""

    name: str
    ok: bool
    latency_ms: float | None = None
    """How long it took until its first word; None if none came."""
    problem: ModelProblem | None = None


async def try_out(name: str, connections: Connections, now: str) -> ModelTest:
    """Asks for one word, which costs a few tokens. Raises ModelUnknown."""
    started = time.perf_counter()
    try:
        model = connections.model(name)
        async with aclosing(model.exchange(_request(now)).step()) as pieces:
            async for piece in pieces:
                if isinstance(piece, Said):
                    break
    except ModelError as error:
        problem = ModelProblem(code=error.code, message=error.message, remedy=error.remedy)
        return ModelTest(name=name, ok=False, problem=problem)
    spent = round((time.perf_counter() - started) * 1000, 1)
    return ModelTest(name=name, ok=True, latency_ms=spent)


def _request(now: str) -> Request:
    packet = ContextPacket(
        conversation_id="",
        context_compiled_at=now,
        messages=[{"role": "user", "content": _QUESTION}],
        sections=[],
        tokens=0,
        budget=0,
        truncated_messages=0,
        references=PacketReferences(
            compiled_at=now, tokens=0, budget=0, room=0, truncated_messages=0
        ),
    )
    return Request(_SYSTEM, packet)
