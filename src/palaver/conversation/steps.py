"""Steps of a reply, as whoever waits for it hears them."""

from __future__ import annotations

from typing import Literal

from palaver.index.records import Message, Record


class MessageAccepted(Record):
    """A message is safely stored, and will be answered."""

    key: str | None
    """As the sender gave it."""
    message: Message


class ReplyStarted(Record):
    """A reply is being made. When it comes again for the same message, it begins anew."""

    conversation_id: str
    message_id: str
    """The id that the reply is stored with."""
    turn_number: int


class ReplyDelta(Record):
    """Some more of the reply."""

    conversation_id: str
    message_id: str
    offset: int
    """How many characters of the reply come before."""
    text: str


class ReplyThinking(Record):
    """Some more of what a model thinks before it says anything."""

    conversation_id: str
    message_id: str
    offset: int
    text: str


class ReplyTool(Record):
    """A tool is used for the reply, or has been."""

    conversation_id: str
    message_id: str
    tool_name: str
    state: Literal["started", "finished", "failed"]


class ReplyFinished(Record):
    """The reply is stored; or a command was answered."""

    conversation_id: str
    turn: Message
    new_conversation_id: str | None = None
    """The conversation that `/new` has begun; what follows happens there."""


Step = MessageAccepted | ReplyStarted | ReplyDelta | ReplyThinking | ReplyTool | ReplyFinished
