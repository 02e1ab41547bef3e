"""Sign-in links: a code that opens the page once, kept in the memory of the process that made it.

The code ends with the process, so a link that was left lying about opens nothing later.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Lock

from palaver.accounts.secrets import digest, new_secret
from palaver.times import Clock, system_clock

LIFETIME = timedelta(hours=24)


class SignInLinks:
    """The codes that have not been used yet."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock
        self._open: dict[bytes, tuple[str, datetime]] = {}
        self._lock = Lock()

    def create(self, user: str) -> str:
        """A code that signs `user` in, once, within a day."""
        code = new_secret()
        with self._lock:
            self._open[digest(code)] = (user, self._clock() + LIFETIME)
        return code

    def use(self, code: str) -> str | None:
        """The user `code` was made for, or None if it was used, has ended or never was."""
        with self._lock:
            user, ends = self._open.pop(digest(code), (None, None))
        return user if ends is not None and self._clock() < ends else None
