"""Digesting: a conversation that is quiet is told in fewer words, and named.

What is due is seen from how the conversation stands, whoever asks and however often. When a model
fails, what can be made without it stands in for what is not there yet; a digest that a model has
made stays. Either way the work is still due, and whoever asked for it hears why it failed.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import timedelta

from palaver.digest.condensing import Count
from palaver.digest.deriving import Deriving
from palaver.digest.due import is_quiet, wanted_of
from palaver.digest.port import Digest, Want
from palaver.digest.recording import Entry, Recording
from palaver.digest.states import Folding, States, in_a_thread
from palaver.digest.statuses import Statuses
from palaver.digest.stories import Stories, Telling
from palaver.digest.telling import Teller
from palaver.errors import DigestUnusable, ModelError
from palaver.index.port import Owed
from palaver.index.values import OFFLINE
from palaver.jobs.work import Desk
from palaver.telemetry import Digested, Telemetry
from palaver.times import Clock

log = logging.getLogger(__name__)
_TITLE: frozenset[Want] = frozenset({"title"})


@dataclass(frozen=True, slots=True)
class Makers:
    """Who says it in fewer words."""

    offline: Digest
    model: Digest | None = None
    """Goes first, if there is one."""
    name: str = OFFLINE
    """What the model is called."""
    fold: Folding = in_a_thread
    """Who tells where a conversation stands."""


class Digesting:
    """Digests one user's conversations. Use it from one event loop."""

    def __init__(
        self,
        desk: Desk,
        makers: Makers,
        *,
        count: Count,
        clock: Clock,
        idle_after: timedelta,
        telemetry: Telemetry,
    ) -> None:
        self._index = desk.index
        self._user = desk.user
        self._makers = makers
        self._clock = clock
        self._idle_after = idle_after
        self._telemetry = telemetry
        states = States(desk.index, desk.user, Statuses(clock, idle_after), makers.fold)
        self._stories = Stories(desk.index, desk.user, states)
        self._teller = Teller(self._stories, count)
        deriving = Deriving(desk.ledger, desk.index, desk.user)
        self._recording = Recording(deriving, desk.index, desk.user)

    async def run(self, conversation_id: str, *, left: bool = False) -> None:
        """Makes what the conversation is owed now; nothing, if that is nothing. With `left`, nobody
        looks at it any more, which is as good as quiet.

        Raises NotFound, IndexUnavailable, StorageError; ModelError when the model fails, and what
        there is is worse than it could be.
        """
        owed = await self._index.standing(self._user, conversation_id)
        wanted = self._wanted(owed, left=left)
        if not wanted:
            return
        await self._make(owed, wanted)
        await self._check(owed, wanted, left=left)

    def _wanted(self, owed: Owed, *, left: bool) -> frozenset[Want]:
        quiet = left or is_quiet(owed.heard, self._clock(), self._idle_after)
        return wanted_of(owed, quiet=quiet, model=self._makers.model is not None)

    async def _check(self, owed: Owed, made: frozenset[Want], *, left: bool) -> None:
        """Raises DigestUnusable when what was made is still wanted, though nothing was said since:
        it would be made again at once, and again."""
        now = await self._index.standing(self._user, owed.conversation.id)
        if now.heard_seq == owed.heard_seq and made & self._wanted(now, left=left):
            raise DigestUnusable("What was made of it was not stored, or does not hold any more.")

    async def _make(self, owed: Owed, wanted: frozenset[Want]) -> None:
        telling = await self._stories.telling(owed)
        if self._makers.model is None:
            await self._tell(telling, wanted, self._makers.offline)
            return
        began = time.perf_counter()
        try:
            await self._tell(telling, wanted, self._makers.model)
        except ModelError as error:
            log.warning(
                "digest_failed %s %s: %s", telling.conversation_id, error.code, error.message
            )
            self._fails(telling.conversation_id, wanted, error, time.perf_counter() - began)
            await self._stand_in(telling, wanted)
            raise

    async def _stand_in(self, telling: Telling, wanted: frozenset[Want]) -> None:
        """Makes without the model what is not there, or was made without it before."""
        owed, before = telling.owed, telling.before
        untold = owed.heard_seq > owed.abbreviated_seq and (not before or before.by == OFFLINE)
        there: set[Want] = set() if untold else {"abbreviation"}
        if owed.conversation.title is not None:
            there.add("title")
        if lacking := wanted - there:
            await self._tell(telling, lacking, self._makers.offline, self._makers.name)

    async def _tell(
        self,
        telling: Telling,
        wanted: frozenset[Want],
        maker: Digest,
        stands_in_for: str | None = None,
    ) -> None:
        """The title goes first: as long as the abbreviation is not written, all of it is due."""
        asked = wanted
        if "abbreviation" in wanted and await self._stories.has_other_topics(telling):
            asked = wanted | _TITLE
        began = time.perf_counter()
        told = await self._teller.tell(telling, asked, maker)
        entry = Entry(telling, told, stands_in_for)
        if told.made.naming and "title" in wanted:
            await self._recording.title(entry, told.made.naming)
        elif told.made.naming and "title" in asked:
            await self._recording.topics(entry, told.made.naming)
        if told.made.abbreviation and "abbreviation" in wanted:
            await self._recording.abbreviation(entry)
        self._tell_of(entry, wanted, time.perf_counter() - began)

    def _tell_of(self, entry: Entry, wanted: frozenset[Want], seconds: float) -> None:
        spent = entry.told.made.spent
        for what in sorted(wanted):
            event = Digested(
                entry.telling.conversation_id,
                what,
                entry.by,
                "stood_in" if entry.stands_in_for else "kept",
                seconds,
                input_tokens=int(spent.get("input", 0)),
                output_tokens=int(spent.get("output", 0)),
                cost=spent.get("cost"),
            )
            self._telemetry.tell(event)
            spent = {}  # they were made together, and it was paid once

    def _fails(
        self, conversation_id: str, wanted: frozenset[Want], error: ModelError, seconds: float
    ) -> None:
        outcome = "refused" if isinstance(error, DigestUnusable) else "failed"
        for what in sorted(wanted):
            name = self._makers.name
            event = Digested(conversation_id, what, name, outcome, seconds, error_code=error.code)
            self._telemetry.tell(event)
