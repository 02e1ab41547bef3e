"""Receiving: a folder is followed, mail by mail, for as long as the channel runs.

Nothing is stored. At the start the last days are read again, and what was taken before is known
behind the port; after that it goes by the UIDs. A mail is marked as read once it was taken.
"""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass, field
from datetime import timedelta

from palaver.channels.email.mailbox import Mailbox, opened
from palaver.channels.email.reading import Reader
from palaver.channels.pausing import Pauses, Wait
from palaver.channels.port import State, Take, Tell
from palaver.errors import ChannelUnreachable, PalaverError
from palaver.settings.channels import EmailSettings
from palaver.times import Clock

_WINDOW = timedelta(days=14)
_MOST_AT_START = 500
"""So many of the last mails are read again at a start."""
MOST_BYTES = 8 * 1024 * 1024
"""A mail up to this size is read as a whole."""
_BEGINNING = 256 * 1024
"""So much is read of a larger one."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When things are done again. All times are in seconds."""

    idle: float = 9 * 60
    """How long a server may say nothing: some forget connections that are silent for longer."""
    poll: float = 60
    """How often a server is asked that does not tell by itself."""
    retry: float = 30
    """When a mail that could not be taken is offered again."""
    wait: Wait = asyncio.sleep
    """How it waits before connecting again."""


@dataclass(slots=True)
class Health:
    """How all folders fare together."""

    tell: Tell
    count: int
    _folders: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """What is wrong with each; nothing, if it is well."""
    _told: tuple[State, str | None] = ("waiting", None)

    def report(self, folder: str, why: str | None) -> None:
        self._folders[folder] = why
        wrong = [why for why in self._folders.values() if why]
        now = self._told
        if wrong:
            now = ("failing", wrong[0])
        elif len(self._folders) == self.count:
            now = ("connected", None)
        if now != self._told:
            self._told = now
            self.tell(*now)


@dataclass(slots=True)
class Folder:
    """One folder, and which of its mails are still to be taken."""

    name: str
    settings: EmailSettings
    reader: Reader
    clock: Clock
    rhythm: Rhythm
    health: Health
    tls: ssl.SSLContext | None = None
    _validity: int | None = None
    _last: int | None = None
    _due: dict[int, str | None] = field(default_factory=dict[int, str | None])
    """UIDs, each with what went wrong when it was offered."""

    async def follow(self, take: Take) -> None:
        """Takes what comes, and connects again when it has to. Raises ChannelRefused."""
        pauses = Pauses(self.rhythm.wait)
        while True:
            try:
                async with opened(self.settings, self.tls) as mailbox:
                    self._begin(await mailbox.select(self.name))
                    await self._catch_up(mailbox, take)
                    pauses.reset()
                    await self._stay(mailbox, take)
            except ChannelUnreachable as error:
                self.health.report(self.name, error.message)
            await pauses.pause()

    def _begin(self, validity: int) -> None:
        """UIDs of another UIDVALIDITY mean other mails: all of them are forgotten."""
        if validity != self._validity:
            self._validity = validity
            self._last = None
            self._due.clear()

    async def _stay(self, mailbox: Mailbox, take: Take) -> None:
        while True:
            soon = self.rhythm.retry if self._due else self.rhythm.idle
            await mailbox.wait(idle=soon, poll=min(soon, self.rhythm.poll))
            await self._catch_up(mailbox, take)

    async def _catch_up(self, mailbox: Mailbox, take: Take) -> None:
        await self._look(mailbox)
        await self._offer(mailbox, take)
        self.health.report(self.name, next((why for why in self._due.values() if why), None))

    async def _look(self, mailbox: Mailbox) -> None:
        """Finds out what is new."""
        if self._last is None:
            found = await mailbox.since((self.clock() - _WINDOW).date())
            found = found[-_MOST_AT_START:]
        else:
            found = await mailbox.after(self._last)
        self._due.update(dict.fromkeys(found))
        self._last = max([self._last or 0, *found])

    async def _offer(self, mailbox: Mailbox, take: Take) -> None:
        """Offers what is due. What is not taken does not keep the others from it."""
        sizes = await mailbox.sizes(list(self._due))
        for uid in list(self._due):
            size = sizes.get(uid, MOST_BYTES + 1)
            raw = await self._fetched(mailbox, uid, size)
            if raw is None:
                del self._due[uid]
                continue
            cut = size > MOST_BYTES and len(raw) >= _BEGINNING
            why = await self._taken(take, raw, size if cut else None)
            if why is None:
                await mailbox.mark(uid)
                del self._due[uid]
            else:
                self._due[uid] = why

    async def _fetched(self, mailbox: Mailbox, uid: int, size: int) -> bytes | None:
        """A mail, or its beginning. One over which the connection breaks is tried last."""
        try:
            return await mailbox.fetch(uid, MOST_BYTES if size <= MOST_BYTES else _BEGINNING)
        except ChannelUnreachable as error:
            del self._due[uid]
            self._due[uid] = error.message
            raise

    async def _taken(self, take: Take, raw: bytes, size: int | None) -> str | None:
        """Offers a mail; gives what went wrong, if it was not taken."""
        try:
            await take(await asyncio.to_thread(self.reader.read, raw, size))
        except PalaverError as error:
            return f"A mail could not be kept, and is offered again: {error.message}"
        except Exception as error:  # noqa: BLE001 - whatever it is, the mails behind it go on
            return f"A mail could not be kept, and is offered again: {type(error).__name__}."
        return None
