"""Meaning: what the index needs of the model and of the vectors, and what happens without them.

Without a model, or with vectors that cannot be read, full text answers alone and the health of the
index says why. Nothing here raises for that.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from palaver.embedding import Embedder
from palaver.errors import IndexDegraded, IndexTooNew, PalaverError, StorageError
from palaver.index.condition import Condition
from palaver.index.evidence import Floats, Keys, Vector
from palaver.index.faults import Failed, Unusable
from palaver.index.meaning.asked import Asked
from palaver.index.meaning.mean_vectors import mean_vectors
from palaver.index.meaning.place import Place, Store
from palaver.index.pieces import piece_key, short_key
from palaver.index.port import Question

_TRY_AGAIN = 30.0
"""After so many seconds what could not be done is tried again."""
THREADS = 4
"""So many threads find out what questions mean."""
_REMEDY = "Run `palaver model status`; until it works search goes by words alone."

Load = Callable[[], Embedder]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Model:
    embedder: Embedder
    store: Store


class Meanings:
    """The model and its vectors; used by many threads."""

    def __init__(
        self,
        place: Place,
        load: Load | None,
        condition: Condition,
        *,
        threads: ThreadPoolExecutor | None = None,
    ) -> None:
        """`load` gives the model, or raises what is wrong with it; None for full text only.
        Whoever gives `threads` closes them."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when there is a model, or another file of vectors, that there was not before."""
        self.condition = condition
        self.problem: PalaverError | None = None
        """Why nobody can tell what texts mean, if so."""
        self._place = place
        self._load = load
        self._lock = Lock()
        self._model: _Model | None = None
        self._failed_at: float | None = None
        self._broken = False
        """Whether the model did not work when it was used last."""
        self._seen = b""
        """Which file of vectors was used last."""
        self._starting = Lock()
        self._given = threads
        self._threads: ThreadPoolExecutor | None = None
        self._process = 0
        """Which process has the threads: after a fork, the other one has none."""
        self._closed = False

    @property
    def wanted(self) -> bool:
        """Whether there is to be search by meaning."""
        return self._load is not None

    @property
    def patience(self) -> float:
        """After so many seconds it is worth trying again what could not be done."""
        return _TRY_AGAIN

    def try_again(self) -> None:
        """Has the model looked for at once, if there was none."""
        with self._lock:
            self._failed_at = None

    def close(self) -> None:
        with self._starting:
            self._closed = True
            threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown()
        with self._lock:
            model, self._model = self._model, None
        if model is not None:
            model.store.close()

    def vector(self, text: str) -> Vector | None:
        """What a text means; None when no model can tell, or not from what it knows of it."""
        model = self._use()
        vectors = self._embed(model.embedder, [text], only_read=True) if model else None
        return None if vectors is None else vectors[0]

    def ask(self, question: Question) -> Asked | None:
        """The vectors, to be asked for what is near; None when there are none to ask."""
        return Asked(self, question) if self.wanted and question.text else None

    def attempt(self, work: Callable[[Store], T]) -> T | None:
        """Does some work with the vectors; None when they do not allow it, or there are none."""
        model = self._use()
        return self._try(model.store, lambda: work(model.store)) if model else None

    def start(self, work: Callable[..., T], *given: Any) -> Future[T]:
        """Has it done by a thread; those begun first go first. Once closed, does it at once."""
        if self._given is not None:
            return self._given.submit(work, *given)
        with self._starting:
            if not self._closed:
                if self._threads is None or self._process != os.getpid():
                    self._process = os.getpid()
                    self._threads = ThreadPoolExecutor(THREADS, "meaning")
                return self._threads.submit(work, *given)
        done: Future[T] = Future()
        done.set_result(work(*given))
        return done

    def read(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors that there are of some pieces, by their text."""
        keys = np.array([short_key(piece_key(text)) for text in texts], np.uint64)
        found = self.attempt(lambda store: store.vectors(keys))
        if found is None:
            return {}
        known = zip(texts, found, strict=True)
        return {text: vector for text, vector in known if not np.isnan(vector[0])}

    def stamp(self) -> bytes | None:
        """What tells the file of vectors from every other; None when nobody can tell now."""
        return self.attempt(lambda store: store.stamp())

    def holds(self, keys: Keys) -> NDArray[np.bool_] | None:
        """Which of the keys have a vector; None when nobody can tell now."""
        return self.attempt(lambda store: store.holds(keys))

    def learn(self, keys: Sequence[bytes], texts: Sequence[str]) -> bool:
        """Makes and keeps the vectors of texts; False when that is not possible now."""
        model = self._use()
        vectors = self._embed(model.embedder, texts) if model else None
        if model is None or vectors is None:
            return False
        return self._try(model.store, lambda: model.store.put(keys, vectors) or True) or False

    def forget(self, keys: Sequence[bytes]) -> None:
        """The vectors of texts go, of whatever model. Raises Unusable, Failed, IndexTooNew,
        StorageFailed."""
        if keys and self._place.exists():
            with self._whatever_model() as store:
                store.delete(keys)

    def known(self) -> list[bytes] | None:
        """The keys of everything that has a vector of whatever model; None when nobody can tell
        now."""
        if not self._place.exists():
            return []
        seen = b""
        with self._whatever_model() as store:
            try:
                seen = store.stamp()
                return store.keys()
            except Unusable:
                self._make_again(store, seen)
            except (Failed, IndexTooNew, StorageError) as error:
                self._lacks(error)
        return None

    @contextmanager
    def _whatever_model(self) -> Generator[Store]:
        """The vectors, also when there is no model."""
        with self._lock:
            model = self._model
        if model is not None:
            yield model.store
        else:
            with closing(self._place.vectors("", 0)) as store:
                yield store

    # -- the model ---------------------------------------------------------------------------

    def _use(self) -> _Model | None:
        with self._lock:
            if self._closed or self._model is not None or self._load is None or not self._is_time():
                return self._model
            self._failed_at = time.monotonic()
            try:
                self._model = self._opened(self._load())
            except Exception as error:  # noqa: BLE001 - a model is other people's code
                self._lacks(error)
                return None
            model = self._model
        self._works()
        self._notice(model.store)
        return model

    def _opened(self, embedder: Embedder) -> _Model:
        store = self._place.vectors(embedder.identity, embedder.dimensions)
        try:
            store.open()
        except Unusable:
            store.make_again(store.used)
        return _Model(embedder, store)

    def _embed(
        self, embedder: Embedder, texts: Sequence[str], *, only_read: bool = False
    ) -> Floats | None:
        """The vectors of texts; None when the model does not make them, or with `only_read` when it
        does not know what stands in them."""
        try:
            if only_read and not all(map(embedder.reads, texts)):
                return None
            vectors = mean_vectors(embedder, texts)
        except Exception as error:  # noqa: BLE001 - a model is other people's code
            self._broken = True
            self._lacks(error)
            return None
        if self._broken:
            self._broken = False
            self._works()
            self.on_change()
        return vectors

    def _lacks(self, error: Exception) -> None:
        """Tells why there is no search by meaning, if there is to be any."""
        if not self.wanted:
            return
        self.problem = self._told(error)
        self.condition.lacks_meaning(self.problem.message, self.problem.remedy)

    def _told(self, error: Exception) -> PalaverError:
        if isinstance(error, PalaverError):
            return error
        if isinstance(error, Failed):
            return IndexDegraded(str(error), remedy=error.remedy)
        if isinstance(error, Unusable):
            return IndexDegraded(str(error), remedy=self._place.remedy)
        what = f"{type(error).__name__}: {error}"
        return IndexDegraded(f"The model does not work ({what}).", remedy=_REMEDY)

    def _works(self) -> None:
        self.problem = None
        self.condition.means()

    def _is_time(self) -> bool:
        return self._failed_at is None or time.monotonic() - self._failed_at >= _TRY_AGAIN

    # -- the vectors -------------------------------------------------------------------------

    def _try(self, store: Store, work: Callable[[], T]) -> T | None:
        """Does the work; None when the vectors do not allow it. A damaged file is made again, and
        its vectors are missing then."""
        seen = store.used
        try:
            found = work()
        except Unusable:
            self._make_again(store, seen)
            return None
        except (Failed, IndexTooNew, StorageError) as error:
            self._lacks(error)
            return None
        if self._model is not None and not self._broken:
            self._works()
        self._notice(store)
        return found

    def _make_again(self, store: Store, seen: bytes) -> None:
        try:
            store.make_again(seen)
        except (Unusable, Failed, IndexTooNew) as error:
            self._lacks(error)
        else:
            self._notice(store)

    def _notice(self, store: Store) -> None:
        """Tells when the file of vectors is another than before: its vectors may be missing."""
        model = self._model
        if model is not None and store is model.store and self._seen != store.used:
            self._seen = store.used
            self.on_change()
