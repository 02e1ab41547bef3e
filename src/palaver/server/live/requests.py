"""Requests: how what a client asks for by its socket is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, aclosing
from typing import Any

from palaver.accounts import Principal
from palaver.conversation.records import Change
from palaver.conversation.steps import MessageAccepted, ReplyFinished, Step
from palaver.errors import BadValue, NotFound, PalaverError
from palaver.index.records import Record
from palaver.server.doors import Named, access_conversation, access_message
from palaver.server.limits import Limits
from palaver.server.live import kinds
from palaver.server.live.hub import Hub
from palaver.server.live.messages import (
    ConversationLoaded,
    ConversationRenamed,
    MessagesLoaded,
    Pong,
    encode,
    wait,
)
from palaver.server.live.seat import Seat
from palaver.server.live.socket import Socket, understood
from palaver.server.steps import Trouble

MOST_REST = 1.0
NOTHING = ConversationLoaded(conversation=None, turns=[], has_more=False)


class Requests:
    """Answers one client, one request after the other."""

    def __init__(self, socket: Socket, hub: Hub, principal: Principal, limits: Limits) -> None:
        self._socket = socket
        self._hub = hub
        self._palaver = hub.palaver
        self._principal = principal
        self._limits = limits
        self._looking = ExitStack()
        self.seat = Seat(socket.wire)
        self.turn = asyncio.Lock()
        """Held while something is shown to the client, which is one thing at a time."""

    @property
    def current(self) -> str | None:
        """The conversation that is looked at; each tab has its own."""
        return self.seat.shows

    def look_at(self, conversation_id: str | None) -> None:
        """Looks at another conversation, or at none."""
        before, self._looking = self._looking, ExitStack()
        self.seat.show(conversation_id)
        if conversation_id is not None:
            self._looking.enter_context(self._palaver.watching(conversation_id))
        before.close()  # last: who looks at the same one again has not left it

    async def answer(self) -> None:
        """Goes on until the client leaves, which raises Left."""
        clock = asyncio.get_running_loop().time
        while True:
            heard = await self._socket.hear()
            begun = clock()
            async with self.turn:
                await self._answer(heard)
            # Whoever asks without end leaves half of the time to others, and more when many ask.
            await asyncio.sleep(min(clock() - begun, MOST_REST))

    async def _answer(self, heard: bytes) -> None:
        said: dict[str, Any] = {}
        try:
            self._limits.spend(self._principal.user, "bytes", len(heard))
            said = understood(heard)
            await self._do(self._allowed(said))
        except PalaverError as error:
            await self._socket.say(Trouble.of(error), **wait(error), **_echo(said))

    def _allowed(self, said: dict[str, Any]) -> kinds.Request:
        name = kinds.kind_of(said)
        kind = kinds.REQUESTS[name]
        self._principal.require(kind.scope)
        asked = kinds.read(name, said)
        if kind.spends:
            self._limits.spend(self._principal.user, kind.spends)
        return asked

    async def _do(self, asked: kinds.Request) -> None:
        echo = _echo({"requestId": asked.request_id})
        match asked:
            case kinds.LoadMessages():
                await self._page(asked, **echo)
            case kinds.NewConversation():
                await self._socket.say(NOTHING, **echo)
                self.look_at(None)
                self._hub.retell(self.seat)
            case kinds.SwitchConversation():
                conversation_id = access_conversation(self._principal, asked.conversation_id)
                await self.load(conversation_id, **echo)
                self.look_at(conversation_id)
                self._hub.retell(self.seat, conversation_id)
            case kinds.RenameConversation():
                await self._rename(asked, **echo)
            case kinds.SendMessage():
                await self._send(asked, **echo)
            case kinds.StopReply():
                await self._stop(asked)
            case _:
                await self._socket.say(Pong(), **echo)

    async def load(self, conversation_id: str, **beside: Any) -> None:
        """Shows a conversation with its last messages. Raises NotFound."""

        async def read() -> ConversationLoaded:
            conversation = await self._palaver.conversation(conversation_id)
            page = await self._palaver.messages(conversation_id)
            return ConversationLoaded(
                conversation=conversation, turns=page.messages, has_more=page.has_more
            )

        await self._show(read, **beside)

    async def _page(self, asked: kinds.LoadMessages, **echo: Any) -> None:
        conversation_id = access_conversation(self._principal, asked.conversation_id)
        before = access_message(self._principal, asked.before) if asked.before else None

        async def read() -> MessagesLoaded:
            page = await self._palaver.messages(conversation_id, before=before)
            return MessagesLoaded(
                conversation_id=conversation_id, turns=page.messages, has_more=page.has_more
            )

        await self._show(read, **echo)

    async def _show(self, read: Callable[[], Awaitable[Record]], **beside: Any) -> None:
        """It may be long: the loop goes on meanwhile."""
        wire = self._socket.wire
        async with self._hub.showing:
            with wire.answering():
                async with self._hub.reading:
                    frames = await asyncio.to_thread(encode, await read(), **beside)
                await wire.say(frames)

    async def _rename(self, asked: kinds.RenameConversation, **echo: Any) -> None:
        conversation_id = self._place(asked.conversation_id)
        if conversation_id is None:
            raise BadValue("No conversation is looked at.", remedy="Name one.")
        renamed = await self._palaver.update(conversation_id, Change(title=asked.title))
        told = ConversationRenamed(
            conversation_id=conversation_id, title=renamed.title, topics=renamed.topics
        )
        await self._socket.say(told, **echo)

    async def _send(self, asked: kinds.SendMessage, **echo: Any) -> None:
        """Says that it is stored, or what a command gave. The reply is told to all who follow."""
        place = self._place(asked.conversation_id)
        steps = self._palaver.stream(
            asked.text,
            conversation_id=place,
            new=place is None,
            key=asked.key,
            scopes=self._principal.scopes,
            detached=True,
        )
        async with aclosing(steps):
            with self._socket.wire.answering():
                first = await anext(steps)
                self._go(first, place)  # at once: the reply has not begun
                await self._socket.say(first, **echo)

    def _place(self, named: Named | None) -> str | None:
        """The conversation that is named, else the one that is looked at."""
        return access_conversation(self._principal, named) if named else self.current

    def _go(self, first: Step, place: str | None) -> None:
        """Looks at what has begun with the message, and follows the reply wherever it is made."""
        begun = place
        if isinstance(first, MessageAccepted):
            begun = first.message.conversation_id
        elif isinstance(first, ReplyFinished):
            begun = first.new_conversation_id or place
        if begun is not None:
            self._follow(begun)
            if begun != place:
                self.look_at(begun)

    def _follow(self, conversation_id: str) -> None:
        if self.seat.talk(conversation_id):
            self._hub.retell(self.seat, conversation_id)

    async def _stop(self, asked: kinds.StopReply) -> None:
        conversation_id = access_conversation(self._principal, asked.conversation_id)
        self._follow(conversation_id)
        if not await self._palaver.stop(conversation_id):
            raise NotFound(
                "No reply is being made in that conversation.", remedy="Nothing is left to stop."
            )


def _echo(said: dict[str, Any]) -> dict[str, str]:
    """The id that the client gave its request, if it gave one."""
    given = said.get("requestId")
    return {"requestId": given} if isinstance(given, str) and len(given) <= kinds.MOST_ID else {}
