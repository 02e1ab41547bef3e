"""The desk at which passwords are checked: two at a time, a few who wait, and nobody too often.

A check takes a tenth of a second and 64 MiB on purpose. Whoever sends many takes neither the memory
nor the threads that everybody else needs.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from palaver.accounts import Accounts
from palaver.errors import LimitReached, SignInRequired, StorageError
from palaver.server.attempts import Attempts

AT_A_TIME = 2
MOST_WAITING = 20


class PasswordDesk:
    """Belongs to one event loop."""

    def __init__(self, accounts: Accounts, attempts: Attempts | None = None) -> None:
        self._accounts = accounts
        self._attempts = attempts or Attempts()
        self._threads = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="passwords")
        self._here = 0

    async def sign_in(self, name: str, password: str, peer: str | None) -> str:
        """The secret for a cookie. `peer` is the address it comes from, None for that of a proxy.

        Raises SignInRequired, the same for a name that nobody has and for a wrong password,
        LimitReached and StorageError.
        """
        if self._here >= AT_A_TIME + MOST_WAITING:
            raise LimitReached(
                "Too many sign in at the same time.", remedy="Try again in a moment."
            )
        attempt = self._attempts.begin(name, peer)
        self._here += 1
        try:
            secret = await self._checked(name, password)
        except StorageError:
            attempt.take_back()
            raise
        finally:
            self._here -= 1
        if secret is None:
            raise SignInRequired(
                "The name or the password is wrong.",
                remedy="Check both. Whoever runs the server can set another password.",
            )
        attempt.succeeded()
        return secret

    async def _checked(self, name: str, password: str) -> str | None:
        loop = asyncio.get_running_loop()
        check = self._accounts.sign_in_by_password
        return await loop.run_in_executor(self._threads, check, name, password)
