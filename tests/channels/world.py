"""What tests of channels share: a library with a channel in memory, and somebody who writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from palaver.app import Palaver
from palaver.channels.connection import Connection, connection_of
from palaver.channels.directory import Directory
from palaver.channels.port import Outgoing, Person, Place, Received, Take, Tell, Tested
from palaver.index.records import ConversationMeta, Json, Message
from palaver.settings import ChannelSettings, Settings
from tests.library import Clock

NAME = "pigeon"
OWNER, OTHER, THIRD = (Person(name, name.title()) for name in ("ann", "bob", "cem"))


@dataclass
class Pigeon:
    """A channel whose provider is the test."""

    name: str = NAME
    repeatable: bool = False
    most: int = 1000
    sent: list[Outgoing] = field(default_factory=list[Outgoing])
    went: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when something was sent."""
    fails: list[BaseException | None] = field(default_factory=list[BaseException | None])
    """What each attempt to send comes to, as long as there are any of these."""

    def person(self, identity: str) -> str:
        return identity.strip().lower()

    def reach(self, person_id: str, subject: str) -> tuple[Place, Json]:
        return Place("contact", person_id), {"subject": subject}

    def split(self, text: str) -> list[str]:
        return [text[start : start + self.most] for start in range(0, len(text), self.most)] or [""]

    async def run(self, take: Take, tell: Tell) -> None:
        raise NotImplementedError

    async def send(self, message: Outgoing) -> str:
        error = self.fails.pop(0) if self.fails else None
        if error is not None:
            raise error
        self.sent.append(message)
        self.went.set()
        return f"sent-{message.id}"

    async def test(self) -> Tested:
        return Tested(ok=True, message="It flies.")

    async def close(self) -> None: ...


@dataclass
class World:
    """A library, and what is written to it."""

    palaver: Palaver
    by: Connection
    pigeon: Pigeon
    numbers: count[int] = field(default_factory=lambda: count(1))

    def message(self, text: str, sender: Person = OWNER, **given: Any) -> Received:
        given.setdefault("id", f"m{next(self.numbers)}")
        given.setdefault("place", Place("contact", sender.id, sender.name))
        return Received(sender=sender, text=text, **given)

    async def write(self, text: str, sender: Person = OWNER, **given: Any) -> Received:
        """Somebody writes, and whoever is to be answered is answered."""
        received = self.message(text, sender, **given)
        await self.take(received)
        await self.settle()
        return received

    async def greet(self) -> None:
        """The owner has written before: else they are told of nobody."""
        await self.write("/help", id="greeting")
        self.pigeon.sent.clear()

    async def take(self, *updates: Any) -> None:
        for update in updates:
            await self.palaver.correspondence.take(self.by, update)

    async def settle(self) -> None:
        await self.palaver.correspondence.settle()
        await self.palaver.finish_replies()
        await self.palaver.correspondence.deliver()

    async def conversations(self) -> Sequence[ConversationMeta]:
        return (await self.palaver.conversations(channel=NAME)).conversations

    async def only(self) -> ConversationMeta:
        (one,) = await self.conversations()
        return one

    async def said(self, conversation_id: str | None = None) -> list[Message]:
        named = conversation_id or (await self.only()).id
        return (await self.palaver.messages(named)).messages

    @property
    def told(self) -> list[str]:
        """What was sent, in order."""
        return [one.text for one in self.pigeon.sent]


@asynccontextmanager
async def world(
    home: Path,
    clock: Clock,
    *,
    database_url: str | None = None,
    pigeon: Pigeon | None = None,
    beside: Sequence[Pigeon] = (),
    settings: Settings | None = None,
    **given: Any,
) -> AsyncGenerator[World]:
    pigeon = pigeon or Pigeon()
    stated: dict[str, Any] = {"enabled": True, "debounce": "0s", "owner_identities": [OWNER.id]}
    of_channel = ChannelSettings.model_validate(stated | given)
    by, *others = [connection_of(one, of_channel) for one in (pigeon, *beside)]
    chosen = settings or Settings.load(home, user__timezone="UTC", database__url=database_url)
    opened = Palaver.open(
        settings=chosen,
        clock=clock,
        index_vectors=False,
        digests=False,
        channels=Directory([by, *others]),
    )
    async with opened as palaver:
        yield World(palaver, by, pigeon)
