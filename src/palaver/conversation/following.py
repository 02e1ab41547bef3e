"""What follows a reply: what is to be remembered at once is stored, the state of the conversation
is kept, older turns are summarized, and the day is told again when much was said.

It never keeps anybody waiting. What fails stays due: it is done after the next reply.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from palaver.digest.states import States
from palaver.digest.summarizing import Look, Summarizing
from palaver.errors import NotFound, PalaverError

log = logging.getLogger(__name__)
_PAUSE = 0.2
"""So many seconds after a reply begins what follows it: the next message goes first."""


class FollowUp:
    """Does what follows replies, for one conversation at a time."""

    def __init__(
        self,
        states: States,
        summaries: Sequence[Summarizing],
        done: Callable[[], None] = lambda: None,
        day: Callable[[str], Awaitable[None]] | None = None,
        learn: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """`done` is called after each: something may be due then. `day` looks whether the newest
        day of a conversation is to be told again. `learn` never fails."""
        self._learn = learn
        self._done = done
        self._day = day
        self._states = states
        self._summaries = summaries
        self._waiting: dict[str, None] = {}
        self._asked: set[str] = set()
        """The conversations whose context was asked for, by somebody with a model of their own."""
        self._task: asyncio.Task[None] | None = None
        self._at_once = asyncio.Event()
        """Somebody waits for all of it."""

    def after(self, conversation_id: str) -> None:
        """Returns at once."""
        self._waiting[conversation_id] = None
        if self._task is None or self._task.done():
            self._at_once.clear()
            self._task = asyncio.create_task(self._run())

    def asked(self, conversation_id: str) -> None:
        """Somebody was given the context of a conversation, and may reply in it."""
        self._asked.add(conversation_id)

    def replied(self, conversation_id: str) -> None:
        """A reply was stored that was not made here. It is followed up if its context was asked
        for here: otherwise somebody brings a history in, and should not be slowed down."""
        if conversation_id in self._asked:
            self._asked.discard(conversation_id)
            self.after(conversation_id)

    async def settle(self) -> None:
        """Returns when all of it is done; whoever waits here is not kept waiting."""
        if self._task is not None:
            self._at_once.set()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        """Replies may come fast: what follows several of them is done once."""
        while self._waiting:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._at_once.wait(), _PAUSE)
            for _ in range(len(self._waiting)):  # whoever is replied to meanwhile, after a pause
                conversation_id = next(iter(self._waiting))
                del self._waiting[conversation_id]
                await self._follow(conversation_id)

    async def _follow(self, conversation_id: str) -> None:
        try:
            await _all(self._learned(conversation_id), self._tell(conversation_id))
        except NotFound:  # it was deleted meanwhile
            return
        except PalaverError as error:
            log.warning("follow_up_failed %s", error.code)
        self._done()

    async def _learned(self, conversation_id: str) -> None:
        if self._learn is not None:
            await self._learn(conversation_id)

    async def _tell(self, conversation_id: str) -> None:
        """The state first: summaries are made from it."""
        await self._states.keep(conversation_id)
        await _all(self._summarize(conversation_id), self._look_at_day(conversation_id))

    async def _summarize(self, conversation_id: str) -> None:
        """All of them go by one look, as long as none has written anything."""
        look: Look | None = None
        for one in self._summaries:
            look = look or await one.look(conversation_id)
            if await one.run_if_due(conversation_id, look):
                look = None

    async def _look_at_day(self, conversation_id: str) -> None:
        if self._day is not None:
            await self._day(conversation_id)


async def _all(*work: Awaitable[None]) -> None:
    """Returns when all of it has ended; raises what failed first."""
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if outcome is not None:
            raise outcome
