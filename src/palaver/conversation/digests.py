"""Digests: conversations that are quiet are read for what is worth remembering, and told in fewer
words, and so are days that are over, by whoever runs jobs.

What is due is read from the rows. Whoever leaves a conversation last has it digested at once; if
that fails, or the process ends before, it is due like any other once it has been quiet.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Generator, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from palaver.agent.models import Catalogue
from palaver.conversation.learning import safely
from palaver.conversation.workbench import Bench, Terms, Workbench
from palaver.conversation.workshop import Workshop
from palaver.digest.due import NAMED_AFTER, is_quiet, not_yet
from palaver.digest.remembered import Remembered
from palaver.errors import ModelError, NotFound, PalaverError
from palaver.index.port import After, Owed, OwedFilter
from palaver.index.values import EPOCH, OFFLINE
from palaver.jobs import DIGEST
from palaver.jobs.kind import Due, Ended, Kind, Run
from palaver.jobs.work import Desk, Site, all_owed
from palaver.settings import Settings
from palaver.telemetry import Telemetry
from palaver.times import Clock, before, iso

if TYPE_CHECKING:
    from palaver.digest.days.due import Reason
    from palaver.memory.reading import Reading

_LAG = 60.0
"""What was said so many seconds before the ledger took it belongs to a history that somebody
brings in."""
_SHORTEST, _LONGEST = timedelta(minutes=5), timedelta(hours=6)
_GLANCE = 0.2
"""So often it is looked whether the work is to end, in seconds."""
_ASIDE, _PATIENCE = 0.02, 25
"""So long a digest waits for replies that are being made, in seconds, and so many times at most."""
_LEARNING = "learning"
_EVER = "9999-12-31T23:59:59.999Z"

log = logging.getLogger(__name__)


class DigestWork:
    """Brings digests to an engine."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._workshop = Workshop(self._leave)
        self._workbench: Workbench | None = None
        self._site: Site | None = None
        self._left: set[Future[None]] = set()
        self._mended = Remembered[int]()
        """The last line of conversations whose days have lost summaries that cannot be made again:
        nothing is left of what they told."""
        self._first: set[Callable[[], bool]] = set()
        """Each tells whether somebody waits for something that goes first."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DigestWork) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash((self._terms.settings.home, self._terms.clock))

    def kinds(self, site: Site) -> Iterator[Kind]:
        self._site = site
        due, run = partial(self._due, site), partial(self._run, site)
        yield Kind(DIGEST, DIGEST, due, run, pause=pause, of=due)

    def left(self, user: str, conversation_id: str) -> None:
        """Nobody looks at the conversation any more. Returns at once; safe to call from any
        thread."""
        if self._site is not None:
            self._begin(conversation_id, self._digest(self._site, user, conversation_id, left=True))

    def day(self, user: str, conversation_id: str, label: str, reason: Reason) -> None:
        """Has the summary of one day made. Returns at once; safe to call from any thread."""
        if self._site is not None:
            self._begin(
                conversation_id, self._day(self._site, user, conversation_id, label, reason)
            )

    def learn(self, user: str, conversation_id: str) -> None:
        """Has a conversation read on that goes on, if that is still due. Returns at once; safe to
        call from any thread."""
        if self._site is not None:
            self._begin(conversation_id, self._learn_meanwhile(self._site, user, conversation_id))

    def _begin(self, conversation_id: str, making: Coroutine[Any, Any, None]) -> None:
        work = self._workshop.run(making)
        self._left.add(work)
        work.add_done_callback(partial(self._ended, conversation_id))

    @contextmanager
    def giving_way(self, waits: Callable[[], bool]) -> Generator[None]:
        """No digest is begun while `waits` says that somebody waits for a reply; for long it does
        not keep any from being made. It may be called from any thread."""
        self._first.add(waits)
        try:
            yield
        finally:
            self._first.discard(waits)

    async def settle(self) -> None:
        """Returns when the conversations that were left are digested, and the days told that
        somebody asked for."""
        waiting = [asyncio.wrap_future(work) for work in tuple(self._left)]
        await asyncio.gather(*waiting, return_exceptions=True)

    def close(self) -> None:
        self._site = None  # whoever leaves a conversation now is too late
        self._workshop.close()

    # -- what is due -------------------------------------------------------------------------

    def _due(self, site: Site, user: str | None = None) -> Iterator[Due]:
        """Names go first for which somebody waits, then what was never told, then what only stands
        in for what a model makes."""
        listed: set[str] = set()
        for wanted, after in self._wanted():
            for one in all_owed(site, wanted, user, after):
                conversation_id = one.owed.conversation.id
                if conversation_id not in listed and not self._is_mended(one.owed):
                    listed.add(conversation_id)
                    yield Due(one.owner, one.user, _mark(one.owed), conversation_id)

    def _wanted(self) -> Iterator[tuple[OwedFilter, After | None]]:
        now = self._terms.clock()
        quiet_since, later = before(now, self._terms.idle_after), After(not_yet(now), "")
        # Only what was heard since is looked through for it: of the others there may be thousands.
        yield OwedFilter(EPOCH, NAMED_AFTER, _LAG, stand_ins=False), After(quiet_since, "")
        every = self._terms.settings.continuous.summary_every
        for stand_ins in (False, True) if self._terms.by_model else (False,):
            days = "" if stand_ins else iso(now)
            yield OwedFilter(quiet_since, NAMED_AFTER, _LAG, stand_ins, days, every), None
            yield OwedFilter(_EVER, NAMED_AFTER, _LAG, stand_ins), later

    # -- doing it ----------------------------------------------------------------------------

    def _run(self, site: Site, due: Due, run: Run) -> None:
        work = self._workshop.run(self._digest(site, due.user, due.key))
        try:
            while not wait([work], _GLANCE).done:
                run.pause()
            work.result()
        except CancelledError:
            raise Ended from None
        finally:
            work.cancel()

    async def _digest(
        self, site: Site, user: str, conversation_id: str, *, left: bool = False
    ) -> None:
        await self._step_aside()
        desk = site.desk(user)
        with suppress(NotFound):  # it was deleted meanwhile
            owed = await desk.index.standing(user, conversation_id)
            if owed.conversation.mode == "continuous":
                await self._learn(desk, conversation_id)
                await self._tell_days(desk, conversation_id)
                return
            if left or is_quiet(owed.heard, self._terms.clock(), self._terms.idle_after):
                await self._learn(desk, conversation_id)
            digesting = self._opened().digesting(desk)
            async with desk.leases.hold(f"{user} {DIGEST} {conversation_id}"):
                await digesting.run(conversation_id, left=left)

    async def _learn(self, desk: Desk, conversation_id: str) -> None:
        """Reads a conversation for what is worth remembering, before it is told: as long as it is
        not, this is due, too. What fails here is no reason not to tell it."""
        async with desk.leases.hold(f"{desk.user} {_LEARNING} {conversation_id}"):
            await safely(conversation_id, self._opened().reading(desk).read_on)

    async def _learn_meanwhile(self, site: Site, user: str, conversation_id: str) -> None:
        await self._step_aside()
        desk = site.desk(user)
        async with desk.leases.hold(f"{user} {_LEARNING} {conversation_id}"):
            await safely(conversation_id, partial(self._read_if_due, self._opened().reading(desk)))

    async def _read_if_due(self, reading: Reading, conversation_id: str) -> None:
        """Somebody may have read it while this one waited."""
        if await reading.is_due(conversation_id):
            await reading.read_on(conversation_id)

    async def _tell_days(self, desk: Desk, conversation_id: str) -> None:
        before = await _length(desk, conversation_id)
        await self._opened().days(desk).run(conversation_id)
        now = await desk.index.standing(desk.user, conversation_id)
        # Something may have been erased while it was told: then it is told again.
        if now.is_stale and await _length(desk, conversation_id) == before:
            self._mended.put(conversation_id, now.heard_seq)

    def _is_mended(self, owed: Owed) -> bool:
        """Whether only a summary is missing that cannot be made again."""
        every, now = self._terms.settings.continuous.summary_every, iso(self._terms.clock())
        due = owed.untold >= every or (owed.day_until is not None and owed.day_until <= now)
        known = self._mended.get(owed.conversation.id) == owed.heard_seq
        return owed.is_stale and known and not due

    async def _day(
        self, site: Site, user: str, conversation_id: str, label: str, reason: Reason
    ) -> None:
        await self._step_aside()
        with suppress(NotFound):
            await self._opened().days(site.desk(user)).make(conversation_id, label, reason)

    async def _step_aside(self) -> None:
        """However many replies are made, it goes on after a while."""
        for _ in range(_PATIENCE):
            if not any(waits() for waits in tuple(self._first)):
                return
            await asyncio.sleep(_ASIDE)

    def _opened(self) -> Workbench:
        """In the workshop."""
        if self._workbench is None:
            self._workbench = Workbench(self._terms)
        return self._workbench

    async def _leave(self) -> None:
        """In the workshop, before it ends."""
        workbench, self._workbench = self._workbench, None
        if workbench is not None:
            await workbench.close()

    def _ended(self, conversation_id: str, work: Future[None]) -> None:
        self._left.discard(work)
        error = None if work.cancelled() else work.exception()
        match error:
            case None | ModelError():  # that is told already
                pass
            case PalaverError():
                log.warning("digest_failed %s %s: %s", conversation_id, error.code, error.message)
            case _:
                log.error("A digest of %s failed.", conversation_id, exc_info=error)


async def _length(desk: Desk, conversation_id: str) -> int:
    """How long the stream of a conversation is: it grows with whatever happens to it."""
    return (await desk.index.view(desk.user, conversation_id, limit=1)).version


def _mark(owed: Owed) -> str:
    """Changes when there is more to do."""
    day = owed.over[0] if owed.over else ""
    return f"{owed.heard_seq} {day} {int(owed.is_stale)}" if owed.day else str(owed.heard_seq)


def pause(attempts: int) -> timedelta:
    """How long a digest waits that has failed so often: five minutes, twice as long each time, and
    at most six hours."""
    return min(_SHORTEST * 2 ** min(attempts - 1, 16), _LONGEST)


def digests_of(settings: Settings, clock: Clock, telemetry: Telemetry) -> DigestWork:
    """The digests that the settings ask for. Raises BadSetting."""
    catalogue = Catalogue(settings.agent)
    by_model = catalogue.digest_model(settings.index.abbreviation_model) != OFFLINE
    return DigestWork(Terms(settings, clock, telemetry, partial(_bench, settings, clock), by_model))


def _bench(settings: Settings, clock: Clock) -> Bench:
    """The makers are imported when there is something to make: most commands make nothing."""
    from palaver.conversation.bench import SetBench

    return SetBench(settings, clock)
