"""The relay: how soon a piece of a reply shows on another node, and what sharing replies costs."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from statistics import quantiles

from benchmarks.result import Result
from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said
from palaver.app import Palaver
from palaver.conversation.steps import ReplyDelta
from tests.conversation.nodes import Nodes, first_reply, opened
from tests.conversation.scripted import Scripted, answer_by
from tests.postgres.server import Server

PIECES = 200
APART = 0.025
REPLIES, ROUNDS = 20, 3


def run() -> list[Result]:
    server = Server()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return [asyncio.run(_measure(Path(folder), server.url))]
    finally:
        server.remove()


async def _measure(folder: Path, url: str) -> Result:
    how = (
        f"Two nodes on one PostgreSQL, in one process. A reply of {PIECES} pieces, one in "
        f"{APART * 1000:g} ms, each from when it is said until it is read: where it is made, and "
        f"on the other node. Then {ROUNDS} times {REPLIES} short replies while nobody, and as many "
        f"while somebody follows them on the other node."
    )
    result = Result("Replies on another node", how, axis="ms from saying to reading")
    async with AsyncExitStack() as stack:
        here, there = [
            await stack.enter_async_context(opened(folder / name, url)) for name in ("a", "b")
        ]
        near, far = await _delays(here, there, url)
        for name, delays in (("same node", near), ("other node", far)):
            cuts = quantiles(delays, n=20)
            result.note(f"p50 {name}", cuts[9] * 1000, "ms")
            result.note(f"p95 {name}", cuts[18] * 1000, "ms")
            result.bars += [(f"p50 {name}", cuts[9] * 1000), (f"p95 {name}", cuts[18] * 1000)]
        answer_by(here, Scripted(["An answer of an ordinary length, as assistants give them."]))
        await _spent(here)  # the first ones open connections
        alone = shared = 0.0
        for _ in range(ROUNDS):
            alone += await _spent(here)
            async with first_reply(there):
                shared += await _spent(here)
        result.note("ms a reply, nobody follows elsewhere", 1000 * alone / REPLIES / ROUNDS, "ms")
        result.note("times that while somebody follows elsewhere", shared / alone, "")
    return result


class Ticking:
    """Says when it says it, again and again."""

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        for _ in range(PIECES):
            piece = f"{time.perf_counter():.6f} "
            draft.content += piece
            yield Said(piece)
            await asyncio.sleep(APART)


async def _delays(here: Palaver, there: Palaver, url: str) -> list[list[float]]:
    answer_by(here, Ticking())
    reading = [asyncio.create_task(_read(one)) for one in (here, there)]
    await asyncio.sleep(0.5)
    await Nodes(here, there, url).begin()
    return await asyncio.gather(*reading)


async def _read(palaver: Palaver) -> list[float]:
    """How old each piece is when it is read."""
    delays: list[float] = []
    async with first_reply(palaver) as coming, aclosing((await coming).follow()) as steps:
        async for step in steps:
            now = time.perf_counter()
            if isinstance(step, ReplyDelta):
                delays += [now - float(said) for said in step.text.split()]
    return delays


async def _spent(palaver: Palaver) -> float:
    began = time.perf_counter()
    for number in range(REPLIES):
        await palaver.send(f"Message {number}", new=number == 0)
    return time.perf_counter() - began
