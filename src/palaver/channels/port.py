"""The port of a channel: receive, send, identify.

A channel speaks to a provider and says what came in the words of this module. It stores nothing and
decides nothing: who is the owner, which conversation it belongs to and whether it is answered is
decided behind it, the same for all of them. One contract suite (`tests/channels/contract.py`) runs
against every channel; `docs/extending/channel.md` tells how to write one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

from palaver.index.records import Json, Moment, Record

PlaceKind = Literal["contact", "group", "thread"]
Proof = Literal["proven", "claimed"]
Reach = Literal["sent", "delivered", "read", "failed"]
State = Literal["connected", "waiting", "failing", "off"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on a channel."""

    id: str
    """As the channel normalises it: the same for the same person, whatever the spelling."""
    name: str | None = None
    """What they call themselves: shown as text, and never trusted."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written: conversations are kept apart by it."""

    kind: PlaceKind
    id: str
    """Of a contact, the person's; of a group, the group's; of a thread, that of its first
    message."""
    name: str | None = None
    """The name of the contact or group, or the subject of the thread."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message that came in. All of it may have been written by anybody."""

    id: str
    """The provider's: the same message has it for ever, and no other has it."""
    place: Place
    sender: Person
    text: str
    """What is new in it, as plain text; placeholders such as `[Photo]` for what is no text."""
    timestamp: datetime | None = None
    """When it was written, if the provider says so."""
    proof: Proof = "proven"
    """Whether the channel vouches for the sender, or the message merely claims to be theirs."""
    others: Sequence[Person] = ()
    """Who else reads along, beside the agent itself: then the audience is mixed."""
    addressed: bool = True
    """Whether the agent is spoken to. In a group: by name, by a command, or by an answer to it."""
    unanswerable: str | None = None
    """Why it is never answered, if it is not: an automatic reply, a list, the agent's own."""
    answers: str | None = None
    """The provider's id of the message that it answers."""
    thread: Sequence[str] = ()
    """Ids of earlier messages of its thread, the nearest first."""
    parts: Sequence[Json] = ()
    """What stands in it besides, such as `{"type": "quote", …}` and `{"type": "file", …}`."""
    details: Json = field(default_factory=dict[str, object])
    """What the channel needs to answer it, given back in `Outgoing.answers`; at most 16 KiB."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A message says something else now."""

    id: str
    """The provider's id of the edit itself: the same edit has it whenever it is told."""
    message: str
    """The provider's id of the message."""
    sender: Person
    text: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """A message was taken back by whoever wrote it."""

    id: str
    message: str
    sender: Person


@dataclass(frozen=True, slots=True)
class Reacted:
    """Somebody reacted to a message, or took that back when `emoji` is empty."""

    id: str
    message: str
    sender: Person
    emoji: str


@dataclass(frozen=True, slots=True)
class Reported:
    """How far a message that was sent has come."""

    message: str
    """The provider's id of what was sent."""
    reach: Reach
    why: str | None = None
    """What the provider says of a failure."""


Update = Received | Edited | Retracted | Reacted | Reported
Take = Callable[[Update], Awaitable[None]]
"""Returns once the update is safe: only then may the provider be told that it was received. What it
raises is a reason not to say so; the provider gives it again."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to send: one part of a reply."""

    id: str
    """The same at each attempt, and for no other part: a provider that takes an id of ours shows
    the message once, however often it is sent."""
    place: Place
    text: str
    """One of the parts that `split` gave."""
    first: bool = True
    """Whether it is the first part."""
    answers: str | None = None
    """The provider's id of the message that it answers."""
    details: Json = field(default_factory=dict[str, object])
    """Of that message, as the channel gave them."""
    by_hand: bool = False
    """Whether a person wrote it: then it is no automatic reply."""


@dataclass(frozen=True, slots=True)
class Tested:
    """What came of a connection test."""

    ok: bool
    message: str
    """One sentence: as whom it is connected, or what is wrong."""
    remedy: str | None = None


class ChannelState(Record):
    """How a channel fares."""

    name: str
    state: State
    since: Moment | None = None
    """Since when it is so."""
    why: str | None = None
    """What is wrong, in one sentence, and what can be done about it."""


Tell = Callable[[State, str | None], None]
"""A channel tells how it fares, each time that changes: the state, and what is wrong."""


class Channel(Protocol):
    """A channel. It belongs to the event loop in which it is used."""

    name: str
    """As in `channels.NAME` of the settings; conversations carry it."""
    repeatable: bool
    """Whether a message that is sent twice with the same id is shown once. Otherwise one of which
    nobody knows whether it was sent is not sent again unasked."""

    def person(self, identity: str) -> str:
        """A spelling of somebody, as settings or messages have it, normalised. Raises BadValue."""
        ...

    def reach(self, person_id: str, subject: str) -> tuple[Place, Json]:
        """Where somebody is written to who has not written, and the details to do so."""
        ...

    def split(self, text: str) -> list[str]:
        """A reply in Markdown as the messages that it becomes: at least one, none too long."""
        ...

    async def run(self, take: Take, tell: Tell) -> None:
        """Receives until it is cancelled: polls, idles, or only waits where the provider calls.

        It connects again by itself, however long the provider is away, and tells how it fares.
        Raises ChannelRefused when trying again is no use, such as for a wrong password.
        """
        ...

    async def send(self, message: Outgoing) -> str:
        """Sends one part; gives the provider's id of it.

        Raises ChannelUnreachable when it was certainly not sent and may be tried again,
        ChannelUncertain when nobody knows, ChannelRefused when it never will be.
        """
        ...

    async def test(self) -> Tested:
        """Connects as for real, sends nothing, and says what came of it."""
        ...

    async def close(self) -> None:
        """Lets go of everything. It is not used afterwards."""
        ...


@runtime_checkable
class Webhook(Protocol):
    """A channel whose provider calls. It is asked before anything else is looked at."""

    def challenged(self, query: Mapping[str, str]) -> str:
        """The answer to the provider's question whether the address is ours. Raises
        WebhookRefused."""
        ...

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[Update]:
        """What a call says. Names of headers are in small letters.

        The signature or secret is checked first, over the bytes as they came and in constant time.
        What is signed and of no use to us gives nothing. Raises WebhookRefused for a call that is
        not the provider's, and BadJson for one that is and cannot be read.
        """
        ...
