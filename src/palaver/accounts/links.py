"""Sign-in links: a code that opens the page once, kept in the memory of the process that made it.

The code ends with the process, so a link that was left lying about opens nothing later.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock

from palaver.accounts.secrets import digest, new_secret
from palaver.times import Clock, system_clock

LIFETIME = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Link:
    """What a code stands for."""

    user: str
    ends: datetime
    used: Callable[[], None] | None
    """Called when the code has been used."""


class SignInLinks:
    """The codes that have not been used yet."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock
        self._open: dict[bytes, Link] = {}
        self._lock = Lock()

    def create(self, user: str, used: Callable[[], None] | None = None) -> str:
        """A code that signs `user` in, once, within a day."""
        code = new_secret()
        self._keep(code, Link(user, self._clock() + LIFETIME, used))
        return code

    @contextmanager
    def use(self, code: str) -> Generator[str | None]:
        """The user `code` was made for, or None if it was used, has ended or never was.

        Nobody else can use it meanwhile; when the block fails, the code has not been used.
        """
        with self._lock:
            link = self._open.pop(digest(code), None)
        if link is None or self._clock() >= link.ends:
            yield None
            return
        try:
            yield link.user
        except BaseException:
            self._keep(code, link)
            raise
        if link.used is not None:
            link.used()

    def _keep(self, code: str, link: Link) -> None:
        with self._lock:
            self._open[digest(code)] = link
