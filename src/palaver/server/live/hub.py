"""The hub: reads once what happens to one user's conversations, and tells it to all their tabs.

What happened is read from the ledger by one reader, encoded once, and handed to everybody who is
seated, which waits for nobody. Positions decide who has heard what: whoever is seated at a position
is told what comes behind it, and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, asynccontextmanager, contextmanager

from palaver.app import Palaver
from palaver.conversation.happenings import Happening
from palaver.conversation.live_reply import LiveReply
from palaver.conversation.steps import ReplyDelta, ReplyFinished, ReplyThinking, Step
from palaver.errors import PalaverError, TooFarBehind
from palaver.server.live.messages import encode
from palaver.server.live.pushes import pushes
from palaver.server.live.retelling import Retelling
from palaver.server.live.seat import Seat
from palaver.server.steps import Trouble
from palaver.server.wire import Frames

PACE = 0.02
"""So many seconds pass between two parts of a reply: what comes meanwhile goes out together."""
AT_ONCE = 8
"""So many tabs of one user are shown conversations at a time; the others wait their turn."""
READ_AT_ONCE = 2
"""So many conversations are read and written down at a time for all users of a node: each takes
time from whatever else it does."""


class Hub:
    """Those who listen to one user's conversations. Belongs to one event loop."""

    def __init__(self, palaver: Palaver, reading: asyncio.Semaphore) -> None:
        self.palaver = palaver
        self.pos = 0
        """Up to here everything was told to those who were seated."""
        self.showing = asyncio.Semaphore(AT_ONCE)
        """Held by whoever is shown much, until they have taken it."""
        self.reading = reading
        self._seats: dict[Seat, None] = {}
        self._retellings: dict[Retelling, None] = {}
        self._work: asyncio.Task[None] | None = None

    @contextmanager
    def seated(self, seat: Seat, pos: int) -> Generator[None]:
        """Tells everything behind `pos` to somebody who has heard all before it; that must not be
        less than the hub has told already."""
        if self._work is None:
            self.pos = pos
            self._work = asyncio.create_task(self._run())
        seat.pos = pos
        self._seats[seat] = None
        self.retell(seat)
        try:
            yield
        finally:
            self._seats.pop(seat, None)

    def retell(self, seat: Seat, conversation_id: str | None = None) -> None:
        """Tells what there is of the replies in the making that somebody follows: of all, or of
        those in one conversation."""
        if seat not in self._seats:  # it is told when they are seated
            return
        for one in self._retellings:
            if seat.follows(one.conversation_id) and conversation_id in (None, one.conversation_id):
                for step in one.steps():
                    seat.wire.push(encode(step))

    async def close(self) -> None:
        """Everybody has left."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait([self._work])

    async def _run(self) -> None:
        """What ends it ends all who are seated; whoever comes next begins anew."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read())
                async with aclosing(self.palaver.replies()) as lives:
                    async for live in lives:
                        group.create_task(self._follow(live))
        except ExceptionGroup as ended:
            self._work = None
            self._unseat(ended.exceptions[0])

    def _unseat(self, reason: Exception) -> None:
        seats, self._seats = self._seats, {}
        for seat in seats:
            seat.end(reason)

    # -- what happened -----------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            try:
                async with aclosing(self.palaver.listen(self.pos)) as steps:
                    async for found in steps:
                        for happening in found.happenings:
                            self._hand_on(happening)
                            await asyncio.sleep(0)  # others have their turn, too
                        self.pos = found.pos
            except TooFarBehind as reason:
                self.pos = await self.palaver.position()
                self._unseat(reason)

    def _hand_on(self, happening: Happening) -> None:
        for frames in pushes(happening):
            for seat in self._seats:
                if seat.pos < happening.pos:
                    seat.wire.push(frames)
        self.pos = happening.pos

    # -- replies in the making ---------------------------------------------------------------

    async def _follow(self, live: LiveReply) -> None:
        retelling = Retelling(live.conversation_id, live.question_id)
        self._retellings[retelling] = None
        try:
            async with aclosing(live.follow()) as steps:
                async for step in steps:
                    await self._tell(retelling, step)
        except Exception as error:  # noqa: BLE001 - whoever made the reply has logged it
            told = Trouble.of(error if isinstance(error, PalaverError) else PalaverError())
            trouble = encode(told, conversationId=live.conversation_id)
            self._push(live.conversation_id, trouble)
        finally:
            del self._retellings[retelling]

    async def _tell(self, retelling: Retelling, step: Step) -> None:
        if not retelling.add(step):
            return
        self._push(retelling.conversation_id, encode(step))
        if isinstance(step, ReplyDelta | ReplyThinking):
            await asyncio.sleep(PACE)
        if isinstance(step, ReplyFinished):
            for one in self._retellings:
                if one.question_id == retelling.question_id:
                    one.end_as(step.turn.id)

    def _push(self, conversation_id: str, frames: Frames) -> None:
        for seat in self._seats:
            if seat.follows(conversation_id):
                seat.wire.push(frames)


class Hubs:
    """The hubs of all users who are connected to this node."""

    def __init__(self) -> None:
        self._hubs: dict[str, tuple[Hub, int]] = {}
        """By user, with how many use it."""
        self._reading = asyncio.Semaphore(READ_AT_ONCE)

    @asynccontextmanager
    async def of(self, palaver: Palaver) -> AsyncGenerator[Hub]:
        """The one of a user, for as long as somebody needs it."""
        hub, used = self._hubs.get(palaver.user) or (Hub(palaver, self._reading), 0)
        self._hubs[palaver.user] = hub, used + 1
        try:
            yield hub
        finally:
            _, used = self._hubs.pop(palaver.user)
            if used > 1:
                self._hubs[palaver.user] = hub, used - 1
            else:
                await hub.close()
