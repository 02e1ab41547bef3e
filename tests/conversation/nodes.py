"""Two nodes on one database, in one process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from palaver.app import Palaver
from palaver.conversation.live_reply import LiveReply
from palaver.conversation.steps import MessageAccepted, ReplyDelta, Step
from palaver.settings import Settings
from tests.library import Clock
from tests.postgres.databases import looking

SOON = 20.0


@dataclass
class Nodes:
    """One makes replies, the other follows them."""

    here: Palaver
    there: Palaver
    url: str

    async def begin(self, text: str = "Hello") -> str:
        """Has a message answered here; its conversation."""
        steps = self.here.stream(text, new=True, detached=True)
        async with aclosing(steps):
            accepted = await anext(steps)
        assert isinstance(accepted, MessageAccepted)
        return accepted.message.conversation_id

    def left(self) -> list[tuple[Any, ...]]:
        """What there is in the tables."""
        with psycopg.connect(looking(self.url)) as connection:
            return connection.execute(
                "SELECT r.id, p.part FROM palaver.replies AS r "
                "LEFT JOIN palaver.reply_parts AS p ON p.reply = r.id"
            ).fetchall()

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(SOON):
            while not await asyncio.to_thread(condition):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)

    async def until_empty(self) -> None:
        await self.until(lambda: not self.left())


def opened(home: Path, url: str) -> Palaver:
    settings = Settings.load(home, database__url=url)
    return Palaver.open(settings=settings, clock=Clock(), index_vectors=False, digests=False)


@asynccontextmanager
async def first_reply(palaver: Palaver) -> AsyncGenerator[Awaitable[LiveReply]]:
    """The first reply that is told from now on."""
    async with aclosing(palaver.replies()) as lives:
        coming = asyncio.ensure_future(asyncio.wait_for(anext(lives), SOON))
        await asyncio.sleep(0)
        yield coming
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)


async def steps_of(live: LiveReply) -> list[Step]:
    async with asyncio.timeout(SOON), aclosing(live.follow()) as steps:
        return [step async for step in steps]


def check_text(steps: list[Step]) -> str:
    """The text, every piece of which begins where the one before ended."""
    text = ""
    for step in steps:
        if isinstance(step, ReplyDelta):
            assert step.offset == len(text)
            text += step.text
    return text


def nothing(*_: object) -> None:
    """Instead of something that should be done."""
