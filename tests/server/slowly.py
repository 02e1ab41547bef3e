"""`palaver` with somebody who answers slowly: it uses a tool, says a word, and may stay there.

`SLOWLY_NOTES` names the folder in which it notes what it does, `SLOWLY_HANG` where it stays: in the
tool, in the text, in the text whoever wants it to end, or in the digests.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

from palaver.agent.answering import Answerer, Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said, ToolCall
from palaver.agent.toolbox import Output
from palaver.cli.entry import main
from palaver.conversation.making import Maker
from palaver.digest.digesting import Digesting
from palaver.server import libraries

CALL = ToolCall("call-1", "pay", {"amount": 5})


class Slow:
    """Pays once, then answers."""

    def __init__(self, notes: Path, hang: str) -> None:
        self._notes = notes
        self.hang = hang.split(",")

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        self.note("asked")
        if not task.earlier:
            await frames.started(CALL)
            self.note("paid")
            await self._stay("tool")
            await frames.finished(CALL, Output("paid", {"paid": 5}))
        draft.model = "slow"
        draft.content = "One, "
        yield Said("One, ")
        self.note("said")
        await self._stay("text")
        draft.content += "two."
        yield Said("two.")

    async def digest(self, conversation_id: str, *, left: bool = False) -> None:
        self.note("digested")
        await asyncio.Event().wait()

    async def _stay(self, where: str) -> None:
        if where in self.hang:
            await asyncio.Event().wait()
        while where == "text" and "for good" in self.hang:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    def note(self, what: str) -> None:
        with (self._notes / what).open("a") as file:
            file.write(".")


def _keep(maker: Maker, answerer: Answerer) -> None:
    """Whoever would answer otherwise does not."""


if __name__ == "__main__":
    slow = Slow(Path(os.environ.pop("SLOWLY_NOTES")), os.environ.pop("SLOWLY_HANG", ""))
    Maker.answerer = property(lambda _: slow, _keep)  # pyright: ignore[reportAttributeAccessIssue]
    libraries.ANSWER_EVERY = 0.1
    if "digests" in slow.hang:
        Digesting.run = slow.digest  # pyright: ignore[reportAttributeAccessIssue]
    main()
