"""The analyst: cuts and counts words in a process of its own, while others are stored here.

Whatever becomes of that process, nothing is lost: what it does not give back is counted here. It
has no files of its own, and ends when nobody listens to it any more.
"""

from __future__ import annotations

import pickle
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, cast

from palaver.index.fulltext.segments import Ready
from palaver.index.fulltext.words import counted
from palaver.index.pieces import Said


class Analyst:
    """Takes messages and gives the segments that they make; one lot at a time."""

    def __init__(self, *, apart: bool) -> None:
        """`apart` says whether there is so much to do that another process is worth its start."""
        self._apart = apart and Path(sys.executable).name.startswith("python")
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: Sequence[Said] = ()
        """Those that are being counted."""

    def give(self, messages: Sequence[Said]) -> None:
        """Begins to count. Without another process, it is done when somebody asks for it."""
        self._messages = messages
        if not self._apart:
            return
        try:
            self._process = self._process or _started()
            _send(_pipe(self._process.stdin), messages)
        except OSError:
            self.close()

    def done(self) -> bool:
        """Whether the other process has nothing to do, or is not there."""
        if not self._messages or self._process is None:
            return True
        answer = select.poll()
        answer.register(_pipe(self._process.stdout), select.POLLIN)
        return bool(answer.poll(0))

    def get(self) -> list[Ready]:
        """The segments that the last messages make."""
        messages, self._messages = self._messages, ()
        if self._process is not None:
            try:
                return [Ready(*one) for one in _receive(_pipe(self._process.stdout))]
            except (OSError, EOFError, pickle.UnpicklingError):
                self.close()
        return counted(messages)

    def close(self) -> None:
        """Ends the other process; from now on everything is counted here."""
        self._apart = False
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _started() -> subprocess.Popen[bytes]:
    """Not a fork, which would take over locks that other threads hold; nor does it import the
    program that runs here, as `multiprocessing` does."""
    return subprocess.Popen(  # noqa: S603 - nothing in it comes from outside
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    return cast("IO[bytes]", stream)  # there is one, because it was asked for


def _send(stream: IO[bytes], values: Sequence[tuple[Any, ...]]) -> None:
    pickle.dump([tuple(value) for value in values], stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()


def _receive(stream: IO[bytes]) -> list[tuple[Any, ...]]:
    """Raises EOFError when nothing comes any more."""
    return pickle.load(stream)  # noqa: S301 - it comes from the other end, which is ours


def _serve() -> None:
    """Counts what comes, until nothing comes any more."""
    while True:
        try:
            messages = _receive(sys.stdin.buffer)
        except EOFError:
            return
        _send(sys.stdout.buffer, counted([Said(*message) for message in messages]))


if __name__ == "__main__":
    _serve()
