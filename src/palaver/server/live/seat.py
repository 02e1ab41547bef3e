"""A seat: one tab at the hub, what it shows, and how far it has heard."""

from __future__ import annotations

import asyncio

from palaver.server.wire import Slow, Wire

MOST_TALKS = 100


class Seat:
    """One tab."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        wire.on_slow = lambda: self.end(Slow())
        self.pos = 0
        """Everything up to here is known to it."""
        self.shows: str | None = None
        self._talks: dict[str, None] = {}
        """Where it has said something since it was shown another conversation."""
        self._ended: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()

    def show(self, conversation_id: str | None) -> None:
        """Another conversation is shown, or none."""
        self.shows = conversation_id
        self._talks.clear()

    def talk(self, conversation_id: str) -> bool:
        """It wants to hear of a conversation, shown or not. Whether it did not before."""
        if self.follows(conversation_id):
            return False
        self._talks[conversation_id] = None
        if len(self._talks) > MOST_TALKS:
            del self._talks[next(iter(self._talks))]
        return True

    def follows(self, conversation_id: str) -> bool:
        """Whether it hears how replies are made there; one that shows none hears of all."""
        return self.shows in (None, conversation_id) or conversation_id in self._talks

    def end(self, reason: Exception) -> None:
        """It hears nothing more from the hub."""
        if not self._ended.done():
            self._ended.set_result(reason)

    async def over(self) -> None:
        """Waits until it hears nothing more, and raises why."""
        reason = await self._ended
        self._ended = asyncio.get_running_loop().create_future()
        raise reason
