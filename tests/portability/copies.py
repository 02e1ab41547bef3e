"""Places to copy between, and what must be the same in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from palaver.ledger.files import FileLedger, FileStore, Home
from palaver.ledger.files.receiving import FileReceiver
from palaver.ledger.files.sending import FileSender
from palaver.ledger.lines import Line
from palaver.ledger.postgres.receiving import PostgresReceiver
from palaver.ledger.postgres.sending import PostgresSender
from palaver.ledger.receiving import Receiver, Sender
from palaver.ledger.stamping import Head
from palaver.ledger.verify import Verifiable
from palaver.portability.copy import Copied, copy
from palaver.postgres import Pool
from tests.index.worlds import Ticking, Unsynced

Bytes = dict[str, bytes]
_NUMBERS = count()


class KilledError(BaseException):
    """Stands for SIGKILL: nobody catches it."""


def contents(stored: Verifiable) -> Bytes:
    """Every stream, byte for byte, as an export gives it."""
    return {stream: b"".join(stored.pieces(stream)) for stream in stored.sizes()}


def copied(sender: Sender, receiver: Receiver) -> Copied:
    return copy(sender, receiver, lambda _done, _total: None)


@dataclass
class Folders:
    """Homes, each with a name."""

    folder: Path

    def store(self, name: str) -> FileStore:
        home = Home(self.folder / name)
        home.create()
        return FileStore(home, Unsynced())

    def sender(self, name: str) -> FileSender:
        return FileSender(self.store(name), "local")

    def receiver(self, name: str) -> FileReceiver:
        return FileReceiver(self.store(name))

    async def ledger(self, name: str) -> FileLedger:
        ledger = FileLedger(self.store(name), clock=Ticking())
        await ledger.open()
        return ledger


@dataclass
class Database:
    """Users of one database, each with a name."""

    pool: Pool

    def sender(self, name: str) -> PostgresSender:
        return PostgresSender(self.pool, name)

    def receiver(self, name: str) -> PostgresReceiver:
        return PostgresReceiver(self.pool, name)

    def new(self) -> str:
        return f"user-{next(_NUMBERS)}"


@dataclass
class Dying:
    """A Receiver that is killed before or after one of its steps."""

    inner: Receiver
    last: int
    parts: int = 2
    """It takes so many lines at a time."""
    steps: int = field(default=0, init=False)
    finished: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.stored, self.identity = self.inner.stored, self.inner.identity
        self.receiving = self.inner.receiving

    def cut(self, head: Head) -> None:
        self._step(lambda: self.inner.cut(head))

    def take(self, lines: Sequence[Line]) -> None:
        for start in range(0, len(lines), self.parts):
            part = lines[start : start + self.parts]
            self._step(lambda part=part: self.inner.take(part))

    def finish(self, pos: int) -> None:
        self._step(lambda: self._finish(pos))

    def _finish(self, pos: int) -> None:
        self.inner.finish(pos)
        self.finished = True

    def _step(self, do: Callable[[], None]) -> None:
        self._tick()
        do()
        self._tick()

    def _tick(self) -> None:
        self.steps += 1
        if self.steps == self.last:
            raise KilledError
