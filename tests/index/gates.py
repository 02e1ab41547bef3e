"""A ledger whose lines a rebuild reads only when it is let through."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from palaver.index.sqlite.index import SqliteIndex
from palaver.ledger.files import FileLedger, FileStore, Home
from palaver.ledger.lines import Line
from tests.index.worlds import USER, FileWorld, Ticking, Unsynced

_PATIENCE = 20


class GatedStore(FileStore):
    """Stops rebuilds before each stream, until the gate is opened."""

    def __init__(self, home: Home) -> None:
        super().__init__(home, Unsynced())
        self.gate = threading.Event()
        self.gate.set()
        self.stopped = threading.Event()
        """Set once a rebuild stands at the gate."""

    def lines(self, stream: str, *, offset: int = 0, seq: int = 0) -> Iterator[Line]:
        if threading.current_thread().name == "palaver-rebuild" and not self.gate.is_set():
            self.stopped.set()
            assert self.gate.wait(_PATIENCE)
        return super().lines(stream, offset=offset, seq=seq)


@dataclass(frozen=True)
class GatedWorld(FileWorld):
    """A home whose rebuilds can be stopped and let go on."""

    gated: GatedStore

    def shut(self) -> None:
        self.gated.stopped.clear()
        self.gated.gate.clear()

    def wait_until_stopped(self) -> None:
        assert self.gated.stopped.wait(_PATIENCE)

    def let_go(self) -> None:
        self.gated.gate.set()


async def open_gated(folder: Path, *, shut: bool = False) -> GatedWorld:
    """Opens the home in `folder`; the caller closes it."""
    home = Home(folder / "home")
    home.create()
    store = GatedStore(home)
    index = SqliteIndex(home.index, USER, store)
    ledger = FileLedger(store, index, Ticking(), user=USER)
    await ledger.open()
    if shut:
        store.gate.clear()
    await index.open()
    return GatedWorld(ledger, index, home, store, store)
