"""Learning: vectors for pieces that have none, and none for pieces that are gone."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.errors import IndexDegraded, PalaverError
from palaver.index.meaning.unlearned import count_learned, unlearned
from palaver.index.pieces import piece_key
from palaver.index.postgres.holding import Holding

_LEARNED_AT_ONCE = 32
_FORGOTTEN_AT_ONCE = 1000


class Learning:
    """Keeps the vectors of one user in order, step by step."""

    def __init__(self, holding: Holding) -> None:
        self._holding = holding
        self._meanings = holding.meanings
        self._shelf = holding.shelf
        self._sql = holding.books.dialect.live
        self._database = holding.books.database()
        self.learned = 0
        """How many pieces got their vectors in the last step."""

    def step(self) -> bool | None:
        """Does the most urgent thing; False when there is nothing left to do, None when it cannot
        be done now. Raises Unusable, StorageFailed."""
        self.learned = 0
        if not self._holding.books.catch_up():
            return False
        if not self._holding.swept:
            return self._sweep()
        return self._learn()

    @property
    def problem(self) -> PalaverError:
        """Why a step could not be done."""
        return self._meanings.problem or IndexDegraded("The vectors cannot be used now.")

    def count(self) -> tuple[int, int]:
        """How many pieces have a vector, and how many there are. Raises Unusable, StorageFailed."""
        return count_learned(self._database, self._shelf, self._meanings.holds)

    def _learn(self) -> bool | None:
        texts = unlearned(self._database, self._sql, self._shelf, self._meanings)
        if not texts:
            return None if texts is None else False
        some = texts[:_LEARNED_AT_ONCE]
        keys = [piece_key(text) for text in some]
        learned = self._meanings.learn(keys, some)
        self.learned = len(some)
        self._forget(keys)  # those that were erased while their vectors were made
        return True if learned else None

    def forget_noted(self) -> bool:
        """Takes away what some pieces meant that were erased, of whatever model; False when there
        are none. Raises Unusable, StorageFailed."""
        with self._database.reading():
            if self._database.one(self._sql["has_forgotten"]) is None:
                return False
        with self._database.writing():
            rows = self._database.all(self._sql["take_forgotten"], {"some": _FORGOTTEN_AT_ONCE})
            if rows:
                keys = [key for (key,) in rows]
                self._meanings.forget(self._shelf.unsaid(self._database, keys))
        return bool(rows)

    def _sweep(self) -> bool | None:
        """Takes away vectors of texts that are nowhere any more, such as those of pieces that were
        cut in another way before."""
        self._holding.swept = True
        known = self._meanings.known()  # first: what is said later is not among them
        if known is None:
            self._holding.swept = False
            return None
        self._forget(known)
        return True

    def _forget(self, keys: Sequence[bytes]) -> None:
        """Erases what pieces mean, unless somebody says them."""
        unsaid = self._unsaid(keys)
        for start in range(0, len(unsaid), _FORGOTTEN_AT_ONCE):
            some = unsaid[start : start + _FORGOTTEN_AT_ONCE]
            self._meanings.forget(some)
            if len(self._unsaid(some)) < len(some):
                self._miss()

    def _unsaid(self, keys: Sequence[bytes]) -> list[bytes]:
        with self._database.reading():
            return self._shelf.unsaid(self._database, keys) if keys else []

    def _miss(self) -> None:
        """Somebody says what has just lost its vector: all pieces are looked through again."""
        with self._database.reading():
            for book in self._shelf.books(self._database):
                book.learned = b""
