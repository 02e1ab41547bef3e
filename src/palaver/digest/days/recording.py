"""Recording what was made of a day: its events, each of them written once."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from hashlib import blake2b

from palaver.digest.days.due import Reason
from palaver.digest.days.stories import DayTelling
from palaver.digest.days.telling import DayTold
from palaver.digest.deriving import Derived, Deriving
from palaver.digest.points import as_field
from palaver.errors import KeyReused, Outdated
from palaver.index.day_fold import CLOSED, SUMMARY
from palaver.index.port import Day
from palaver.index.records import Json, StoredSummary
from palaver.index.summary_fold import day_kind
from palaver.index.values import OFFLINE
from palaver.jobs.work import Desk
from palaver.ledger.lines import event

_ATTEMPTS = 5


def lease_of(user: str, conversation_id: str, label: str) -> str:
    """What is held by whoever changes what is told of a day, for a moment."""
    return f"{user} day {conversation_id} {label}"


@dataclass(frozen=True, slots=True)
class DayEntry:
    """What was made of a day, why, and for whom it stands in."""

    telling: DayTelling
    told: DayTold
    reason: Reason
    stands_in_for: str | None = None

    @property
    def kind(self) -> str:
        return day_kind(self.telling.day.label)

    @property
    def derived(self) -> Derived:
        telling, told = self.telling, self.told
        fields: Json = {
            "day": telling.day.label,
            "summary": told.text.text,
            "covers": telling.covers,
            "through": telling.last,
            "sources": [as_field(source) for source in told.text.sources],
            "by": told.by,
            "standsInFor": self.stands_in_for,
            "edited": True if telling.by_hand else None,
            "reason": self.reason,
        }
        return Derived(telling.conversation.id, SUMMARY, fields, self._key, told.read)

    @property
    def _key(self) -> str:
        """The same for whoever makes the same after the same summary; another one when something
        that was read is gone, or something of an earlier day that it was to stand on."""
        telling = self.telling
        after = telling.before.seq if telling.before else -1
        cited = (source.message_id for source in self.told.text.sources)
        ids = blake2b(" ".join((*self.told.read, *cited)).encode(), digest_size=6).hexdigest()
        return f"{telling.day.label}:{telling.covers}:{after}:{self.told.by}:{ids}"

    def is_done(self, newest: StoredSummary | None) -> bool:
        """Whether somebody has made one as good meanwhile."""
        before = self.telling.before
        if newest is None or (before is not None and newest.seq <= before.seq):
            return False
        worse = newest.stands_in and self.told.by != OFFLINE
        return newest.covers >= self.telling.covers and not worse

    def follows(self, newest: StoredSummary | None) -> bool:
        """Whether the summary that it was made after is still the newest."""
        before = self.telling.before
        return (newest.seq if newest else None) == (before.seq if before else None)


class DayRecording:
    """Writes to the days of one user."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._deriving = Deriving(desk.ledger, desk.index, desk.user)

    def hold(self, conversation_id: str, label: str) -> AbstractAsyncContextManager[None]:
        """The lease of a day. Raises StorageFailed."""
        return self._desk.leases.hold(lease_of(self._desk.user, conversation_id, label))

    async def summary(self, entry: DayEntry) -> bool:
        """Stores the summary, unless somebody has; False when it has to be made again, because the
        one it was made after is not the newest any more, or what it stands on has changed.

        Raises StorageError, IndexUnavailable, NotFound.
        """
        async with self.hold(entry.telling.conversation.id, entry.telling.day.label):
            for _ in range(_ATTEMPTS):
                try:
                    return await self._written(entry)
                except Outdated:  # something else was said or changed between two steps
                    continue
        return False

    async def _written(self, entry: DayEntry) -> bool:
        """A lease may be lost. So the ledger is told how long the conversation was when its newest
        summary was looked at: if that is not so any more, nothing is written."""
        name = entry.telling.conversation.id
        seen = await self._desk.index.view(self._desk.user, name, limit=1)
        newest = await self._newest(entry)
        if entry.is_done(newest):
            return True
        if not entry.follows(newest):
            return False

        async def is_done() -> bool:
            return entry.is_done(await self._newest(entry))

        async def always() -> bool:
            return True

        stored = await self._deriving.write(
            entry.derived, is_done=is_done, holds=always, expected={name: seen.version}
        )
        return stored or await is_done()

    async def _newest(self, entry: DayEntry) -> StoredSummary | None:
        asked = (self._desk.user, entry.telling.conversation.id, entry.kind)
        return await self._desk.index.summary(*asked)

    async def closing(self, conversation_id: str, day: Day, last: int) -> None:
        """Notes that all of a day is told. Raises StorageError."""
        key = f"{CLOSED}:{conversation_id}:{day.label}"
        draft = event(conversation_id, CLOSED, day=day.label, through=last, key=key)
        try:
            await self._desk.ledger.append([draft])
        except KeyReused:  # somebody else has, before more was said on that day
            return
