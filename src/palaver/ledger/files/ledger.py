"""The ledger on disk: concurrent callers, one commit at a time, many callers in one commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from palaver.errors import HomeUnusable, NotFound, PalaverError, StorageFailed
from palaver.ledger.batch import Request
from palaver.ledger.files.committer import Committer, storage_error
from palaver.ledger.files.recovered import Recovered
from palaver.ledger.files.since import since
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Draft, Line, check_draft
from palaver.ledger.port import Appended, Erasure, Expected, Follower, StreamStat
from palaver.ledger.since import Since
from palaver.times import Clock, system_clock

T = TypeVar("T")
_Waiter = tuple[Request, asyncio.Future[list[Appended]]]


class FileLedger:
    """A Ledger in the files of a home. Whoever calls from the event loop in which it was opened
    shares commits with the others there. Another loop has one of its own for each call: it never
    waits for that first loop, which may stand still while somebody thinks of what to write."""

    def __init__(
        self,
        store: FileStore,
        follower: Follower | None = None,
        clock: Clock = system_clock,
        *,
        user: str = "local",
        committed: Callable[[int], None] | None = None,
    ) -> None:
        """`committed` is told the position after each commit; it must neither wait nor raise."""
        self._store = store
        self._committed = committed
        self._committer = Committer(store, user, follower, clock)
        self._writer = ThreadPoolExecutor(1, "palaver-writer")
        self._waiting: list[_Waiter] = []
        self._running: list[_Waiter] = []
        self._busy = False
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> Recovered:
        """Brings the home into order before the first commit; gives what that took.

        Raises HomeUnusable.
        """
        self._loop = loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._writer, self._committer.recover)
        except OSError as error:
            where = error.filename or self._store.home.root
            reason = (error.strerror or str(error)).lower()
            raise HomeUnusable(f"The home cannot be used: {where}: {reason}.") from None

    async def append(
        self, drafts: Sequence[Draft], *, expected: Expected | None = None
    ) -> list[Appended]:
        for draft in drafts:
            check_draft(draft)
        return await self._commit(Request(lambda: drafts, expected=expected or {}))

    async def erase(self, erasure: Erasure) -> list[Line]:
        plan = self._committer.erasure(erasure)
        appended = await self._commit(Request(plan, alone=True, expected=erasure.expected))
        return [item.line for item in appended if item.line.type == "event"]

    async def read(self, stream: str, *, after: int = -1, limit: int | None = None) -> list[Line]:
        def lines() -> list[Line]:
            return list(islice((line for line in self._whole(stream) if line.seq > after), limit))

        return await asyncio.to_thread(lines)

    async def tail(self, stream: str, turns: int) -> list[Line]:
        def lines() -> list[Line]:
            self._whole(stream)
            return self._store.tail(stream, turns)

        return await asyncio.to_thread(lines)

    async def streams(self) -> list[StreamStat]:
        sizes = await asyncio.to_thread(self._store.sizes)
        return [StreamStat(name, size) for name, size in sizes.items()]

    async def position(self) -> int:
        return await self._under_lock(self._committer.position)

    async def since(self, after: int, *, limit: int) -> Since:
        pos = await self.position()
        return await asyncio.to_thread(since, self._store, pos, after, limit)

    async def where(self, key: str) -> str | None:
        return await self._under_lock(lambda: self._committer.where(key))

    async def _under_lock(self, look: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._writer, look)
        except OSError as error:
            raise storage_error(error) from None

    async def close(self) -> None:
        self._closed = True
        while self._busy:
            under_way = [future for _, future in self._running + self._waiting]
            await asyncio.gather(*under_way, return_exceptions=True)
        await asyncio.to_thread(self._writer.shutdown)
        self._committer.close()

    def _whole(self, stream: str) -> Iterator[Line]:
        if not self._store.size(stream):
            raise NotFound(f"There is no conversation {stream}.")
        return self._store.lines(stream)

    async def _commit(self, request: Request) -> list[Appended]:
        """Waits its turn; everything that is waiting when a commit begins goes into it."""
        if self._closed:
            raise StorageFailed("Palaver is closed.", remedy="Open it again, then send it again.")
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            return await self._commit_alone(loop, request)
        future: asyncio.Future[list[Appended]] = loop.create_future()
        self._waiting.append((request, future))
        if not self._busy:
            self._busy = True
            loop.call_soon(self._begin)
        return await future

    async def _commit_alone(
        self, loop: asyncio.AbstractEventLoop, request: Request
    ) -> list[Appended]:
        """What is begun is ended, also when whoever waits for it is cancelled."""
        work = loop.run_in_executor(self._writer, self._committer.commit, [request])
        try:
            await asyncio.shield(work)
        finally:
            await asyncio.wait([work])
            self._tell([request])
        if isinstance(request.outcome, PalaverError):
            raise request.outcome
        return request.outcome or []

    def _begin(self) -> None:
        self._running, self._waiting = self._waiting, []
        requests = [request for request, _ in self._running]
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._writer, self._committer.commit, requests)
        work.add_done_callback(self._end)

    def _end(self, work: asyncio.Future[None]) -> None:
        broken = work.exception()
        for request, future in self._running:
            if not future.cancelled():
                _resolve(future, broken or request.outcome or [])
        if not broken:
            self._tell([request for request, _ in self._running])
        self._running = []
        # Soon, not now: those who have just got their answer may want to write again with the next.
        self._busy = bool(self._waiting)
        if self._busy:
            work.get_loop().call_soon(self._begin)

    def _tell(self, requests: Sequence[Request]) -> None:
        if self._committed and (pos := _position(requests)):
            self._committed(pos)


def _position(requests: Sequence[Request]) -> int:
    """The highest `pos` that was given to any of them; 0 when nothing was written."""
    return max(
        (
            item.line.pos
            for request in requests
            if isinstance(request.outcome, list)
            for item in request.outcome
            if not item.replayed
        ),
        default=0,
    )


def _resolve(
    future: asyncio.Future[list[Appended]], outcome: list[Appended] | BaseException
) -> None:
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
