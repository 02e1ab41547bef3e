"""Deriving: events that are made from what was said, written once and only while they hold."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from palaver.errors import Erased, KeyReused, Outdated
from palaver.index.port import Index
from palaver.index.rows import UNSEEN
from palaver.ledger.lines import Draft, event, sources_of
from palaver.ledger.port import Erasure, Expected, Ledger

_ATTEMPTS = 5

Check = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Derived:
    """An event to be written to a conversation."""

    conversation_id: str
    name: str
    fields: Mapping[str, Any]
    """With `sources`, which name every message whose words are in it."""
    key: str
    """The same for the same work: whoever does it a second time writes nothing."""
    read: Mapping[str, str]
    """What the messages said, by id, when they were read for it."""

    def draft(self, attempt: int) -> Draft:
        again = f":{attempt + 1}" if attempt else ""
        key = f"{self.name}:{self.conversation_id}:{self.key}{again}"
        return event(self.conversation_id, self.name, **self.fields, key=key)


class Deriving:
    """Writes derived events to one user's conversations."""

    def __init__(self, ledger: Ledger, index: Index, user: str) -> None:
        self._ledger = ledger
        self._index = index
        self._user = user

    async def write(
        self, made: Derived, *, is_done: Check, holds: Check, expected: Expected | None = None
    ) -> bool:
        """Stores the event; False when `is_done` says that another process has, or when its words
        do not hold any more: then it is erased. `holds` tells whether all else still holds that it
        was made from. Raises StorageError, IndexUnavailable, and Outdated when a stream is not as
        long as `expected`.
        """
        try:
            return await self._written(made, is_done, holds, expected)
        except asyncio.CancelledError:  # it may be stored already, and nobody has looked at it
            with suppress(Outdated):
                await self._written(made, is_done, holds, expected)
            raise

    async def _written(
        self, made: Derived, is_done: Check, holds: Check, expected: Expected | None
    ) -> bool:
        for attempt in range(_ATTEMPTS):
            try:
                draft = made.draft(attempt)
                appended = (await self._ledger.append([draft], expected=expected))[0]
            except KeyReused:
                if await is_done():
                    return False
                continue  # that one does not hold any more
            except Erased:  # an erased event stays erased; another one takes its place
                continue
            if appended.replayed and not await is_done():
                continue  # it was there once, and something else has taken its place since
            if await self._says_the_same(made) and await holds():
                return True
            await self._ledger.erase(Erasure(lines={made.conversation_id: [appended.line.seq]}))
            return False
        return False

    async def _says_the_same(self, made: Derived) -> bool:
        """Whether nothing it stands on was changed or erased while it was made."""
        wanted = {source["messageId"] for source in sources_of(made.fields)}
        found = {one.id: one for one in await self._index.find(self._user, sorted(wanted))}
        same = all(made.read.get(one.id, one.content) == one.content for one in found.values())
        seen = not any(one.status in UNSEEN for one in found.values())
        return wanted <= found.keys() and same and seen
