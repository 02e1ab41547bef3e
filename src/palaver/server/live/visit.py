"""A visit: somebody looks at their conversations, and hears at once what becomes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from palaver.conversation.streams import WEB
from palaver.errors import NotFound, PalaverError, TooFarBehind
from palaver.server.guests import Stay
from palaver.server.limits import Limits
from palaver.server.live.hub import Hub
from palaver.server.live.messages import ConversationList, Resync
from palaver.server.live.pushes import pushes
from palaver.server.live.requests import NOTHING, Requests
from palaver.server.live.socket import Socket
from palaver.server.wire import Left, Slow


class Visit:
    """One socket, from the first message to the last."""

    def __init__(self, socket: Socket, hub: Hub, stay: Stay, limits: Limits) -> None:
        self._socket = socket
        self._hub = hub
        self._palaver = hub.palaver
        self._stay = stay
        self._requests = Requests(socket, hub, stay.principal, limits)

    async def run(self, wanted: str | None, after: int | None) -> None:
        """Returns when it is over, for whatever reason; raises what is our own mistake."""
        self._requests.look_at(wanted)
        try:
            await _first_to_end(self._listen(after), self._requests.answer(), self._stay.over())
        except (Left, Slow, PalaverError) as reason:
            await self._socket.close(reason)
        except Exception as mistake:
            await self._socket.close(mistake)
            raise
        finally:
            self._requests.look_at(None)

    async def _listen(self, after: int | None) -> None:
        """Everything that happens, from `after` on; without it, from now on."""
        async with self._requests.turn:
            await self._choose()
            pos = await self._palaver.position() if after is None else after
            await self._welcome(pos)
        while True:
            try:
                if after is not None:
                    pos = await self._catch_up(pos)
                await self._follow(pos)
            except TooFarBehind:
                pos = after = await self._begin_anew()

    async def _catch_up(self, pos: int) -> int:
        """Tells what the ledger holds behind `pos`, no faster than it is taken, and at least what
        the hub has told by then. Returns how far that is. Raises TooFarBehind."""
        while True:
            found = await self._palaver.changes(pos)
            for happening in found.happenings:
                for frames in pushes(happening):
                    await self._socket.wire.say(frames)
            pos = found.pos
            if pos >= self._hub.pos and not found.more:
                return pos

    async def _follow(self, pos: int) -> None:
        """What the hub tells from `pos` on. Raises why it tells nothing more."""
        if pos < self._hub.pos:
            pos = await self._catch_up(pos)
        with self._hub.seated(self._requests.seat, pos):
            await self._requests.seat.over()

    async def _begin_anew(self) -> int:
        async with self._requests.turn:
            position = await self._palaver.position()
            await self._socket.say(Resync(), eventId=position)
            await self._welcome(position)
            return position

    async def _choose(self) -> None:
        """Looks at the latest conversation of the web, unless one was named."""
        if self._requests.current is None:
            latest = await self._palaver.conversations(channel=WEB, limit=1)
            self._requests.look_at(next((one.id for one in latest.conversations), None))

    async def _welcome(self, pos: int) -> None:
        """What there is now. Whoever goes on from `pos` misses nothing."""
        shown = False
        if self._requests.current is not None:
            with suppress(NotFound):  # it was erased in the meantime
                await self._requests.load(self._requests.current, eventId=pos)
                shown = True
        if not shown:
            await self._socket.say(NOTHING, eventId=pos)
        page = await self._palaver.conversations()
        listed = ConversationList(conversations=page.conversations, next_cursor=page.next_cursor)
        await self._socket.say(listed, eventId=pos)


async def _first_to_end(*work: Coroutine[Any, Any, None]) -> None:
    """Does all of it until one ends; then the others are broken off."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()
