"""Whoever answers while the page is watched: what was asked, and then piece by piece."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said


@dataclass(frozen=True, slots=True)
class Paced:
    """Says the pieces, so many seconds apart. The first one tells whose reply it is."""

    pieces: Sequence[str]
    apart: float

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        draft.model = "paced"
        for piece in (first_piece(task.question.content), *self.pieces):
            draft.content += piece
            yield Said(piece)
            await asyncio.sleep(self.apart)


def first_piece(question: str) -> str:
    return f"So you say: {question} "
