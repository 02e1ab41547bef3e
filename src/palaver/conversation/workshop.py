"""The workshop: one event loop in a thread of its own, for what is made in the background.

The connections to models and the helpers of makers belong to an event loop. Whoever brings work
may be in any thread, so there is one loop for all of it. It is started when it is first needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Workshop:
    """Runs coroutines. Safe to use from any thread; after `close` it can be started again."""

    def __init__(self, leave: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """`leave` is run in the loop before it ends."""
        self._leave = leave
        self._guard = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begins it; whoever cancels what is returned ends it."""
        with self._guard:
            loop = self._loop or self._start()
            return asyncio.run_coroutine_threadsafe(work, loop)

    def close(self) -> None:
        """Ends everything that runs in it."""
        with self._guard:
            loop, self._loop = self._loop, None
            thread = self._thread
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    def _start(self) -> asyncio.AbstractEventLoop:
        loop = self._loop = asyncio.new_event_loop()
        self._thread = Thread(
            target=self._serve, args=[loop], name="palaver-jobs-loop", daemon=True
        )
        self._thread.start()
        return loop

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.get_loop().run_forever()
            runner.run(_end())
            runner.run(self._leave())


async def _end() -> None:
    """Ends what still runs, before what it uses is closed."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        if not task.cancelling():  # it may be putting something in order before it ends
            task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
