"""The keeper: a thread that does in the background what nobody should wait for.

It takes the words of messages that wait into segments, merges small segments into larger ones, and
has vectors made of pieces that have none. It works in short steps, the most urgent first. What is
left when it stops is found again at the next start: none of it is remembered anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing

from palaver.errors import IndexTooNew
from palaver.index import attendant
from palaver.index.attendant import Attendant
from palaver.index.faults import Failed, Unusable
from palaver.index.fulltext.merging import Merging
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning.meaning import Meanings
from palaver.index.meaning.unlearned import count_learned, unlearned
from palaver.index.pieces import piece_key
from palaver.index.sqlite.database import Database
from palaver.index.sqlite.effort import Effort
from palaver.index.sqlite.folder_lock import folder_lock
from palaver.index.sqlite.readers import Readers
from palaver.index.sqlite.statements import QUERIES
from palaver.index.stored.info import read_info

MOST_WAITING = 512
"""So many messages do not wait: their words go into a segment."""
_MOST_TEXT = 1 << 20
"""Nor do so many bytes of what they say."""
_LEARNED_AT_ONCE = 32
_FORGOTTEN_AT_ONCE = 1000


class Keeper(Attendant):
    """That of one index."""

    def __init__(self, readers: Readers, shelf: Shelf, meanings: Meanings) -> None:
        super().__init__()
        self._readers = readers
        self._shelf = shelf
        self._meanings = meanings
        meanings.on_change = self.wake
        self.effort = Effort()
        """What becomes of the vectors."""
        self._swept = False
        """Whether vectors that belong to nothing have been looked for."""
        self._again = False
        """Whether something could not be done that may be possible after a while."""

    def hear(self, messages: int) -> None:
        """So many messages have come."""
        if messages:
            super().wake()

    def wake(self) -> None:
        """Looks through everything, also for vectors that belong to nothing."""
        self._swept = False
        super().wake()

    def forget(self, database: Database, keys: Iterable[bytes]) -> None:
        """Erases what pieces mean that are erased, unless others say the same."""
        try:
            self._forget(database, list(keys))
        except (Unusable, Failed, IndexTooNew):
            self.wake()  # they are found again when all vectors are looked through

    def _forget(self, database: Database, keys: Sequence[bytes]) -> None:
        if not keys:
            return
        with database.reading():
            unsaid = self._shelf.unsaid(database, keys)
        if unsaid:
            self._meanings.forget(unsaid)
            self._miss(database, unsaid)

    def _miss(self, database: Database, keys: Sequence[bytes]) -> None:
        """Looks again whether somebody says what has just lost its vector."""
        with database.reading():
            if len(self._shelf.unsaid(database, keys)) == len(keys):
                return
            for book in self._shelf.books(database):
                book.learned = b""
        self.wake()

    def try_again(self) -> None:
        """Has the vectors made at once, whatever kept them from being made."""
        self.effort.cancelled = None
        self._meanings.try_again()
        self.wake()

    def leave(self, database: Database) -> None:
        """Makes no vectors until there are other pieces, or somebody wants them."""
        _, self.effort.cancelled = self.count(database)

    def count(self, database: Database) -> tuple[int, int]:
        """How many pieces have a vector, and how many there are. Raises Unusable, Failed."""
        return count_learned(database, self._shelf, self._meanings.holds)

    # -- in the thread -----------------------------------------------------------------------

    def _work(self) -> None:
        self._again = False
        condition = self._meanings.condition
        try:
            with closing(self._readers.connect()) as database:
                while not self._stopped and self._step(database):
                    pass
            condition.kept()
        except (Unusable, IndexTooNew):
            pass  # it meets whoever asks the index, too, and is seen to there
        except Failed:
            self._again = True
        except Exception as error:  # noqa: BLE001 - without this thread nothing is done any more
            self._again = True
            condition.unkept(f"Something went wrong ({type(error).__name__}: {error}).")
        if self._again and self._meanings.problem:
            self.effort.fails(self._meanings.problem, self._meanings.patience)
        else:
            self.effort.succeeds()

    def _pauses(self) -> tuple[float, float]:
        return max(self._meanings.patience, 0) if self._again else attendant.LOOK, attendant.GRACE

    def _step(self, database: Database) -> bool:
        """Does the most urgent thing; False when there is nothing left to do."""
        with database.reading():
            if not read_info(database, QUERIES).complete:
                return False
        if self._shelf.relieve(database, MOST_WAITING, _MOST_TEXT):
            return True
        merging = Merging(database, QUERIES, lambda: folder_lock(database))
        return merging.sweep() or merging.step() or self._learn(database) or self._sweep(database)

    # -- vectors -----------------------------------------------------------------------------

    def _learn(self, database: Database) -> bool:
        """Has the vectors of some pieces made; False when none are missing, or none can be made."""
        if not self._meanings.wanted or self._is_cancelled(database):
            return False
        texts = self._unlearned(database)
        self.effort.running = bool(texts)
        for start in range(0, len(texts), _LEARNED_AT_ONCE):
            if self._stopped or self.effort.cancelled is not None:
                return False
            if not self._learn_some(database, texts[start : start + _LEARNED_AT_ONCE]):
                self._again = True
                return False
        return bool(texts)

    def _is_cancelled(self, database: Database) -> bool:
        """Whether nobody wants the vectors that are missing."""
        if self.effort.cancelled is not None and self.count(database)[1] != self.effort.cancelled:
            self.effort.cancelled = None
        return self.effort.cancelled is not None

    def _learn_some(self, database: Database, texts: Sequence[str]) -> bool:
        keys = [piece_key(text) for text in texts]
        learned = self._meanings.learn(keys, texts)
        self.forget(database, keys)  # those that were erased while their vectors were made
        return learned

    def _unlearned(self, database: Database) -> list[str]:
        """What some pieces say that have no vector yet, the newest first."""
        texts = unlearned(database, QUERIES, self._shelf, self._meanings)
        if texts is None:
            self._again = True
        return texts or []

    def _sweep(self, database: Database) -> bool:
        """Takes away vectors of texts that are nowhere any more: a process may have died between
        erasing words and erasing what they mean."""
        if not self._swept:
            self._swept = True  # before it looks: somebody may ask for it again meanwhile
            try:
                swept = self._forget_unsaid(database)
            except (Unusable, Failed, IndexTooNew):
                swept = False
            if not swept:
                self._swept, self._again = False, True
        return False

    def _forget_unsaid(self, database: Database) -> bool:
        known = self._meanings.known()  # first: what is said later is not among them
        if not known:
            return known is not None
        with database.reading():
            unsaid = self._shelf.unsaid(database, known)
        for start in range(0, len(unsaid), _FORGOTTEN_AT_ONCE):
            if self._stopped:
                return False
            self._forget(database, unsaid[start : start + _FORGOTTEN_AT_ONCE])
        return True
