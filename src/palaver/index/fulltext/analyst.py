"""The analyst: cuts and counts words in a process of its own, while others are stored here.

Whatever becomes of that process, nothing is lost: what it does not give back is counted here. It
has no files of its own, and ends when nobody listens to it any more. The two speak over a line that
nobody else knows of: other people's code, which an interpreter may run at its start, prints.
"""

from __future__ import annotations

import marshal
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from palaver.index.fulltext.segments import Ready
from palaver.index.fulltext.words import counted
from palaver.index.pieces import COLUMNS, Said
from palaver.text import ANALYSER_VERSION, PIECES_VERSION

T = TypeVar("T")

_TURN = 0.1
"""After so many seconds of waiting, one looks whether it is time to end."""
_TURNS = 600
"""After so many turns in which nothing came or went, the other process is given up."""

_CODE = (__file__, ANALYSER_VERSION, PIECES_VERSION, COLUMNS.descr)
"""Which Palaver this is: another one would count other words."""
_BROKEN = (OSError, EOFError, ValueError, TypeError)
"""What is raised when the other process has ended, is silent, or talks nonsense."""


class Analyst:
    """Takes messages and gives the segments that they make; one lot at a time."""

    def __init__(self, *, apart: bool, pause: Callable[[], None]) -> None:
        """`apart` says whether there is so much to do that another process is worth its start.

        `pause` is called again and again while it is waited for; what that raises ends the wait.
        """
        self._apart = apart and Path(sys.executable or "").name.startswith("python")
        self._pause = pause
        self._process: subprocess.Popen[bytes] | None = None
        self._line: _Line | None = None
        self._messages: Sequence[Said] = ()
        """Those that are being counted."""

    @property
    def started(self) -> bool:
        """Whether there is another process."""
        return self._line is not None

    def give(self, messages: Sequence[Said]) -> None:
        """Begins to count. Without another process, it is done when somebody asks for it."""
        self._messages = messages
        if not (self._apart and messages):
            return
        try:
            line = self._line or self._start()
            line.send([(*one[:2], int(one.speaker), *one[3:]) for one in messages])
        except _BROKEN:
            self.close()

    def done(self) -> bool:
        """Whether the other process has nothing to do, or is not there."""
        return not self._messages or self._line is None or self._line.speaks()

    def get(self) -> list[Ready]:
        """The segments that the last messages make."""
        messages, self._messages = self._messages, ()
        if self._line is not None and messages:
            try:
                return [Ready(*one) for one in self._line.receive()]
            except _BROKEN:
                self.close()
        return counted(messages)

    def close(self) -> None:
        """Ends the other process; from now on everything is counted here."""
        self._apart = False
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _start(self) -> _Line:
        """Raises ValueError when the other process is of another Palaver."""
        here, there = socket.socketpair()
        here.settimeout(_TURN)
        self._line = _Line(here, self._pause)
        with there:
            self._process = _started(there.fileno())
        if self._line.receive() != _CODE:
            raise ValueError
        return self._line


class _Line:
    """One end of the line between the two processes."""

    def __init__(self, end: socket.socket, pause: Callable[[], None]) -> None:
        self._end = end
        self._pause = pause

    def send(self, value: Any) -> None:
        """Raises one of `_BROKEN` when it does not get through."""
        data = marshal.dumps(value)
        left = memoryview(len(data).to_bytes(8) + data)
        while left:
            left = left[self._patiently(self._end.send, left) :]

    def receive(self) -> Any:
        """Raises one of `_BROKEN` when nothing sensible comes."""
        size = int.from_bytes(self._read(8))
        return marshal.loads(self._read(size))  # noqa: S302 - from the other end, which is ours

    def speaks(self) -> bool:
        """Whether something comes at the moment."""
        answer = select.poll()
        answer.register(self._end, select.POLLIN)
        return bool(answer.poll(0))

    def close(self) -> None:
        self._end.close()

    def _read(self, size: int) -> bytearray:
        data = bytearray()
        while len(data) < size:
            some = self._patiently(self._end.recv, min(size - len(data), 1 << 20))
            if not some:
                raise EOFError
            data += some
        return data

    def _patiently(self, act: Callable[[Any], T], value: Any) -> T:
        for _ in range(_TURNS):
            self._pause()
            with suppress(TimeoutError):
                return act(value)
        raise TimeoutError


def _started(line: int) -> subprocess.Popen[bytes]:
    """Not a fork, which would take over locks that other threads hold; nor does it import the
    program that runs here, as `multiprocessing` does. Its modules come from the same places."""
    flags = ["-E"] * sys.flags.ignore_environment + ["-s"] * sys.flags.no_user_site
    return subprocess.Popen(  # noqa: S603 - nothing in it comes from outside
        [sys.executable, "-P", *flags, "-m", __name__, str(line)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[line],
    )


def _serve(end: socket.socket) -> None:
    """Counts what comes, until nothing comes any more."""
    end.settimeout(None)
    line = _Line(end, lambda: None)
    line.send(_CODE)
    while True:
        try:
            messages = line.receive()
        except (EOFError, ConnectionError):
            return
        line.send([tuple(one) for one in counted([Said(*message) for message in messages])])


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
