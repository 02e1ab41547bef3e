"""Stopping a reply that another node makes: one asks, and whoever makes it does so and says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from secrets import token_hex
from threading import Lock

from palaver.events.relay import Stop


class Obeying:
    """Somebody who makes replies, and stops them when another node asks for it."""

    def __init__(self, stop: Stop, stopped: Callable[[str], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = stop
        self._stopped = stopped
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, conversation_id: str, request: str) -> None:
        """From any thread."""
        with suppress(RuntimeError):  # its loop is closed: nothing is made there any more
            self._loop.call_soon_threadsafe(self._begin, conversation_id, request)

    def _begin(self, conversation_id: str, request: str) -> None:
        task = self._loop.create_task(self._do(conversation_id, request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, conversation_id: str, request: str) -> None:
        if await self._stop(conversation_id):
            self._stopped(request)


class Asking:
    """Somebody who asks, until there is an answer."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self.again = ask
        self.answer: asyncio.Future[bool] = self._loop.create_future()

    def hear(self) -> None:
        """From any thread."""
        with suppress(RuntimeError):  # its loop is closed: nobody waits there any more
            self._loop.call_soon_threadsafe(self._stopped)

    def _stopped(self) -> None:
        if not self.answer.done():
            self.answer.set_result(True)


class Stops:
    """All who obey, and all who ask, on one node. Thread-safe."""

    def __init__(
        self, ask: Callable[[str, str, str], None], stopped: Callable[[str], None]
    ) -> None:
        """`ask` tells other nodes of a user, a conversation and a request, `stopped` that one was
        obeyed."""
        self._ask = ask
        self._stopped = stopped
        self._lock = Lock()
        self._obeying: dict[str, list[Obeying]] = {}
        self._asking: dict[str, Asking] = {}

    @contextmanager
    def obey(self, user: str, stop: Stop) -> Generator[None]:
        obeying = Obeying(stop, self._stopped)
        with self._lock:
            self._obeying.setdefault(user, []).append(obeying)
        try:
            yield
        finally:
            with self._lock:
                self._obeying[user].remove(obeying)
                if not self._obeying[user]:
                    del self._obeying[user]

    @contextmanager
    def ask(self, user: str, conversation_id: str) -> Generator[Asking]:
        request = token_hex(8)
        asking = Asking(lambda: self._ask(user, conversation_id, request))
        with self._lock:
            self._asking[request] = asking
        try:
            yield asking
        finally:
            with self._lock:
                del self._asking[request]

    def hear(self, user: str, conversation_id: str, request: str) -> None:
        """Another node asks."""
        with self._lock:
            obeying = list(self._obeying.get(user, ()))
        for one in obeying:
            one.hear(conversation_id, request)

    def hear_answer(self, request: str) -> None:
        """Another node has obeyed."""
        with self._lock:
            asking = self._asking.get(request)
        if asking is not None:
            asking.hear()
