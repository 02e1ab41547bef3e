"""The watchman: looks whether those who stay still hold what let them in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress

from palaver.accounts import Accounts
from palaver.errors import SignInRequired, StorageError
from palaver.server.guests import Guests, Stay
from palaver.times import Clock, iso, system_clock

log = logging.getLogger(__name__)

LOOK_EVERY = 0.25
"""So many seconds pass until it is noticed what another process has ended."""

_NEVER = "9"
"""Later than every time that is written as `iso` writes it, within eight thousand years."""


class Watchman:
    """One for each server. Belongs to one event loop."""

    def __init__(self, accounts: Accounts, guests: Guests, clock: Clock = system_clock) -> None:
        self._accounts = accounts
        self._guests = guests
        self._clock = clock
        self._version = -1
        self._seen: set[Stay] = set()
        """A revocation between the door and the stay is seen by nobody else."""
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Credentials have been ended here: it is looked at once."""
        self._woken.set()

    async def watch(self) -> None:
        """Goes on until it is broken off. Where nobody watches, nobody stays."""
        try:
            while True:
                await self._look_safely()
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY):
                        await self._woken.wait()
                self._woken.clear()
        finally:
            self._guests.close()

    async def _look_safely(self) -> None:
        try:
            await self.look()
        except StorageError:  # nobody can tell now: it is looked at again
            return
        except Exception:  # a mistake of ours lets nobody stay who may have to leave
            log.exception("watchman_failed: everybody has to leave")
            self._guests.dismiss()

    async def look(self) -> None:
        """Ends the stay of everybody whose credentials have ended. Raises StorageError."""
        present = set(self._guests.present())
        self._seen &= present
        if not present:
            return
        version = await asyncio.to_thread(self._accounts.version)
        known = self._seen if version == self._version else set[Stay]()
        await self._check(self._due(present, known))
        self._seen, self._version = present, version

    def _due(self, present: set[Stay], known: set[Stay]) -> list[Stay]:
        """Those of whom nothing is known, and those whose time is over."""
        now = iso(self._clock())
        over = {stay for stay in known if _ends(stay) <= now}
        return [*(present - known), *over]

    async def _check(self, stays: Iterable[Stay]) -> None:
        by_credential: dict[str, list[Stay]] = {}
        for stay in stays:
            by_credential.setdefault(stay.principal.credential, []).append(stay)
        if not by_credential:
            return
        valid = await asyncio.to_thread(self._accounts.valid, by_credential)
        for credential in by_credential.keys() - valid:
            for stay in by_credential[credential]:
                stay.end(SignInRequired())


def _ends(stay: Stay) -> str:
    return stay.principal.expires or _NEVER
