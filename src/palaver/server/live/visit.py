"""A visit: somebody looks at their conversations, and hears at once what becomes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing, suppress
from typing import Any

from palaver.accounts import Principal
from palaver.app import Palaver
from palaver.conversation.replies import LiveReply
from palaver.conversation.streams import WEB
from palaver.errors import NotFound, PalaverError, StorageError, TooFarBehind
from palaver.server.live.pushes import pushes
from palaver.server.live.requests import Requests
from palaver.server.live.socket import Left, Slow, Socket
from palaver.server.steps import name_of, trouble

LOOK_AGAIN = 10.0
"""After so many seconds the credentials are looked at again: they may have been revoked."""


class Visit:
    """One socket, from the first message to the last."""

    def __init__(
        self,
        socket: Socket,
        palaver: Palaver,
        principal: Principal,
        admit: Callable[[], Awaitable[Principal]],
    ) -> None:
        """`admit` looks at the credentials again."""
        self._socket = socket
        self._palaver = palaver
        self._admit = admit
        self._requests = Requests(socket, palaver, principal)

    async def run(self, wanted: str | None, after: int | None) -> None:
        """Returns when it is over, for whatever reason; raises what is our own mistake."""
        self._requests.look_at(wanted)
        try:
            await _first_to_end(
                self._push(after), self._tell(), self._requests.answer(), self._keep_looking()
            )
        except (Left, Slow, PalaverError) as reason:
            await self._socket.close(reason)
        except Exception as mistake:
            await self._socket.close(mistake)
            raise
        finally:
            self._requests.look_at(None)

    async def _push(self, after: int | None) -> None:
        """Everything that happens, from `after` on; without it, from now on."""
        after = await self._welcome(after)
        while True:
            try:
                async with aclosing(self._palaver.listen(after)) as steps:
                    async for found in steps:
                        for kind, fields in pushes(found):
                            await self._socket.say(kind, **fields)
            except TooFarBehind:
                position = await self._palaver.position()
                await self._socket.say("resync", eventId=position)
                after = await self._welcome(position)

    async def _tell(self) -> None:
        """Every reply that is being made here, with what there is of it already."""
        try:
            async with aclosing(self._palaver.replies()) as lives, asyncio.TaskGroup() as group:
                async for live in lives:
                    group.create_task(self._follow(live))
        except BaseExceptionGroup as ended:
            raise ended.exceptions[0] from None

    async def _follow(self, live: LiveReply) -> None:
        try:
            async with aclosing(live.follow()) as steps:
                async for step in steps:
                    await self._socket.say(name_of(step), **step.to_json())
        except PalaverError as error:
            told = {**trouble(error), "conversationId": live.conversation_id}
            await self._socket.say("error", **told)

    async def _welcome(self, after: int | None) -> int:
        """What there is now. Whoever goes on from the position it returns misses nothing."""
        position = await self._palaver.position() if after is None else after
        page = await self._palaver.conversations()
        if self._requests.current is None:
            latest = await self._palaver.conversations(channel=WEB, limit=1)
            self._requests.look_at(next((one.id for one in latest.conversations), None))
        if self._requests.current is not None:
            with suppress(NotFound):  # it was erased in the meantime
                await self._requests.load(self._requests.current, eventId=position)
        listed = [one.to_json() for one in page.conversations]
        await self._socket.say(
            "conversation_list", conversations=listed, nextCursor=page.next_cursor, eventId=position
        )
        return position

    async def _keep_looking(self) -> None:
        """Raises AccessError once the credentials are worth nothing any more."""
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            with suppress(StorageError):  # nobody can tell now: it is looked at again
                (await self._admit()).require("read")


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
