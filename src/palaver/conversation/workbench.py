"""The workbench: who makes the digests of each user, kept for those who were served last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from palaver.context.tokens import EstimatedTokens
from palaver.digest.remembered import Remembered
from palaver.jobs.work import Desk
from palaver.settings import Settings
from palaver.telemetry import Telemetry
from palaver.times import Clock

if TYPE_CHECKING:
    from palaver.digest.days.summaries import DayMakers, DaySummaries
    from palaver.digest.digesting import Digesting, Makers
    from palaver.memory.extracting import Extractors
    from palaver.memory.reading import Reading

_USERS = 64


class Bench(Protocol):
    """What makers work with. It belongs to the event loop in which it was made."""

    def makers(self, desk: Desk) -> Makers:
        """Those for the conversations of one user."""
        ...

    def days(self, desk: Desk) -> DayMakers:
        """Those for the days of one user."""
        ...

    def extractors(self) -> Extractors:
        """Who finds what is worth remembering, for everybody."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Terms:
    """What digests go by. Two are equal that are made from the same settings and clock."""

    settings: Settings
    clock: Clock
    telemetry: Telemetry = field(compare=False)
    bench: Callable[[], Bench] = field(compare=False)
    by_model: bool
    """Whether a model makes them: then it makes again what was made without it."""

    @property
    def idle_after(self) -> timedelta:
        return self.settings.conversations.idle_after


class Workbench:
    """Who digests for each user. It belongs to the event loop in which it was made, and imports
    what it needs when there is something to make: most programs make nothing."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._bench = terms.bench()
        self._digesting = Remembered["Digesting"](_USERS)
        self._days = Remembered["DaySummaries"](_USERS)
        self._reading = Remembered["Reading"](_USERS)

    def digesting(self, desk: Desk) -> Digesting:
        """Who tells the conversations of a user."""
        return self._digesting.known(desk.user, lambda: self._make_digesting(desk))

    def days(self, desk: Desk) -> DaySummaries:
        """Who tells the days of a user."""
        return self._days.known(desk.user, lambda: self._make_days(desk))

    def reading(self, desk: Desk) -> Reading:
        """Who reads the conversations of a user for what is worth remembering."""
        return self._reading.known(desk.user, lambda: self._make_reading(desk))

    async def close(self) -> None:
        await self._bench.close()

    def _make_digesting(self, desk: Desk) -> Digesting:
        from palaver.digest.digesting import Digesting

        return Digesting(
            desk,
            self._bench.makers(desk),
            count=EstimatedTokens().count,
            clock=self._terms.clock,
            idle_after=self._terms.idle_after,
            telemetry=self._terms.telemetry,
        )

    def _make_days(self, desk: Desk) -> DaySummaries:
        from palaver.digest.days.summaries import DaySummaries

        return DaySummaries(
            desk,
            self._bench.days(desk),
            count=EstimatedTokens().count,
            clock=self._terms.clock,
            idle_after=self._terms.idle_after,
            every=self._terms.settings.continuous.summary_every,
            telemetry=self._terms.telemetry,
        )

    def _make_reading(self, desk: Desk) -> Reading:
        from palaver.conversation.learned import Readers, gate_of
        from palaver.memory.keeping import Keeping

        terms = self._terms
        keeping = Keeping(desk.ledger, desk.index, desk.user)
        gate = gate_of(keeping, terms.settings.memory)
        readers = Readers(terms.settings.memory, terms.clock, terms.telemetry)
        return readers.reading(keeping, gate, self._bench.extractors())
