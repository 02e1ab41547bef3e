"""What the indexes of all users share on one node: connections, statements, a model, keepers."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from threading import Lock
from typing import Protocol

from palaver.embedding import Embedder
from palaver.index.condition import Condition
from palaver.index.fulltext.merging import Merging
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning.meaning import THREADS, Load, Meanings
from palaver.index.postgres.books import Books
from palaver.index.postgres.follower import IndexFollower
from palaver.index.postgres.holding import Holding, Holdings
from palaver.index.postgres.keeper import Keeper
from palaver.index.postgres.learning import Learning
from palaver.index.postgres.locks import Locks
from palaver.index.postgres.place import VectorsTable
from palaver.index.postgres.statements import VERSION, Dialect
from palaver.index.postgres.vectors import Graphs
from palaver.index.postgres.versions import Versions
from palaver.postgres import Pool

_HOLDINGS = 64
"""The pieces of so many users, those who were asked for last, are kept in memory."""
_MOST_WAITING = 512
"""So many messages do not wait: their words go into a segment."""
_MOST_TEXT = 1 << 20
"""Nor do so many bytes of what they say."""
_WORDS_WAIT = 5.0
"""So many seconds they may: a search finds them meanwhile."""


class Background(Protocol):
    """Whoever does what takes longer: it has the vectors made, for all users."""

    def start(self) -> None: ...

    def wake(self) -> None:
        """There may be something to do."""
        ...

    def settle(self, user: str, *, brought: bool = False) -> None:
        """Returns when the index is kept in order for a user as far as that can be; with `brought`,
        when all else is done for them, too. Raises StorageFailed."""
        ...

    def stop(self) -> None: ...


class Shared:
    """One for each node. Safe to use from any thread."""

    def __init__(self, pool: Pool, load: Load | None = None, *, version: str = VERSION) -> None:
        """`load` gives the model that tells what texts mean; without it there is full text only."""
        self.pool = pool
        self.dialect = Dialect(version)
        self._versions = Versions(pool, self.dialect)
        self.locks = Locks(pool, self.dialect.live, self.dialect.schema)
        self.follower = IndexFollower(self.dialect, self.wake)
        """Whom the committer of the node tells."""
        self._load = _once(load) if load else None
        self._threads = ThreadPoolExecutor(THREADS, "meaning")
        self._holdings = Holdings(self._hold, _HOLDINGS)
        self._graphs: Graphs | None = None
        """Those of the model, once it is known."""
        self.background: Background | None = None
        """Set it before this is opened, if there is any."""
        self._keepers = [Keeper(self, "words", lambda: "", self._keep_words, grace=_WORDS_WAIT)]
        if load is not None:
            self._keepers.append(Keeper(self, "graphs", self._model, self._keep_graphs))

    def open(self) -> None:
        """Makes sure that the tables of this version are there. Raises StorageFailed."""
        self._versions.open()
        for keeper in self._keepers:
            keeper.start()
        if self.background is not None:
            self.background.start()

    def close(self) -> None:
        """Ends everything, even what can no longer be told so. Raises StorageFailed."""
        with ExitStack() as closing:
            closing.callback(self._versions.close)
            closing.callback(self._threads.shutdown)
            for keeper in self._keepers:
                closing.callback(keeper.stop)
            if self._graphs is not None:
                closing.callback(self._graphs.stop)
            if self.background is not None:
                closing.callback(self.background.stop)

    def wake(self) -> None:
        """There may be something to keep in order."""
        for keeper in self._keepers:
            keeper.wake()
        if self.background is not None:
            self.background.wake()

    def settle(self, user: str) -> None:
        """Returns when everything is kept in order that can be, for a user."""
        if self.background is not None:
            self.background.settle(user)
        for keeper in self._keepers:
            keeper.settle()

    def holding(self, owner: int) -> Holding:
        return self._holdings.of(owner)

    def learning(self, owner: int) -> Learning:
        """What makes the vectors of a user. Raises whatever is wrong with the model."""
        holding = self.holding(owner)
        holding.meanings.try_again()
        if self._load is not None:
            self._load()
        return Learning(holding)

    def report(self, failing: Mapping[int, str]) -> None:
        """For whom something cannot be done in the background, and why; for all others it can."""
        for owner, holding in self._holdings.held().items():
            if owner in failing:
                holding.condition.unkept(failing[owner])
            else:
                holding.condition.kept()

    # -- what is kept ------------------------------------------------------------------------

    def _hold(self, owner: int) -> Holding:
        condition = Condition()
        meanings = Meanings(
            VectorsTable(self.pool, owner),
            self._load,
            condition,
            threads=self._threads,
        )
        books = Books(self.pool, owner, self.dialect)
        return Holding(books, Shelf(self.dialect.live), condition, meanings)

    def _model(self) -> str | None:
        """Which model it is; None when there is none now."""
        try:
            return self._load().identity if self._load else None
        except Exception:  # noqa: BLE001 - a model is other people's code; the health tells of it
            return None

    def _keep_words(self, owner: int) -> bool | None:
        holding = self.holding(owner)
        if not holding.books.catch_up():
            return False
        database = holding.books.database()
        if Learning(holding).forget_noted():
            return True
        if holding.shelf.relieve(database, _MOST_WAITING, _MOST_TEXT):
            return True
        # The keeper of another node does not keep this book meanwhile.
        merging = Merging(database, self.dialect.live, lambda: nullcontext(True))
        return merging.sweep() or merging.step() or holding.books.sets().sweep_some()

    def _keep_graphs(self, owner: int) -> bool | None:
        if self._graphs is None:
            self._graphs = Graphs(self.pool, self._model() or "")
        return self._graphs.tend(owner)


def _once(load: Load) -> Load:
    """Gives the same model to everybody; raises whatever is wrong with it."""
    lock = Lock()
    found: list[Embedder] = []

    def loaded() -> Embedder:
        with lock:
            if not found:
                found.append(load())
            return found[0]

    return loaded
