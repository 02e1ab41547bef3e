"""Preferences: what a user has chosen for themselves. Where they chose nothing, settings decide."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from datetime import tzinfo

from palaver.conversation.books import Books
from palaver.conversation.records import Choices, Profile
from palaver.errors import AlreadyExists, BadValue, NotFound
from palaver.index.port import Preference
from palaver.index.preference_fold import PREFERENCE
from palaver.ledger import lines
from palaver.ledger.lines import USER_STREAM, Draft
from palaver.settings import UserSettings, zone_named

TIMEZONE, MODEL = "timezone", "model"
FRESH = 1.0
"""So many seconds what was read is taken for what there is: another process may have changed it."""


class Preferences:
    """What one user has chosen, as far as it was looked at."""

    def __init__(self, settings: UserSettings, now: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._now = now
        self._reading = asyncio.Lock()
        self._looked: float | None = None
        self._chosen: Mapping[str, Preference] = {}

    def keep_in(self, books: Books) -> None:
        """From now on what is chosen is kept there, and read there."""
        self._books = books

    async def look(self) -> None:
        """Reads what is chosen, unless that was just done. Raises StorageError."""
        if self._looked is None or self._now() - self._looked >= FRESH:
            await self._read()

    def zone(self) -> tzinfo:
        """The time zone in which days begin, and in which times are told."""
        return self._own_zone() or self._settings.zone

    def zone_name(self) -> str:
        """What the time zone is called."""
        own = self._own_zone() and self._value(TIMEZONE)
        return own or self._settings.timezone

    def model(self) -> str | None:
        """The model that answers where a conversation has none of its own, if one was chosen."""
        return self._value(MODEL)

    def profile(self, usual: str) -> Profile:
        """What holds for the user; `usual` is the model that answers."""
        return Profile(
            user=self._books.user,
            timezone=self.zone_name(),
            model=usual,
            chosen=sorted(self._chosen.keys() & {TIMEZONE, MODEL}),
        )

    async def choose(self, choices: Choices) -> None:
        """Keeps what is chosen. Raises BadValue, StorageFailed."""
        if choices.timezone is not None and zone_named(choices.timezone) is None:
            raise BadValue(
                f"There is no time zone {choices.timezone[:80]!r}.",
                remedy="Use a name such as Europe/Berlin.",
            )
        await self._read()  # what was looked at a moment ago may not hold any more
        given = {name: getattr(choices, name) for name in choices.model_fields_set}
        new = {name: value for name, value in given.items() if value != self._value(name)}
        if new:
            await self.keep([preference(name, new[name]) for name in sorted(new)])
            await self._read()

    async def _read(self) -> None:
        async with self._reading:  # so that what was read last is what counts
            self._looked = self._now()
            self._chosen = await self._books.index.preferences(self._books.user)

    def _value(self, name: str) -> str | None:
        found = self._chosen.get(name)
        return found.value if found else None

    def _own_zone(self) -> tzinfo | None:
        """The zone that was chosen, if it is known on this machine."""
        name = self._value(TIMEZONE)
        return zone_named(name) if name else None

    async def keep(self, events: list[Draft]) -> None:
        """Writes to the user's stream, which begins with the first thing in it."""
        ledger = self._books.ledger
        try:
            await ledger.append(events)
        except NotFound:
            try:
                await ledger.append([lines.meta(USER_STREAM, user=self._books.user), *events])
            except AlreadyExists:  # somebody else has begun it meanwhile
                await ledger.append(events)


def preference(name: str, value: str | None, key: str | None = None) -> Draft:
    """Without a value, what was chosen is taken back."""
    return lines.event(USER_STREAM, PREFERENCE, name=name, value=value, key=key)
