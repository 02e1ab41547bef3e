"""A model that says what a test wrote down for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from palaver.agent.language import Exchange, Piece, Request, Spent, ToolResult
from palaver.errors import ModelError

Step = Sequence[Piece | ModelError]


@dataclass(slots=True)
class Scripted:
    """Says one step after the other, the last one again and again, and remembers what it read."""

    steps: Sequence[Step]
    name: str = "scripted"
    requests: list[Request] = field(default_factory=list[Request])
    results: list[list[ToolResult]] = field(default_factory=list[list[ToolResult]])
    closed: int = 0
    """How many of its steps were ended, by itself or by whoever listened."""

    def exchange(self, request: Request) -> Exchange:
        self.requests.append(request)
        return _Exchange(self)


@dataclass(slots=True)
class _Exchange:
    model: Scripted
    number: int = 0

    async def step(self, results: Sequence[ToolResult] = ()) -> AsyncGenerator[Piece]:
        self.model.results.append(list(results))
        pieces = self.model.steps[min(self.number, len(self.model.steps) - 1)]
        self.number += 1
        try:
            for piece in pieces:
                if isinstance(piece, ModelError):
                    raise piece
                yield piece
            if not any(isinstance(piece, Spent) for piece in pieces):
                yield Spent()
        finally:
            self.model.closed += 1
