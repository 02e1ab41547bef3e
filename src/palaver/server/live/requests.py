"""Requests: what a client may ask for by its socket."""

from __future__ import annotations

from contextlib import ExitStack, aclosing
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from palaver.accounts import Principal
from palaver.app import Palaver
from palaver.conversation.records import Change
from palaver.conversation.steps import MessageAccepted
from palaver.errors import BadValue, NotFound, PalaverError
from palaver.server.doors import Named, access_conversation, access_message
from palaver.server.live.socket import Socket
from palaver.server.shapes import Body, Key
from palaver.server.steps import name_of, trouble
from palaver.typed import complaint

_MOST_ID = 200


class _Request(Body):
    request_id: str | None = Field(default=None, max_length=_MOST_ID)


class Ping(_Request):
    """Is somebody there?"""

    type: Literal["ping"]


class LoadMessages(_Request):
    """Earlier messages of a conversation; the last ones without `before`."""

    type: Literal["load_messages"]
    conversation_id: Named
    before: Named | None = None


class SwitchConversation(_Request):
    """Looks at another conversation."""

    type: Literal["switch_conversation"]
    conversation_id: Named


class RenameConversation(_Request):
    """Gives a conversation another title; the one that is looked at, unless it is named."""

    type: Literal["rename_conversation"]
    conversation_id: Named | None = None
    title: str


class SendMessage(_Request):
    """Says something: where one looks, unless a conversation is named; else in a new one."""

    type: Literal["send_message"]
    text: str
    conversation_id: Named | None = None
    key: Key | None = None


class StopReply(_Request):
    """Stops the reply that is being made."""

    type: Literal["stop_reply"]
    conversation_id: Named


Request = Ping | LoadMessages | SwitchConversation | RenameConversation | SendMessage | StopReply
KINDS = (
    "ping",
    "load_messages",
    "switch_conversation",
    "rename_conversation",
    "send_message",
    "stop_reply",
)
_READER: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="type")])


class Requests:
    """Answers one client, one request after the other."""

    def __init__(self, socket: Socket, palaver: Palaver, principal: Principal) -> None:
        self._socket = socket
        self._palaver = palaver
        self._principal = principal
        self.current: str | None = None
        """The conversation that is looked at; each tab has its own."""
        self._looking = ExitStack()

    def look_at(self, conversation_id: str | None) -> None:
        """Looks at another conversation, or at none."""
        before, self._looking = self._looking, ExitStack()
        self.current = conversation_id
        if conversation_id is not None:
            self._looking.enter_context(self._palaver.watching(conversation_id))
        before.close()  # last: who looks at the same one again has not left it

    async def answer(self) -> None:
        """Goes on until the client leaves, which raises Left."""
        while True:
            said: dict[str, Any] = {}
            try:
                said = await self._socket.hear()
                await self._do(_read(said))
            except PalaverError as error:
                await self._socket.say("error", **trouble(error), **_echo(said))

    async def _do(self, asked: Request) -> None:
        echo = _echo({"requestId": asked.request_id})
        match asked:
            case Ping():
                await self._socket.say("pong", **echo)
            case LoadMessages():
                await self._page(asked, **echo)
            case SwitchConversation():
                conversation_id = access_conversation(self._principal, asked.conversation_id)
                await self.load(conversation_id, **echo)
                self.look_at(conversation_id)
            case RenameConversation():
                await self._rename(asked, **echo)
            case SendMessage():
                await self._send(asked, **echo)
            case StopReply():
                await self._stop(asked)

    async def load(self, conversation_id: str, **fields: Any) -> None:
        """Shows a conversation with its last messages. Raises NotFound."""
        conversation = await self._palaver.conversation(conversation_id)
        page = await self._palaver.messages(conversation_id)
        turns = [message.to_json() for message in page.messages]
        shown = {"conversation": conversation.to_json(), "turns": turns, "hasMore": page.has_more}
        await self._socket.say("conversation_loaded", **shown, **fields)

    async def _page(self, asked: LoadMessages, **echo: Any) -> None:
        conversation_id = access_conversation(self._principal, asked.conversation_id)
        before = access_message(self._principal, asked.before) if asked.before else None
        page = await self._palaver.messages(conversation_id, before=before)
        turns = [message.to_json() for message in page.messages]
        shown = {"conversationId": conversation_id, "turns": turns, "hasMore": page.has_more}
        await self._socket.say("messages_loaded", **shown, **echo)

    async def _rename(self, asked: RenameConversation, **echo: Any) -> None:
        self._principal.require("write")
        conversation_id = self._place(asked.conversation_id)
        if conversation_id is None:
            raise BadValue("No conversation is looked at.", remedy="Name one.")
        renamed = await self._palaver.update(conversation_id, Change(title=asked.title))
        await self._socket.say(
            "conversation_renamed", conversationId=conversation_id, title=renamed.title, **echo
        )

    async def _send(self, asked: SendMessage, **echo: Any) -> None:
        """Says that it is stored, or what a command gave. The reply is told to all who listen."""
        self._principal.require("chat")
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
            first = await anext(steps)
            if isinstance(first, MessageAccepted) and place is None:
                self.look_at(first.message.conversation_id)
            await self._socket.say(name_of(first), **first.to_json(), **echo)

    def _place(self, named: Named | None) -> str | None:
        """The conversation that is named, else the one that is looked at."""
        return access_conversation(self._principal, named) if named else self.current

    async def _stop(self, asked: StopReply) -> None:
        self._principal.require("chat")
        conversation_id = access_conversation(self._principal, asked.conversation_id)
        if not await self._palaver.stop(conversation_id):
            raise NotFound(
                "No reply is being made in that conversation.", remedy="Nothing is left to stop."
            )


def _read(said: dict[str, Any]) -> Request:
    if (kind := said.get("type")) not in KINDS:
        raise BadValue(
            f"There is no request {str(kind)[:80]!r}.", remedy=f"Use any of {', '.join(KINDS)}."
        )
    try:
        return _READER.validate_python(said)
    except ValidationError as error:
        raise BadValue(complaint(error)) from None


def _echo(said: dict[str, Any]) -> dict[str, str]:
    """The id that the client gave its request, if it gave one."""
    given = said.get("requestId")
    return {"requestId": given} if isinstance(given, str) and len(given) <= _MOST_ID else {}
