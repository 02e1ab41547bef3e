"""The lines of a home, for a copy of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager

from palaver.ledger.files.committer import Committer
from palaver.ledger.files.store import FileStore
from palaver.times import system_clock


class FileSender:
    """A Sender in the files of a home."""

    def __init__(self, store: FileStore, user: str) -> None:
        self.stored = store
        self.identity: object = store.home.root.resolve()
        self._user = user

    @contextmanager
    def held(self) -> Generator[int]:
        with closing(Committer(self.stored, self._user, None, system_clock)) as committer:
            committer.recover()
            with self.stored.exclusive() as pos:
                yield pos

    def check_held(self) -> None:
        """Nobody takes the lock of a home from a process that runs."""
