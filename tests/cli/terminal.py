"""A person at a terminal: the real program behind a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from tests.cli.commandline import PROGRAM

_PATIENCE = 20.0
# At a terminal Ctrl-C is heeded, also where tests run in the background and are not to heed it.
_HEEDING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """A running command that believes a person is looking."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        program: Sequence[str] = (PROGRAM,),
        variables: Mapping[str, str] = {},
    ) -> None:
        """`program` may be another one that takes the same arguments."""
        self._keyboard, line = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _HEEDING, *program, *arguments, "--home", str(home)],
            env={**os.environ, **variables},
            stdin=line,
            stdout=line,
            stderr=line,
            start_new_session=True,
        )
        os.close(line)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    def interrupt(self) -> None:
        """What Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)

    def nudge(self) -> None:
        """Until it ends: the line editor looks for signals only when one comes while it waits, and
        Ctrl-C may have come just before. A second Ctrl-C would end it in the middle of closing."""
        while self._process.poll() is None:
            self._process.send_signal(signal.SIGWINCH)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.2)

    def until(self, text: str) -> str:
        """Reads until `text` has been shown, and returns everything since the last time."""
        deadline = time.monotonic() + _PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            block = self._read()
            assert block, f"ended before {text!r}: {self.shown!r}"
            self.shown += block
        shown, self.shown = self.shown, ""
        return shown

    def end(self) -> tuple[int, str]:
        """Reads to the end; the exit status and what was shown since the last time."""
        while block := self._read():
            self.shown += block
        return self._process.wait(_PATIENCE), self.shown

    def _read(self) -> str:
        try:
            return os.read(self._keyboard, 65536).decode(errors="replace")
        except OSError:  # Linux says so when the other side has closed
            return ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._keyboard)
