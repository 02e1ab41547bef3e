"""The summaries of days: made when they are due, and days that are over are closed.

What is due is seen from how the conversation stands, whoever asks and however often. Nothing is
locked while a maker is at work: what it has made is stored only if the summary that it was made
after is still the newest one. So coverage never falls, no words of the owner are lost, and two who
make the same summary write it once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from palaver.digest.condensing import Count
from palaver.digest.days.due import Reason
from palaver.digest.days.endings import Endings
from palaver.digest.days.port import DayMaker
from palaver.digest.days.recording import DayEntry, DayRecording
from palaver.digest.days.stories import DayStories, DayTelling, heard
from palaver.digest.days.telling import DayTold, told_by
from palaver.digest.states import Folding, States, in_a_thread
from palaver.digest.statuses import Statuses
from palaver.errors import DigestUnusable, ModelError, NotFound
from palaver.index.port import Day, Owed
from palaver.index.values import OFFLINE
from palaver.jobs.work import Desk
from palaver.telemetry import Digested, Telemetry
from palaver.times import Clock, iso

T = TypeVar("T")

log = logging.getLogger(__name__)
_ATTEMPTS = 5
_LOST = 50
"""So many days are looked for at a time that have lost their summary."""
_SURELY = timedelta(days=2)
"""So long after it began a day is over, wherever its owner is."""


@dataclass(frozen=True, slots=True)
class DayMakers:
    """Who tells of days."""

    offline: DayMaker
    model: DayMaker | None = None
    """Goes first, if there is one."""
    name: str = OFFLINE
    """What the model is called."""
    fold: Folding = in_a_thread
    """Who tells where a conversation stands."""


class _Tries:
    """One after the other, also after a model has failed."""

    def __init__(self) -> None:
        self._failed: ModelError | None = None

    async def wait_for(self, work: Awaitable[T]) -> T | None:
        """What it gives; None when it failed."""
        try:
            return await work
        except ModelError as error:
            self._failed = self._failed or error
            return None

    def check(self) -> None:
        """Raises what failed first."""
        if self._failed is not None:
            raise self._failed


class DaySummaries:
    """Tells the days of one user's continuous conversation. Use it from one event loop."""

    def __init__(
        self,
        desk: Desk,
        makers: DayMakers,
        *,
        count: Count,
        clock: Clock,
        idle_after: timedelta,
        every: int,
        telemetry: Telemetry,
    ) -> None:
        """With `every` so many messages there is another summary of the newest day."""
        self._index = desk.index
        self._user = desk.user
        self._makers = makers
        self._count = count
        self._clock = clock
        self._every = every
        self._telemetry = telemetry
        states = States(desk.index, desk.user, Statuses(clock, idle_after), makers.fold)
        endings = Endings(desk.index, desk.user, states, makers.fold)
        self._stories = DayStories(desk.index, desk.user, endings)
        self._recording = DayRecording(desk)
        self._turns = dict[str, asyncio.Lock]()
        """In this process, one at a time tells of a conversation."""

    async def run(self, conversation_id: str) -> None:
        """Makes right whatever days need it, the oldest first: those that are over, those that have
        lost their summary, and the newest, if much was said on it.

        Raises NotFound, IndexUnavailable, StorageError; ModelError when the model fails, and what
        there is is worse than it could be: that is still due.
        """
        async with self._turn(conversation_id):
            began, tries = await self._standing(conversation_id), _Tries()
            await self._end_days(conversation_id, tries)
            await self._mend(conversation_id, began, tries)
            owed = await self._standing(conversation_id)
            if owed.day is not None and owed.untold >= self._every:
                await tries.wait_for(self._make(conversation_id, owed.day, "messages"))
            tries.check()
            await self._check(began)

    async def make(self, conversation_id: str, label: str, reason: Reason) -> None:
        """Makes the summary of one day; for "asked" also when the one there is tells of all of it.

        Raises NotFound when there is no such day, IndexUnavailable, StorageError, ModelError.
        """
        async with self._turn(conversation_id):
            if reason != "messages" or await self._is_full(conversation_id):
                await self._make(conversation_id, label, reason)

    async def _is_full(self, conversation_id: str) -> bool:
        """Whether much was said on the newest day since it was told: it may be told by now."""
        return (await self._standing(conversation_id)).untold >= self._every

    def _turn(self, conversation_id: str) -> asyncio.Lock:
        return self._turns.setdefault(conversation_id, asyncio.Lock())

    async def _standing(self, conversation_id: str) -> Owed:
        return await self._index.standing(self._user, conversation_id)

    async def _check(self, began: Owed) -> None:
        """Raises DigestUnusable when something is still due, though nothing was said since: it
        would be made again at once, and again."""
        now = await self._standing(began.conversation.id)
        due = now.untold >= self._every or self._over(now, set()) is not None
        if now.heard_seq == began.heard_seq and due:
            raise DigestUnusable(
                "What was made of a day was not stored, or does not hold any more."
            )

    # -- days that are over ------------------------------------------------------------------

    async def _end_days(self, conversation_id: str, tries: _Tries) -> None:
        tried: set[str] = set()
        while label := self._over(await self._standing(conversation_id), tried):
            tried.add(label)
            await tries.wait_for(self._end(conversation_id, label))

    def _over(self, owed: Owed, tried: set[str]) -> str | None:
        """The first day that is over and was not tried. Of the very first one it is known when it
        is over; a later one is over when there is one after it, or two days have passed."""
        now = self._clock()
        for number, label in enumerate(owed.over):
            known = number == 0 and owed.day_until is not None and owed.day_until <= iso(now)
            after = number > 0 and owed.over[0] in tried and _is_past(label, owed, now.date())
            if label not in tried and (known or after):
                return label
        return None

    async def _end(self, conversation_id: str, label: str) -> None:
        """Makes its last summary, if there is not one that tells of all of it; then it is closed.
        The day before may have gone on after that: then it is told again."""
        for before in await self._index.days(self._user, conversation_id, before=label, limit=1):
            if before.closed and not await self._is_covered(conversation_id, before):
                await self._make(conversation_id, before.label, "night")
        await self._make(conversation_id, label, "night")
        async with self._recording.hold(conversation_id, label):
            day = await self._index.day(self._user, conversation_id, label)
            if day and not day.closed and await self._is_covered(conversation_id, day):
                await self._recording.closing(
                    conversation_id, day, await self._last(day, conversation_id)
                )

    async def _last(self, day: Day, conversation_id: str) -> int:
        if day.last_turn is not None:
            return day.last_turn
        return (await self._index.conversation(self._user, conversation_id)).turn_count

    async def _is_covered(self, conversation_id: str, day: Day) -> bool:
        last = await self._last(day, conversation_id)
        said = heard(await self._stories.said(conversation_id, day, last))
        return said <= (day.summary.covers if day.summary else -1)

    # -- days that have lost their summary ---------------------------------------------------

    async def _mend(self, conversation_id: str, began: Owed, tries: _Tries) -> None:
        """Tells again what was told, and is not any more: something that it stood on was erased. An
        earlier summary may have come to light again, which tells of less. A day that was told may
        have lost its summary again while the next was: then it is told once more."""
        given_up: set[str] = set()
        while lost := await self._lost(conversation_id, began, given_up):
            for label in lost:
                if not await tries.wait_for(self._make(conversation_id, label, "night")):
                    given_up.add(label)

    async def _lost(self, conversation_id: str, began: Owed, given_up: set[str]) -> list[str]:
        """Days of which something is not told that can be, the oldest first. One that
        is not over yet is among them only if it had a summary before."""
        unclosed = (await self._standing(conversation_id)).over
        asked = (self._user, conversation_id)
        found = await self._index.untold_days(*asked, limit=_LOST + len(given_up) + len(unclosed))
        labels = [day.label for day in found if day.label not in unclosed]
        if began.is_stale and began.day is not None:
            newest = await self._index.day(*asked, began.day)
            labels += [newest.label] if newest and not newest.summary and newest.messages else []
        return [label for label in labels if label not in given_up]

    # -- one day -----------------------------------------------------------------------------

    async def _make(self, conversation_id: str, label: str, reason: Reason) -> bool:
        """Whether it was told; False when there is nothing to tell."""
        for _ in range(_ATTEMPTS):
            async with self._recording.hold(conversation_id, label):
                telling = await self._stories.telling(
                    conversation_id, label, anew=reason == "asked"
                )
            if telling is None:
                raise NotFound(f"There is no day {label}.")
            if not self._is_wanted(telling, reason):
                return False
            if await self._told(telling, reason):
                return True
        raise DigestUnusable("The day was changed again and again while it was told.")

    def _is_wanted(self, telling: DayTelling, reason: Reason) -> bool:
        if telling.heard < 0:  # nobody spoke
            return False
        if not telling.is_covered:
            return True
        if telling.stays:  # there is nothing to add to what the owner wrote
            return False
        stands_in = telling.before is not None and telling.before.stands_in
        return reason == "asked" or (stands_in and self._makers.model is not None)

    async def _told(self, telling: DayTelling, reason: Reason) -> bool:
        """Whether it is stored; False when it has to be made again."""
        if self._makers.model is None:
            return await self._tell(telling, reason, self._makers.offline)
        began = time.perf_counter()
        try:
            return await self._tell(telling, reason, self._makers.model)
        except ModelError as error:
            name = telling.conversation.id
            log.warning("day_summary_failed %s %s: %s", name, error.code, error.message)
            self._fails(name, error, time.perf_counter() - began)
            if _may_stand_in(telling):
                offline = self._makers.offline
                await self._tell(telling, reason, offline, self._makers.name)
            raise

    async def _tell(
        self,
        telling: DayTelling,
        reason: Reason,
        maker: DayMaker,
        stands_in_for: str | None = None,
    ) -> bool:
        began = time.perf_counter()
        told = await told_by(maker, telling, self._count)
        entry = DayEntry(telling, told, reason, stands_in_for)
        stored = await self._recording.summary(entry)
        if stored:
            self._tell_of(telling.conversation.id, told, stands_in_for, time.perf_counter() - began)
        return stored

    # -- telemetry ---------------------------------------------------------------------------

    def _tell_of(
        self, conversation_id: str, told: DayTold, stands_in_for: str | None, seconds: float
    ) -> None:
        event = Digested(
            conversation_id,
            "day_summary",
            told.by,
            "stood_in" if stands_in_for else "kept",
            seconds,
            input_tokens=int(told.spent.get("input", 0)),
            output_tokens=int(told.spent.get("output", 0)),
            cost=told.spent.get("cost"),
        )
        self._telemetry.tell(event)

    def _fails(self, conversation_id: str, error: ModelError, seconds: float) -> None:
        outcome = "refused" if isinstance(error, DigestUnusable) else "failed"
        name = self._makers.name
        event = Digested(
            conversation_id, "day_summary", name, outcome, seconds, error_code=error.code
        )
        self._telemetry.tell(event)


def _may_stand_in(telling: DayTelling) -> bool:
    """What a model has made stays, also when more has been said since."""
    before = telling.before
    return not telling.is_covered and (before is None or before.by == OFFLINE or before.by_hand)


def _is_past(label: str, owed: Owed, today: date) -> bool:
    return label != owed.day or today >= date.fromisoformat(label) + _SURELY
