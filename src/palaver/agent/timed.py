"""Timed steps: how long a model takes to begin and to end, told to telemetry."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

from palaver.agent.language import Piece, Said, Spent, Thought, Usage
from palaver.errors import ModelError
from palaver.telemetry import ModelAnswered, Outcome, Telemetry


class Timed:
    """One step of a model."""

    def __init__(self, telemetry: Telemetry, conversation_id: str, model: str) -> None:
        self._telemetry = telemetry
        self._conversation_id = conversation_id
        self._model = model
        self._began = time.perf_counter()
        self._first: float | None = None
        self._deltas = 0
        self._usage = Usage()

    async def step(self, pieces: AsyncGenerator[Piece]) -> AsyncGenerator[Piece]:
        """The same pieces."""
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    self._note(piece)
                    yield piece
        except (GeneratorExit, asyncio.CancelledError):
            self._tell("interrupted")
            raise
        except ModelError as error:
            self._tell("failed", error.code)
            raise
        self._tell("complete")

    def _note(self, piece: Piece) -> None:
        if isinstance(piece, Said | Thought):
            self._first = self._first or self._elapsed
            self._deltas += 1
        elif isinstance(piece, Spent):
            self._usage = piece.usage

    @property
    def _elapsed(self) -> float:
        return time.perf_counter() - self._began

    def _tell(self, outcome: Outcome, code: str | None = None) -> None:
        self._telemetry.tell(
            ModelAnswered(
                self._conversation_id,
                self._model,
                outcome,
                seconds=self._elapsed,
                first_delta_seconds=self._first,
                deltas=self._deltas,
                input_tokens=self._usage.input,
                output_tokens=self._usage.output,
                error_code=code,
            )
        )
