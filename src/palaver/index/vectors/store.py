"""The vectors of a home: kept under the hash of their text, searched by nearness.

They are derived, but costly: a rebuild of the index leaves them alone. Nothing here knows of
messages; whoever deletes a text deletes the vector under its key. Several processes may use the
file at once, and several threads a store.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Keys
from palaver.index.faults import Failed, Unusable
from palaver.index.sqlite.database import Database
from palaver.index.vectors import search
from palaver.index.vectors.blocks import KEY, short
from palaver.index.vectors.changes import Changes
from palaver.index.vectors.file import VectorFile, VectorReaders, alone, connect, create, remove
from palaver.index.vectors.memory import Memory, read_info
from palaver.index.vectors.search import Cosines
from palaver.index.vectors.snapshot import Snapshot
from palaver.index.vectors.statements import QUERIES


class VectorStore:
    """The vectors of one model in `vectors.db`.

    A key has sixteen bytes. Searches take and give its first eight, as a number.
    Every method raises Unusable when the file is gone or damaged, so that nobody takes that for
    having no vectors: `make_again` makes an empty one, and the texts have to be embedded again.
    Every method raises Failed when the file cannot be used now, IndexTooNew when it was made by a
    newer program.
    """

    def __init__(self, path: Path, model: str, dimensions: int) -> None:
        self._path = path
        self._model = model
        self._dimensions = dimensions
        self._memory = Memory(model, dimensions)
        self._readers = VectorReaders(path)
        self._lock = Lock()
        self._writer: VectorFile | None = None
        self._dirty = True  # whoever came before may have died between deleting and cleaning
        self.used = b""
        """The stamp of the file that was used last."""

    # -- the file ----------------------------------------------------------------------------

    def open(self) -> None:
        """Makes the file if there is none; the codes are read when they are needed."""
        with self._lock:
            if not self._path.exists():
                with alone(self._path):
                    create(self._path)
            with self._using() as file:
                self._clean(file)

    def close(self) -> None:
        with self._lock:
            if self._writer is not None:
                with suppress(Unusable, Failed):  # the next who opens it cleans, too
                    self._clean(self._writer)
            self._let_go()
            self._readers.close()

    def stamp(self) -> bytes:
        """What tells the file from every other."""
        with self._readers.reading() as file:
            self.used, _ = read_info(file)
        return self.used

    def make_again(self, seen: bytes) -> None:
        """Puts an empty file in the place of one that is gone or damaged; `seen` is the stamp of
        the one in which that was seen, as in `used`.

        The old one is not kept: it would keep what is deleted later. One that somebody else has
        made meanwhile is used as it is.
        """
        with self._lock:
            self._let_go()
            self._readers.close()
            self._memory.forget()
            with alone(self._path):
                if not self._replaced(seen):
                    remove(self._path)
                create(self._path)
            with self._using():
                pass

    # -- writing -----------------------------------------------------------------------------

    def put(self, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Stores a vector of unit length under each key, all or none; what is there stays."""
        with self._lock, self._using() as file:
            with file.writing():
                Changes(file, self._model, self._dimensions, self._memory).add(keys, vectors)
            self._clean(file)

    def delete(self, keys: Sequence[bytes]) -> int:
        """Deletes the vectors of every model; returns how many there were.

        Afterwards their bytes are in no file, unless somebody was reading all the while: then they
        leave the log with the next change, or when the store is closed.
        """
        with self._lock, self._using() as file:
            with file.writing():
                self._dirty = True
                deleted = sum(changes.remove(keys) for changes in self._every_model(file))
            self._clean(file)
        return deleted

    # -- asking ------------------------------------------------------------------------------

    def holds(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of the keys have a vector of this model, from memory."""
        with self._reading() as (_, snapshot):
            return snapshot.locate(keys) >= 0

    def keys(self) -> list[bytes]:
        """Every key under which there is a vector, of whatever model."""
        with self._readers.reading() as file:
            rows = file.all(QUERIES["keys"])
        every = b"".join(keys for (keys,) in rows)
        if len(every) % KEY:
            raise Unusable("The keys of some vectors are damaged.")
        return np.frombuffer(every, f"V{KEY}")[short(every) != 0].tolist()

    def models(self) -> dict[str, int]:
        """How many vectors there are of each model."""
        with self._readers.reading() as file:
            return dict(file.all(QUERIES["counts"]))

    def nearest(
        self,
        query: NDArray[np.float32],
        k: int,
        among: Keys | None = None,
        *,
        beyond: bool = False,
    ) -> tuple[Keys, Cosines]:
        """The k vectors nearest to a query of unit length, nearest first: keys and cosines.

        Nearly always the true ones: see `palaver.index.vectors.search`. With `among`, of these
        keys only. With `beyond`, also those that were read on the way, about 150 + 3k in all:
        most of the next ones, but not all.
        """
        with self._reading() as (file, snapshot):
            keys, cosines = search.nearest(file, snapshot, query, k, among)
        return (keys, cosines) if beyond else (keys[:k], cosines[:k])

    def estimate(self, query: NDArray[np.float32], keys: Keys) -> Cosines:
        """About the cosine of each key, from memory; not a number where there is no vector."""
        with self._reading() as (_, snapshot):
            return search.estimates(snapshot, query, keys)

    def cosines(self, query: NDArray[np.float32], keys: Keys) -> Cosines:
        """The cosine of each key, from the file; not a number where there is no vector."""
        with self._reading() as (file, snapshot):
            return search.cosines(file, snapshot, query, keys)

    def vectors(self, keys: Keys) -> Cosines:
        """The vector of each key, a row, from the file; not numbers where there is none."""
        with self._reading() as (file, snapshot):
            return search.vectors(file, snapshot, keys, self._dimensions)

    # -- connections -------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Generator[tuple[Database, Snapshot]]:
        with self._readers.reading() as file:
            snapshot = self._memory.follow(file)
            self.used = snapshot.stamp
            yield file, snapshot

    @contextmanager
    def _using(self) -> Generator[VectorFile]:
        """The connection that writes, while the lock is held."""
        if self._writer is not None and self._writer.moved():
            self._let_go()
        if self._writer is None:
            self._writer = connect(self._path)
            self.used = self._writer.stamp()
        try:
            yield self._writer
        except (Unusable, Failed):
            self._let_go()
            raise

    def _let_go(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def _every_model(self, file: VectorFile) -> Generator[Changes]:
        for model, dimensions in file.all(QUERIES["models"]):
            own = model == self._model
            memory = self._memory if own else Memory(model, dimensions)
            yield Changes(file, model, dimensions, memory)

    def _clean(self, file: VectorFile) -> None:
        """Makes sure that deleted bytes are in no file, unless somebody reads."""
        if self._dirty:
            self._dirty = not file.checkpoint()

    def _replaced(self, seen: bytes) -> bool:
        """Whether the file is a sound one, and another than was seen. Raises IndexTooNew."""
        try:
            with closing(connect(self._path)) as file:
                return file.stamp() != seen
        except Unusable:
            return False
