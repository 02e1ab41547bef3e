"""A channel that lives in memory: for tests, and as the example of how one is written.

    channel = MemoryChannel(system_clock)
    channel.write("Hello?", sender="ada")
    ...  # something runs it, and answers
    assert channel.sent[-1].text == "Hello!"

It stands for a provider, too: it can be down, refuse, or leave it open whether something was sent.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from itertools import count
from typing import Literal

from palaver.channels.markup import PLAIN, render
from palaver.channels.pausing import Pauses, Wait
from palaver.channels.port import Outgoing, Person, Place, Received, Take, Tell, Tested, Update
from palaver.channels.splitting import split, units
from palaver.errors import (
    BadValue,
    ChannelRefused,
    ChannelUncertain,
    ChannelUnreachable,
    PalaverError,
)
from palaver.index.records import Json
from palaver.settings.channels import ChannelSettings
from palaver.times import Clock

Fault = Literal["down", "refusing", "silent"]
LONGEST = 1000
_PERSON = re.compile(r"@?([a-z0-9_]{1,64})", re.IGNORECASE | re.ASCII)


def make(settings: ChannelSettings, clock: Clock) -> MemoryChannel:
    return MemoryChannel(clock)


class MemoryChannel:
    """What is written is kept until it was taken; what is sent is kept for ever."""

    name = "memory"
    repeatable = True

    def __init__(self, clock: Clock, *, wait: Wait = asyncio.sleep) -> None:
        self.fault: Fault | None = None
        """What is wrong with the provider now."""
        self._clock = clock
        self._wait = wait
        self._coming: deque[Update] = deque()
        self._some = asyncio.Event()
        self._numbers = count(1)
        self._shown: dict[str, Outgoing] = {}

    # -- the provider ----------------------------------------------------------------------------

    @property
    def sent(self) -> list[Outgoing]:
        """What was sent, each once, in order."""
        return list(self._shown.values())

    def write(self, text: str, *, sender: str, group: str | None = None) -> Received:
        """Somebody writes."""
        who = Person(self.person(sender), sender)
        place = Place("group", group) if group else Place("contact", who.id, who.name)
        message = Received(
            id=f"m{next(self._numbers)}",
            place=place,
            sender=who,
            text=text,
            timestamp=self._clock(),
            addressed=not group or text.startswith("/"),
        )
        self.give(message)
        return message

    def give(self, update: Update) -> None:
        """Something happens. The same again is what a provider does that was not answered."""
        self._coming.append(update)
        self._some.set()

    # -- the channel -----------------------------------------------------------------------------

    def person(self, identity: str) -> str:
        found = _PERSON.fullmatch(identity.strip())
        if not found:
            raise BadValue(f"{identity[:80]!r} is nobody.", remedy="Write a name such as ada.")
        return found[1].lower()

    def reach(self, person_id: str, subject: str) -> tuple[Place, Json]:
        return Place("contact", person_id), {}

    def split(self, text: str) -> list[str]:
        return split(text, lambda part: units(render(part, PLAIN)) <= LONGEST, LONGEST)

    async def run(self, take: Take, tell: Tell) -> None:
        tell("waiting", None)
        pauses = Pauses(self._wait)
        while True:
            try:
                self._check()
                tell("connected", None)
                await self._receive(take, pauses)
            except ChannelRefused:
                raise
            except PalaverError as error:
                tell("failing", f"{error.message} {error.remedy}")
                await pauses.pause()

    async def _receive(self, take: Take, pauses: Pauses) -> None:
        """Until something fails. What could not be taken stays the first that comes."""
        while True:
            while self._coming:
                self._check()
                await take(self._coming[0])
                self._coming.popleft()
                pauses.reset()
            self._some.clear()
            await self._some.wait()

    async def send(self, message: Outgoing) -> str:
        self._check()
        self._shown.setdefault(message.id, message)
        if self.fault == "silent":
            raise ChannelUncertain
        return f"sent-{message.id}"

    async def test(self) -> Tested:
        try:
            self._check()
        except PalaverError as error:
            return Tested(ok=False, message=error.message, remedy=error.remedy)
        return Tested(ok=True, message="Connected to this process.")

    async def close(self) -> None:
        self._coming.clear()

    def _check(self) -> None:
        if self.fault == "down":
            raise ChannelUnreachable
        if self.fault == "refusing":
            raise ChannelRefused
