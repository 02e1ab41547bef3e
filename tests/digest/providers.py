"""A model's provider with good days and bad ones, and a library that has it digest."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from palaver.agent.models import Patience
from palaver.app import Palaver
from palaver.conversation.bench import SetBench
from palaver.conversation.digests import DigestWork
from palaver.conversation.workbench import Terms
from palaver.engines.background import Background
from palaver.engines.embedded import EmbeddedEngine
from palaver.engines.postgres import PostgresEngine
from palaver.jobs import Job
from palaver.jobs.pace import Pace
from palaver.ledger.files import Home
from palaver.ledger.lines import Line
from palaver.settings import Settings
from palaver.telemetry import Logged
from palaver.times import parse
from tests.digest.dialogue import talk
from tests.jobs.homes import Still
from tests.jobs.worker import QUICK
from tests.models.asking import NAMES, SECRET
from tests.models.script import Disconnect, Hold, Status, Step, Text
from tests.models.server import Asked, ModelServer

Mood = Callable[[Asked], Sequence[Step]]
PATIENCE = 0.25
"""Whoever digests waits so long for a model, in seconds."""
HOURS = timedelta(hours=6)
"""What failed is tried again after five minutes, twice as long each time, and this at most."""
ATTEMPTS = 10
"""So often one conversation is tried in a day: at once, and after 5, 15, 35, 75, 155, 315, 635,
995 and 1,355 minutes."""
REQUESTS = 2
"""So many an attempt takes at most: one, and one to mend what does not hold."""
AT_ONCE = 4
"""So many attempts may be made before a model is left alone that only fails: three of them in a
row, and what was begun before the third had failed."""
PROBES = 53
"""Then one after each rest: after 1, 3, 7, 15 and 31 minutes, and every 30 from then on."""
_SAID = re.compile(r"^\[(\d+)\] (?:user|assistant), .*\n> (.*)$", re.MULTILINE)
_NONSENSE = "I am sorry, I would rather talk about the weather."


# -- the provider --------------------------------------------------------------------------------


def well(asked: Asked) -> Sequence[Step]:
    """An answer in which nothing is wrong: what was said, word for word."""
    said = _SAID.findall(_read(asked.body))
    if not said:  # it is to say what is worth remembering, and of pumps that is nothing
        return [Text(json.dumps({"memories": []}))]
    points = [{"text": text, "messages": [int(n)], "quote": text} for n, text in said]
    title = " ".join(said[0][1].split()[:4]).title()
    name = {"title": title, "topics": ["water-pumps"], "messages": [int(said[0][0])]}
    return [Text(json.dumps({"points": points, **name}))]


def silent(asked: Asked) -> Sequence[Step]:
    return [Hold()]


def nonsense(asked: Asked) -> Sequence[Step]:
    return [Text(_NONSENSE)]


def moody(share: float, seed: int) -> Mood:
    """Fails that often, in every way there is."""
    chance = random.Random(seed)
    ways: Sequence[Mood] = (
        lambda asked: [Status(500)],
        lambda asked: [Status(429, "rate_limit_error")],
        lambda asked: [Text('{"points": [{"te'), Disconnect()],
        nonsense,
        silent,
    )

    def answer(asked: Asked) -> Sequence[Step]:
        return chance.choice(ways)(asked) if chance.random() < share else well(asked)

    return answer


def _read(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


# -- the library ---------------------------------------------------------------------------------


@dataclass
class World:
    """A home or a database whose conversations a model digests."""

    folder: Path
    url: str | None
    server: ModelServer
    wire: str = "anthropic"
    patience: float = PATIENCE
    clock: Still = field(default_factory=Still)

    @property
    def many(self) -> int:
        """How many conversations there are: a job takes longer in a database."""
        return 30 if self.url is None else 15

    def open(self) -> Palaver:
        settings = self._settings()
        patience = Patience(first=self.patience, whole=self.patience, pauses=())
        terms = Terms(
            settings,
            self.clock,
            Logged(),
            lambda: SetBench(settings, self.clock, patience),
            by_model=True,
        )
        return Palaver(settings, "local", self.clock, self._engine(DigestWork(terms)))

    @property
    def model(self) -> str:
        return NAMES[self.wire].partition(":")[2]

    def _settings(self) -> Settings:
        return Settings.load(
            self.folder,
            user__timezone="UTC",
            database__url=self.url,
            agent__providers__anthropic__api_key=SECRET,
            agent__providers__anthropic__base_url=self.server.anthropic_url,
            agent__providers__openai__api_key=SECRET,
            agent__providers__openai__base_url=self.server.openai_url,
            index__abbreviation_model=NAMES[self.wire],
        )

    def _engine(self, work: DigestWork) -> EmbeddedEngine | PostgresEngine:
        if self.url is None:
            pace = Pace(look=60, start=0.01, grace=0.01)
            return EmbeddedEngine(
                Home(self.folder), "local", None, self.clock, work=[work], pace=pace
            )
        background = Background(clock=self.clock, pace=QUICK)
        return PostgresEngine(self.url, "local", None, self.clock, background, work=[work])


async def conversations(palaver: Palaver, count: int) -> list[str]:
    """So many short ones, each about something else."""
    return [await talk(palaver, *_about(number)) for number in range(1, count + 1)]


def _about(number: int) -> tuple[str, ...]:
    return (
        f"Pump {number} of the waterworks leaks at valve K-{number}.",
        "The seal of that valve is probably worn out.",
        f"We decided to order the seal S-{number} from Weber.",
        "Good. It takes ten minutes to change.",
    )


async def untold(palaver: Palaver, names: Sequence[str]) -> list[str]:
    """Those that have no title, or no abbreviation."""
    found = [await palaver.conversation(name) for name in names]
    return [one.id for one in found if not (one.title and one.abbreviation)]


async def told_by(palaver: Palaver, conversation_id: str, event: str = "abbreviation") -> list[str]:
    """Who told a conversation, one after the other."""
    lines: Sequence[Line] = await palaver.lines(conversation_id)
    return [line.data["by"] for line in lines if line.event == event]


async def wait_for_time(palaver: Palaver, clock: Still, until: datetime) -> None:
    """Lets time pass until then, and has done whatever becomes due meanwhile."""
    while True:
        await palaver.settle()
        jobs = await palaver.jobs()
        if any(job.state == "running" for job in jobs):  # the queue hears a moment later of its end
            continue
        soonest = min((_after(job) for job in jobs), default=until)
        if soonest >= until:
            break
        clock.now = soonest
    clock.now = until
    await palaver.settle()


def _after(job: Job) -> datetime:
    assert job.state == "failed", job
    assert job.after, job
    return parse(job.after) + timedelta(milliseconds=1)
