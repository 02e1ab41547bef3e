"""Kinds of requests: what a client may ask for by its socket, and which scope that needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from palaver.errors import BadValue
from palaver.server import limits
from palaver.server.shapes import Body, Key, NamedConversation, NamedMessage
from palaver.typed import complaint

MOST_ID = 200


class Request(Body):
    """What every request may carry."""

    request_id: str | None = Field(default=None, max_length=MOST_ID)


class Ping(Request):
    """Is somebody there?"""

    type: Literal["ping"]


class LoadMessages(Request):
    """Earlier messages of a conversation; the last ones without `before`."""

    type: Literal["load_messages"]
    conversation_id: NamedConversation
    before: NamedMessage | None = None


class NewConversation(Request):
    """Shows no conversation; one begins with the next message."""

    type: Literal["new_conversation"]


class SwitchConversation(Request):
    """Shows another conversation."""

    type: Literal["switch_conversation"]
    conversation_id: NamedConversation


class RenameConversation(Request):
    """Gives a conversation another title; the one that is shown, unless it is named."""

    type: Literal["rename_conversation"]
    conversation_id: NamedConversation | None = None
    title: str


class SendMessage(Request):
    """Says something: in the one that is shown, unless a conversation is named; else in a new
    one."""

    type: Literal["send_message"]
    text: str
    conversation_id: NamedConversation | None = None
    key: Key | None = None


class StopReply(Request):
    """Stops the reply that is being made."""

    type: Literal["stop_reply"]
    conversation_id: NamedConversation


class RequestKind(NamedTuple):
    """What a request looks like, what it needs, and what it spends."""

    model: type[Request]
    scope: str
    spends: limits.Kind | None = None
    """Beside the bytes that every request spends."""


REQUESTS: Mapping[str, RequestKind] = {
    "ping": RequestKind(Ping, "read"),
    "load_messages": RequestKind(LoadMessages, "read", "searches"),
    "new_conversation": RequestKind(NewConversation, "read"),
    "switch_conversation": RequestKind(SwitchConversation, "read", "searches"),
    "rename_conversation": RequestKind(RenameConversation, "write", "messages"),
    "send_message": RequestKind(SendMessage, "chat", "messages"),
    "stop_reply": RequestKind(StopReply, "chat"),
}
"""Every request."""
_READERS = {name: TypeAdapter(kind.model) for name, kind in REQUESTS.items()}


def kind_of(said: Mapping[str, Any]) -> str:
    """Raises BadValue."""
    kind = said.get("type")
    if not isinstance(kind, str) or kind not in REQUESTS:
        raise BadValue(
            f"There is no request {str(kind)[:80]!r}.", remedy=f"Use any of {', '.join(REQUESTS)}."
        )
    return kind


def read(kind: str, said: Mapping[str, Any]) -> Request:
    """Raises BadValue."""
    try:
        return _READERS[kind].validate_python(said)
    except ValidationError as error:
        raise BadValue(complaint(error)) from None
