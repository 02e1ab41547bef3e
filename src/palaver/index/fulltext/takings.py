"""The words of a rebuild: taken into segments from the messages that it has just stored.

They wait like those of any other message. Whoever is interrupted finds them waiting, and whoever
changes one of them meanwhile is noticed; but nothing is read again that is still at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from palaver.index.connection import Row
from palaver.index.fulltext.analyst import Analyst
from palaver.index.fulltext.segments import Ready
from palaver.index.fulltext.words import AT_ONCE, FullText, Waiting, counted, said_by
from palaver.index.rows import MessageRow
from palaver.index.stored.places import stream_of

_LOTS = 3
"""The messages of so many segments may wait for the analyst, however long it takes."""


class Takings:
    """Messages of one rebuild whose words wait until there are enough of them for a segment."""

    def __init__(self, words: FullText, analyst: Analyst, most: int) -> None:
        self._words = words
        self._analyst = analyst
        self._most = most
        self._heard: dict[int, Waiting] = {}
        self._size = 0
        self._lots: list[dict[int, Waiting]] = []
        """Those that make a segment."""
        self._given: list[Waiting] = []
        """Those that the analyst has."""

    def hear(self, stored: Row, row: MessageRow) -> None:
        """The words of a message wait from now on."""
        at = stored[0]
        self._heard[at] = Waiting(at, stored[-1], said_by(stream_of(at), row))
        self._size += len(row.content)

    def forget(self, at: int) -> None:
        """The words of a message do not wait any more: it was replaced, or erased."""
        gone = self._heard.pop(at, None)
        self._size -= len(gone.said.content) if gone else 0
        for lot in self._lots:
            lot.pop(at, None)

    def take(self) -> None:
        """Takes some of them, if there are many. In transactions of its own."""
        if len(self._heard) >= self._most or self._size >= AT_ONCE:
            self._close_lot()
        begun = bool(self._lots) and self._give_lot()
        # While the analyst is at work, one can be counted here; another is kept for it.
        if len(self._lots) > (1 if begun else _LOTS):
            self._take_lot()

    def finish(self, pause: Callable[[], None]) -> None:
        """Takes all of them; those that were changed meanwhile still wait afterwards.

        `pause` is called before each segment.
        """
        if self._heard:
            self._close_lot()
        while self._lots:
            pause()
            # What is left is too little to start another process for it.
            if not (self._analyst.started and self._give_lot()):
                self._take_lot()
        pause()
        self._take_given()

    def _close_lot(self) -> None:
        self._lots.append(self._heard)
        self._heard, self._size = {}, 0

    def _give_lot(self) -> bool:
        """Gives the analyst something to do, unless it is busy."""
        if not self._analyst.done():
            return False
        self._take_given()
        self._given = list(self._lots.pop(0).values())
        self._analyst.give([one.said for one in self._given])
        return True

    def _take_lot(self) -> None:
        """Does what the analyst does, while it is busy."""
        lot = list(self._lots.pop(0).values())
        self._put(lot, counted([one.said for one in lot]))

    def _take_given(self) -> None:
        if self._given:
            self._put(self._given, self._analyst.get())
            self._given = []

    def _put(self, lot: list[Waiting], made: Iterable[Ready]) -> None:
        """Stores segments; when some of their messages were changed, those of the others."""
        while not self._words.put(lot, made):
            lot = self._words.still_waiting(lot)
            made = counted([one.said for one in lot])
