"""A worker as a process of its own: `python -m tests.jobs.worker URL FOLDER NAME SECONDS`.

Its model takes its time, and writes into a file when it begins and ends with a user's texts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import numpy as np
from numpy.typing import NDArray

from palaver.engines.background import Background
from palaver.engines.loading import ModelLoader
from palaver.engines.node import PostgresNode
from palaver.jobs.postgres import Pace
from palaver.times import system_clock
from tests.library import BagOfWords

QUICK = Pace(look=0.3, start=0.05, grace=0.05, heartbeat=0.3, stalled=2.0)
"""For tests: what takes seconds otherwise takes parts of them."""


class Slow(BagOfWords):
    """Every text takes some time, and is told of in a file. A text begins with its user's name."""

    def __init__(self, file: Path, name: str, seconds: float) -> None:
        super().__init__()
        self._file = file
        self._name = name
        self._seconds = seconds

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        users = sorted({text.split()[0] for text in texts})
        self._tell("begins", users)
        time.sleep(self._seconds)
        self._tell("ends", users)
        return super().embed(texts)

    def _tell(self, what: str, users: Sequence[str]) -> None:
        handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        for user in users:
            os.write(handle, f"{time.monotonic()} {self._name} {what} {user}\n".encode())
        os.close(handle)


class Worker:
    """A running one, for a test."""

    def __init__(self, url: str, folder: Path, name: str, seconds: float) -> None:
        self.file = folder / "told"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.jobs.worker", url, str(folder), name, str(seconds)],
            stderr=subprocess.PIPE,
            text=True,
        )

    def told(self) -> list[list[str]]:
        """What all of them told: when, who, what, about whom."""
        return [line.split() for line in self.file.read_text().splitlines()] if self.begun else []

    @property
    def begun(self) -> bool:
        return self.file.exists()

    def end(self) -> float:
        """Tells it to end; gives how long that took, in seconds."""
        begun = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=30)
        assert self._process.returncode == 0
        return time.monotonic() - begun

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()


def main(url: str, folder: str, name: str, seconds: str) -> None:
    model = Slow(Path(folder) / "told", name, float(seconds))
    ended = Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: ended.set())
    background = Background(eager=True, pace=QUICK)
    node = PostgresNode(url, ModelLoader(Path(folder), model), system_clock, background)
    ended.wait()
    node.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
