"""The codes of one model in memory, following the file."""

from __future__ import annotations

from threading import Lock

from palaver.index.faults import Unusable
from palaver.index.sqlite.database import Database
from palaver.index.vectors import blocks
from palaver.index.vectors.codes import words
from palaver.index.vectors.snapshot import Snapshot, nothing
from palaver.index.vectors.statements import QUERIES


class Memory:
    """Whoever asks gets exactly what their transaction sees."""

    def __init__(self, model: str, dimensions: int) -> None:
        self._model = model
        self._words = words(dimensions)
        self._lock = Lock()
        self._snapshot = nothing(b"")

    def follow(self, database: Database) -> Snapshot:
        """Reads what is new. Raises Unusable.

        Nothing else may be read before it in the transaction: under the lock, one that begins to
        read later sees at least as much, so memory is never ahead of it.
        """
        with self._lock:
            stamp, change = read_info(database)
            known = self._snapshot
            if known.stamp != stamp or known.change > change:
                known = nothing(stamp)  # another file, or an older copy of it
            if known.change != change:
                rows = database.each(QUERIES["changed"], (self._model, known.change))
                written = (blocks.read(self._words, *row) for row in rows)
                known = known.with_blocks(change, written)
            self._snapshot = known
            return known

    def forget(self) -> None:
        """Lets go of everything; it is read again when it is needed."""
        with self._lock:
            self._snapshot = nothing(b"")


def read_info(database: Database) -> tuple[bytes, int]:
    """The stamp of the file and its change. Raises Unusable."""
    row = database.one(QUERIES["info"])
    if row is None:
        raise Unusable("The file of the vectors is not as this program made it.")
    return row[0], row[1]
