"""The relay of a database: parts travel through tables, and what to do about them by asides.

A node writes the replies of a user only while another node says that it wants them. Nobody is
asked when a reply begins: every node tells the others whom it follows, and knows what they told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from secrets import token_hex

from palaver.events.local import Hints, LocalEvents
from palaver.events.parts import Parts
from palaver.events.port import Hint
from palaver.events.postgres import Aside, PostgresEvents
from palaver.events.relay import Making, Shown, Stop
from palaver.events.stopping import Asking, Stops
from palaver.events.wants import Wants
from palaver.postgres import Pool


class NodeRelay:
    """What the relays of a node share. Thread-safe."""

    def __init__(self, pool: Pool, events: PostgresEvents) -> None:
        self._node = token_hex(8)
        self._events = events
        self._wants = Wants()
        self.parts = Parts(pool, self._node, self._tell_moved, self._tell_wants)
        self.stops = Stops(
            lambda user, conversation, request: events.tell(("stop", user, conversation, request)),
            lambda request: events.tell(("stopped", request)),
        )
        self._comings = LocalEvents()
        """Somebody elsewhere wants the replies of a user."""
        self._moves = LocalEvents()
        """There is more of a reply of a user."""
        events.attend(self)

    def of(self, user: str, owner: int) -> PostgresRelay:
        return PostgresRelay(self, user, owner)

    def close(self) -> None:
        """Returns when nothing is left of what has ended."""
        self.parts.close()

    async def wanted(self, user: str) -> None:
        self._events.wake()
        with self._comings.listen(user) as heard:
            while not self._wants.is_wanted(user):
                await heard.next()

    @contextmanager
    def follow(self, user: str) -> Generator[Hints]:
        self.parts.start()
        with self._moves.listen(user) as heard:
            if self._wants.take(user):
                self._events.tell(("wants", self._node, user))
            try:
                yield heard
            finally:
                if self._wants.give(user):
                    self._events.tell(("left", self._node, user))

    # -- in the thread of the events ---------------------------------------------------------

    def connected(self) -> None:
        self._events.tell(("who",))
        self._tell_wants()
        self._moves.miss()

    def hear(self, aside: Aside) -> None:
        match aside:
            case ("moved", user):
                self._moves.publish(Hint(user, 0))
            case ("wants", node, user):
                self._wants.hear(node, user)
                self._comings.publish(Hint(user, 0))
            case ("left", node, user):
                self._wants.leave(node, user)
            case ("who",):
                self._tell_wants()
            case ("stop", user, conversation_id, request):
                self.stops.hear(user, conversation_id, request)
            case ("stopped", request):
                self.stops.hear_answer(request)
            case _:  # a newer node says it
                pass

    def _tell_wants(self) -> None:
        if users := self._wants.ours():
            self._events.tell(*(("wants", self._node, user) for user in users))

    def _tell_moved(self, users: Iterable[str]) -> None:
        self._events.tell(*(("moved", user) for user in users))


class PostgresRelay:
    """The Relay of one user."""

    def __init__(self, node: NodeRelay, user: str, owner: int) -> None:
        self._node = node
        self._user = user
        self._owner = owner

    async def wanted(self) -> None:
        await self._node.wanted(self._user)

    def publish(self, making: Making, part: str, *, anew: bool = False) -> None:
        self._node.parts.add(self._owner, self._user, making, part, anew=anew)

    def end(self, making: Making) -> None:
        self._node.parts.end(making)

    def obey(self, stop: Stop) -> AbstractContextManager[None]:
        return self._node.stops.obey(self._user, stop)

    def follow(self) -> AbstractContextManager[Hints]:
        return self._node.follow(self._user)

    async def look(self, seen: Mapping[str, int]) -> Sequence[Shown]:
        return await asyncio.to_thread(self._node.parts.look, self._owner, seen)

    def ask_to_stop(self, conversation_id: str) -> AbstractContextManager[Asking]:
        return self._node.stops.ask(self._user, conversation_id)
