"""The runner of a node: puts what is due into the queue, and works through it.

One thread with an event loop of its own. Nothing is opened before something is due, so that a short
command costs nothing. When the database is away, or somebody drops the tables of the queue, it
begins anew: everything is found again by looking.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from threading import Condition as Signal
from threading import Thread
from typing import TYPE_CHECKING, Any

from palaver.errors import PalaverError, StorageUnreachable
from palaver.index.postgres.locks import Locks
from palaver.jobs.pace import RESTS
from palaver.jobs.postgres.board import Board, Posted
from palaver.jobs.postgres.pace import Pace
from palaver.times import Clock

if TYPE_CHECKING:
    from palaver.jobs.postgres.queue import Queue

_PAUSE = 0.5
"""So many seconds after something went wrong with the database it is tried again."""
_GLANCE = 0.1
_LOOKING = 2
"""So many threads are kept from the jobs, for whoever looks for more of them."""

log = logging.getLogger(__name__)

Report = Callable[[Mapping[int, str]], None]
"""Is told for whom something fails, and why."""


class Runner:
    """What runs jobs in the background of a node; `wake` it when something may be due."""

    def __init__(
        self,
        url: str,
        board: Board,
        locks: Locks,
        clock: Clock,
        *,
        report: Report,
        pace: Pace,
        worker: bool,
        eager: bool,
    ) -> None:
        """Without `worker` it only puts jobs into the queue, for the workers of others. With
        `eager` it does not wait for the first that is due to open the queue."""
        self._url = url
        self._board = board
        self._locks = locks
        self._clock = clock
        self._report = report
        self._pace = pace
        self._works = worker
        self._eager = eager
        self._signal = Signal()
        self._thread: Thread | None = None
        self._awake = self._hurried = self._stopped = False
        self._asked = self._looked = 0
        """How often somebody asked for a look, and which of these were answered."""
        self._took = 0.0
        """How long the last look took, in seconds."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()

    def start(self) -> None:
        self._awake = True
        self._thread = Thread(target=self._run, name="palaver-jobs", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        with self._signal:
            if not self._awake:  # whoever waits for more is not disturbed by each
                self._awake = True
                self._call()

    def settle(self, user: str, *, brought: bool = False) -> None:
        """Returns when the index is kept in order for a user as far as that can be; with `brought`,
        when all else is done for them, too. Without a worker, when the queue has it. Raises
        StorageFailed."""
        while True:
            if not self._have_looked() or not self._works:
                return
            items = self._board.look(user)
            waits = any(one.under_way for one in items if brought or one.kind.keeps_index)
            if not waits and not (brought and self._board.running(items, user)):
                return
            with self._signal:
                self._signal.wait_for(lambda: self._stopped, _GLANCE)

    def stop(self) -> None:
        """Ends after the steps that are under way; what is left is handed to others."""
        with self._signal:
            self._stopped = True
            self._call()
            self._signal.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _have_looked(self) -> bool:
        """Waits for a look that begins after this; False when nobody looks any more."""
        with self._signal:
            self._asked += 1
            asked = self._asked
            self._awake = self._hurried = True
            self._call()
            self._signal.wait_for(lambda: self._stopped or self._looked >= asked)
            return not self._stopped

    def _call(self) -> None:
        """Lets the loop look up; the signal is held."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._woken.set)

    # -- in the thread -----------------------------------------------------------------------

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        finally:  # nobody waits for a thread that is not there any more
            with self._signal:
                self._stopped, self._loop = True, None
                self._signal.notify_all()

    async def _serve(self) -> None:
        with self._signal:
            self._loop = asyncio.get_running_loop()
            self._loop.set_exception_handler(_overheard)
            threads = self._pace.concurrency + _LOOKING  # jobs take one each, as long as they run
            self._loop.set_default_executor(ThreadPoolExecutor(threads, "palaver-job"))
        if not self._eager:
            await self._rest(self._pace.start)  # only those who hurry wake it sooner
        while not self._stopped:
            try:
                async with AsyncExitStack() as opened:
                    await self._feed(opened)
            except PalaverError as error:
                log.warning("Jobs wait: %s", error.message)
                self._answered(self._asked)
                await self._rest(_PAUSE)
            except Exception:  # without this thread nothing is done any more
                log.exception("Something went wrong while jobs were run.")
                self._answered(self._asked)
                await self._rest(_PAUSE)

    async def _feed(self, opened: AsyncExitStack) -> None:
        """Looks and puts, until it is time to end. Raises StorageFailed."""
        queue: Queue | None = None
        worker: asyncio.Task[None] | None = None
        patience = self._pace.look
        while await self._waits(patience):
            asked, began = self._asked, time.monotonic()
            items = await asyncio.to_thread(self._board.look)
            self._took = time.monotonic() - began
            self._tell(items)
            if queue is None and (self._eager or any(item.wanted for item in items)):
                queue, worker = await self._opened(opened)
            if queue is not None:
                await self._put(queue, items)
            self._answered(asked)
            if worker is not None and worker.done():
                worker.result()
                raise StorageUnreachable
            patience = self._patience(items)

    async def _opened(self, opened: AsyncExitStack) -> tuple[Queue, asyncio.Task[None] | None]:
        """The queue, and who works through it."""
        from palaver.jobs.postgres.performing import Performing
        from palaver.jobs.postgres.queue import make_tables, open_queue

        await asyncio.to_thread(make_tables, self._board.notes)
        queue = await opened.enter_async_context(open_queue(self._url, self._board.notes))
        if not self._works:
            return queue, None
        perform = Performing(self._board, self._locks, self._clock, lambda: self._stopped)

        def performed(unwanted: Callable[[], bool], kind: str, id_: str) -> None:
            try:
                perform(unwanted, kind, id_)
            finally:
                self.wake()  # something may have come while it ran

        queues = sorted({kind.queue for kind in self._board.kinds.values()})
        worker = asyncio.create_task(queue.work(performed, queues, self._pace))
        worker.add_done_callback(lambda _: self._woken.set())
        opened.push_async_callback(_ended, worker)
        return queue, worker

    async def _put(self, queue: Queue, items: Sequence[Posted]) -> None:
        if self._works:
            await queue.take_back(self._pace.stalled)
        for item in items:
            if item.wanted and item.number is None:
                await queue.put(item.kind, item.id)

    def _tell(self, items: Sequence[Posted]) -> None:
        kept = [item for item in items if item.kind.keeps_index]
        notes = [item.note for item in kept if item.note and item.note.code]
        self._report({note.owner: f"{note.message} {note.remedy}" for note in notes})

    def _patience(self, items: Sequence[Posted]) -> float:
        """How long nothing has to be looked at: until something that failed is tried again."""
        waits = [(item.after - item.now).total_seconds() for item in items if item.after]
        return min(self._pace.look, max(0.05, min(waits, default=self._pace.look)))

    def _answered(self, asked: int) -> None:
        with self._signal:
            self._looked = asked
            self._signal.notify_all()

    async def _waits(self, patience: float) -> bool:
        """Waits until something may be due, and for more; False when it is time to end."""
        if not self._awake:
            await self._rest(patience)
        with self._signal:
            hurried = self._hurried or self._stopped
            self._woken.clear()
        if not hurried:
            grace = max(self._pace.grace, self._took * RESTS)
            await self._rest(grace)  # only those who hurry wake it twice
        with self._signal:
            self._awake = self._hurried = False
            self._woken.clear()
            return not self._stopped

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), seconds)


def _overheard(_: asyncio.AbstractEventLoop, told: dict[str, Any]) -> None:
    """What the library lets go unheard: that the database went while a job ended. It is run again
    when its worker has not been heard of for long enough."""
    log.debug("%s", told.get("message"), exc_info=told.get("exception"))


async def _ended(worker: asyncio.Task[None]) -> None:
    """Has a worker end, after the steps that are under way."""
    worker.cancel()
    with suppress(asyncio.CancelledError, PalaverError):
        await worker
