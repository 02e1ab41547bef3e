"""Apart: has work done in another process, which is started when there is something to do.

Whatever becomes of that process, the work is done: if need be here, in a thread.
"""

from __future__ import annotations

import asyncio
import pickle
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple

from palaver.digest import aside

Given = TypeVarTuple("Given")
T = TypeVar("T")

_REST = 60.0
"""After so many seconds without anything to do, the other process is ended."""
_PATIENCE = 60.0
"""After so many seconds without an answer, it is given up."""
_ATTEMPTS = 2
_BROKEN = (OSError, EOFError, TimeoutError, pickle.PickleError, AttributeError, TypeError)
"""What is raised when the other process has ended, is silent or talks nonsense, or when something
cannot be told to it."""


class Aside:
    """Does one thing after the other. Belongs to one event loop."""

    def __init__(self, *, rest: float = _REST) -> None:
        self._rest = rest
        self._turn = asyncio.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._resting: asyncio.TimerHandle | None = None

    @property
    def process(self) -> int | None:
        """The id of the other process, if there is one."""
        return self._process.pid if self._process else None

    async def do(self, function: Callable[[*Given], T], *given: *Given) -> T:
        """What a pure function of a module gives."""
        async with self._turn:
            for _ in range(_ATTEMPTS if _can_start() else 0):
                try:
                    return await self._asked((function, given))
                except _BROKEN:
                    continue
        return await asyncio.to_thread(function, *given)

    def close(self) -> None:
        """Ends the other process. Whoever asks again starts another one."""
        if self._resting:
            self._resting.cancel()
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()
        line, self._line = self._line, None
        if line:
            line.close()

    async def _asked(self, work: Any) -> Any:
        if self._resting:
            self._resting.cancel()
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_PATIENCE):
                line = self._line or await self._started()
                await loop.sock_sendall(line, aside.framed(work))
                answer = await _received(line)
        except BaseException:
            self.close()  # what is still on the line answers nobody
            raise
        self._resting = loop.call_later(self._rest, self.close)
        return answer

    async def _started(self) -> socket.socket:
        """The line to a new process."""
        here, there = socket.socketpair()
        here.setblocking(False)
        self._line = here
        with there:
            self._process = started_process(there.fileno())
        return here


def _can_start() -> bool:
    """Whether this is a program that can be started as an interpreter."""
    return Path(sys.executable or "").name.startswith("python")


def started_process(line: int) -> subprocess.Popen[bytes]:
    """Not a fork, which would take over locks that other threads hold; nor does it import the
    program that runs here, as `multiprocessing` does. Its modules come from the same places."""
    flags = ["-E"] * sys.flags.ignore_environment + ["-s"] * sys.flags.no_user_site
    return subprocess.Popen(  # noqa: S603 - nothing in it comes from outside
        [sys.executable, "-P", *flags, "-m", aside.__name__, str(line)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[line],
    )


async def _received(line: socket.socket) -> Any:
    size = int.from_bytes(await _read(line, aside.SIZE))
    return aside.unframed(await _read(line, size))


async def _read(line: socket.socket, size: int) -> bytearray:
    loop, data = asyncio.get_running_loop(), bytearray()
    while len(data) < size:
        some = await loop.sock_recv(line, min(size - len(data), 1 << 20))
        if not some:
            raise EOFError
        data += some
    return data
