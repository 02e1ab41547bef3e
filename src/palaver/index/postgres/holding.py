"""What a node holds in memory of one user: pieces, the condition of the index, the model."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from weakref import WeakValueDictionary

from palaver.index.condition import Condition
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning.meaning import Meanings
from palaver.index.postgres.books import Books


@dataclass(slots=True, weakref_slot=True)
class Holding:
    """Used by the index of the user and by whoever keeps it in order."""

    books: Books
    shelf: Shelf
    condition: Condition
    meanings: Meanings
    swept: bool = False
    """Whether vectors that belong to nothing have been looked for."""


class Holdings:
    """Those of the users who were asked for last, and of those whose index somebody has open: all
    who work for a user have the same. Safe to use from any thread."""

    def __init__(self, make: Callable[[int], Holding], most: int) -> None:
        self._make = make
        self._most = most
        self._lock = Lock()
        self._held: OrderedDict[int, Holding] = OrderedDict()
        self._used: WeakValueDictionary[int, Holding] = WeakValueDictionary()

    def of(self, owner: int) -> Holding:
        with self._lock:
            held = self._held.pop(owner, None) or self._used.get(owner) or self._make(owner)
            self._held[owner] = self._used[owner] = held
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return held

    def held(self) -> dict[int, Holding]:
        """Those that are in memory now."""
        with self._lock:
            return dict(self._used)
