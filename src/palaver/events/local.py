"""Events within this process."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Lock

from palaver.events.port import Hint


class Hints:
    """What one listener hears; what it has not heard yet is gathered in one hint."""

    def __init__(self, user: str) -> None:
        self.user = user
        self._loop = asyncio.get_running_loop()
        self._ready = asyncio.Event()
        self._lock = Lock()
        self._waiting: Hint | None = None

    def give(self, hint: Hint) -> None:
        """From any thread."""
        with self._lock:
            is_first = self._waiting is None
            self._waiting = self._waiting.and_then(hint) if self._waiting else hint
        if is_first:
            with suppress(RuntimeError):  # its loop is closed: nobody waits there any more
                self._loop.call_soon_threadsafe(self._ready.set)

    async def next(self) -> Hint:
        while True:
            await self._ready.wait()
            self._ready.clear()
            with self._lock:
                hint, self._waiting = self._waiting, None
            if hint is not None:
                return hint


class LocalEvents:
    """Carries hints between the threads of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: dict[str, list[Hints]] = {}

    def publish(self, hint: Hint) -> None:
        with self._lock:
            listeners = list(self._listeners.get(hint.user, ()))
        for one in listeners:
            one.give(hint)

    def miss(self) -> None:
        """Tells everybody that hints may have been lost."""
        with self._lock:
            listeners = [one for listening in self._listeners.values() for one in listening]
        for one in listeners:
            one.give(Hint(one.user, 0, missed=True))

    @contextmanager
    def listen(self, user: str) -> Generator[Hints]:
        hints = Hints(user)
        with self._lock:
            self._listeners.setdefault(user, []).append(hints)
        try:
            yield hints
        finally:
            with self._lock:
                self._listeners[user].remove(hints)
                if not self._listeners[user]:
                    del self._listeners[user]
