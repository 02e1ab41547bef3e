"""A continuous conversation to test in, in files and in a database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.context.tokens import EstimatedTokens
from palaver.conversation.records import NewMessage
from palaver.digest.days.summaries import DayMakers, DaySummaries
from palaver.index.port import Day, Owed
from palaver.jobs.work import Desk
from palaver.ledger.lines import Line, event
from palaver.telemetry import Logged
from tests.digest.days.makers import PlainDays
from tests.library import Clock

Telling = Callable[..., DaySummaries]


@dataclass
class Diary:
    """The continuous conversation, and who lives with it."""

    palaver: Palaver
    clock: Clock
    name: str

    @property
    def desk(self) -> Desk:
        engine = self.palaver._engine  # pyright: ignore[reportPrivateUsage]
        return Desk(self.palaver.user, engine.ledger, engine.index, engine.leases)

    def at(self, label: str, hour: float = 9) -> None:
        """It is that hour of that day."""
        self.clock.now = datetime.fromisoformat(label).replace(tzinfo=UTC) + timedelta(hours=hour)

    async def say(self, *texts: str) -> None:
        """User and assistant take turns; each round is stored by itself."""
        roles = ("user", "assistant")
        for start in range(0, len(texts), 2):
            told = zip(roles, texts[start : start + 2], strict=False)
            said = [NewMessage(role=role, content=text) for role, text in told]
            await self.palaver.append_many(self.name, said)

    async def live(self, label: str, *texts: str) -> None:
        self.at(label)
        await self.say(*texts)

    async def day(self, label: str) -> Day:
        found = await self.desk.index.day(self.palaver.user, self.name, label)
        assert found is not None
        return found

    async def text(self, label: str) -> str:
        summary = (await self.day(label)).summary
        return summary.text if summary else ""

    async def standing(self) -> Owed:
        return await self.desk.index.standing(self.palaver.user, self.name)

    async def events(self, name: str, label: str | None = None) -> list[Line]:
        lines = await self.palaver.lines(self.name)
        found = [line for line in lines if line.event == name]
        return [line for line in found if label in (None, line.data["day"])]

    async def edit(self, label: str, text: str, **fields: Any) -> None:
        """The owner writes."""
        day = await self.day(label)
        covers, through = (day.summary.covers, day.summary.through) if day.summary else (-1, 0)
        sources = [one.to_json() for one in day.summary.sources] if day.summary else []
        given = {"covers": covers, "through": through, "sources": sources, **fields}
        named = {"day": label, "by": "user", "edited": True, "reason": "hand"}
        await self.desk.ledger.append(
            [event(self.name, "day_summary", summary=text, **named, **given)]
        )


@pytest.fixture
async def diary(palaver: Palaver, clock: Clock) -> Diary:
    return Diary(palaver, clock, (await palaver.continuous.ensure()).id)


@pytest.fixture
def telling(diary: Diary) -> Telling:
    """Whoever tells days, with some makers."""

    def made(
        offline: Any = None, model: PlainDays | None = None, desk: Desk | None = None
    ) -> DaySummaries:
        name = model.by if model else "offline"
        return DaySummaries(
            desk or diary.desk,
            DayMakers(offline or PlainDays(), model, name),
            count=EstimatedTokens().count,
            clock=diary.clock,
            idle_after=timedelta(minutes=10),
            every=10,
            telemetry=Logged(),
        )

    return made
