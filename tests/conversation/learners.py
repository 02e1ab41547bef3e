"""A home or a database whose conversations are read for what is worth remembering.

Run as `python -m tests.conversation.learners FOLDER URL CONVERSATION` (`-` for no database), it
reads one, and is killed between what it stores and the note that it has.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from palaver.app import Palaver
from palaver.conversation.bench import SetBench
from palaver.conversation.digests import DigestWork
from palaver.conversation.records import NewMessage
from palaver.conversation.workbench import Terms
from palaver.engines.background import Background
from palaver.engines.embedded import EmbeddedEngine
from palaver.engines.postgres import PostgresEngine
from palaver.jobs.pace import Pace
from palaver.ledger.files import Home
from palaver.ledger.lines import Line
from palaver.memory.reading import Reading
from palaver.settings import Settings
from palaver.telemetry import Logged
from tests.jobs.homes import Still
from tests.jobs.worker import QUICK

_SLOW = Pace(look=60, start=0.01, grace=0.01)
"""Nobody looks for what is due unless a test wants it, or something wakes them."""
EXTRACTED = "memories_extracted"


@dataclass
class World:
    """Where it is kept, and what time it is."""

    folder: Path
    url: str | None
    clock: Still = field(default_factory=Still)
    more: dict[str, Any] = field(default_factory=dict[str, Any])
    """Other settings."""

    @property
    def settings(self) -> Settings:
        given = {"user__timezone": "UTC", "database__url": self.url, **self.more}
        return Settings.load(self.folder, **given)

    def open(self, *, digests: bool = True) -> Palaver:
        settings = self.settings
        bench = partial(SetBench, settings, self.clock)
        by_model = settings.index.abbreviation_model is not None
        work = [DigestWork(Terms(settings, self.clock, Logged(), bench, by_model))]
        work = work if digests else []
        if self.url is None:
            home = Home(self.folder)
            engine = EmbeddedEngine(home, "local", None, self.clock, work=work, pace=_SLOW)
        else:
            background = Background(clock=self.clock, pace=QUICK)
            engine = PostgresEngine(self.url, "local", None, self.clock, background, work=work)
        return Palaver(settings, "local", self.clock, engine)


async def told(palaver: Palaver) -> list[str]:
    """What is remembered, in alphabetical order, whatever state it is in."""
    return sorted(one.content for one in await palaver.memories.every())


async def read_to(palaver: Palaver, conversation_id: str) -> list[int]:
    """How far a conversation was read, each time it was."""
    lines: Sequence[Line] = await palaver.lines(conversation_id)
    return [line.data["through"] for line in lines if line.event == EXTRACTED]


async def bring_in(palaver: Palaver, conversation_id: str, *texts: str, when: str) -> None:
    """Some turns of a history, as somebody brings it in who has it from elsewhere."""
    for text in texts:
        said = NewMessage(role="user", content=text, timestamp=when)
        answer = NewMessage(role="assistant", content="I see.", timestamp=when)
        await palaver.append_many(conversation_id, [said, answer])


async def _read_and_die(world: World, conversation_id: str) -> None:
    async def killed(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(Reading, "_note", killed)  # noqa: B010
    async with world.open(digests=False) as palaver:
        await palaver.memories.extract(conversation_id)


if __name__ == "__main__":
    folder, database, name = sys.argv[1:]
    asyncio.run(_read_and_die(World(Path(folder), None if database == "-" else database), name))
