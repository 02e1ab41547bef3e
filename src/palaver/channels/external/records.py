"""What is told of exchanges, and what is decided about them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from palaver.conversation.records import Input
from palaver.index.records import Exchange, Message, Moment, Record
from palaver.settings import Mode, Tier

MAX_SCOPE = 4000
Decision = Literal["approve", "edit", "reject"]


class External(Exchange):
    """An exchange with somebody who is not the owner, and what holds for them."""

    trust: Tier = "untrusted"
    """How far they are trusted: by what was decided here, or else by the settings."""
    policy: Mode = "acknowledge"
    """What is done when they write: by what was decided here, or else by the settings."""
    scope: str = ""
    """What they may be told and ask for, in the owner's words."""
    decided: list[str] = Field(default=[])
    """What of this was decided here."""
    code: str = ""
    """What it is called in commands: `/answer CODE`."""


class ExternalPage(Record):
    """Some exchanges, the latest first."""

    external: list[External]
    next_cursor: str | None = None


class DraftReply(Record):
    """A reply that waits for the owner's word."""

    id: str
    code: str
    """What it is called in commands: `/approve CODE`."""
    text: str
    message_id: str | None = None
    """The message that it answers."""
    by: str = ""
    """The model that wrote it."""
    created: Moment


class Withheld(Record):
    """What whoever wrote a reply to an outsider did not have."""

    message_id: str
    """The reply, or the message to which a draft was written."""
    conversations: list[str]
    """Those in which the owner would have been answered from."""
    memories: list[str]
    """Those that the owner would have been answered with."""


class ExternalView(Record):
    """An exchange with its last messages."""

    external: External
    messages: list[Message]
    has_more: bool
    unreachable: str | None = None
    """Why the owner cannot answer, if they cannot, and what to do about it."""
    drafts: list[DraftReply]
    withheld: list[Withheld]


class ExternalChange(Input):
    """What to change about an exchange; fields that are not given stay as they are."""

    trust: Tier | None = None
    """None, when given, returns to what the settings say."""
    policy: Mode | None = None
    """None, when given, returns to what the settings say."""
    scope: Annotated[str, Field(max_length=MAX_SCOPE)] | None = None
    """What they may be told and ask for. None, when given, returns to what the settings say."""
    seen: bool | None = None
    """True when the owner has looked: nothing of it is escalated any more."""


class Decided(Record):
    """What became of a draft."""

    draft_id: str
    decision: Literal["approved", "edited", "rejected"]
    message: Message | None = None
    """What is sent, if anything is."""
