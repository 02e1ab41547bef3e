"""A rebuild: makes every row again beside the live ones, then puts them in their place.

It reads without the ledger's lock and writes in short transactions, so that messages are taken all
the while. The lock is held only to learn what has been committed, and at the end. What it has done
stays when it is interrupted; the next one goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import islice
from threading import Event

from palaver.index.connection import Connection
from palaver.index.fulltext.analyst import Analyst
from palaver.index.fulltext.takings import Takings
from palaver.index.fulltext.words import FullText
from palaver.index.projection import Fold
from palaver.index.sketch import sketch
from palaver.index.stored.carry import carry
from palaver.index.stored.catchup import catch_up, compare, is_lost
from palaver.index.stored.info import read_info
from palaver.index.stored.places import stored_conversation
from palaver.index.stored.portions import Part, portions
from palaver.index.stored.sets import Sets
from palaver.index.stored.settled import Settled
from palaver.index.stored.tables import StreamRecord, Tables
from palaver.ledger.lines import USER_STREAM
from palaver.ledger.port import LineSource

_SKETCHES = 200
_ROUNDS = 4
_LITTLE = 1 << 20
"""How many bytes may be left to read while nobody can commit."""

_MUCH = 32 << 20
"""With so many bytes to read, words are counted in another process."""
_WAITING = 16_384
"""How many messages make a segment."""

Progress = Callable[[int, int], None]


class Stopped(Exception):
    """The index is being closed; the rebuild goes on another time."""


class Rebuild:
    """One rebuild, in one thread, by one process at a time."""

    def __init__(
        self,
        database: Connection,
        sets: Sets,
        source: LineSource,
        progress: Progress,
        stop: Event,
    ) -> None:
        self._database = database
        self._sets = sets
        self._source = source
        self._progress = progress
        self._stop = stop
        self._live = Tables(database, sets.live, source)
        self._folds: dict[str, Fold] = {}

    def needed(self) -> bool:
        """Whether rows are missing, or an earlier rebuild was interrupted."""
        with self._database.reading():
            complete = read_info(self._database, self._sets.live).complete
        return not complete or self._sets.has_new()

    def little(self) -> bool:
        """Whether the ledger is so short that it can be read while everybody waits."""
        return sum(self._source.sizes().values()) < _LITTLE

    def at_once(self, swapped: Callable[[], None]) -> None:
        """Applies what the live tables lack, while everybody waits. Raises Unusable, Failed."""
        with self._source.exclusive() as pos:
            with self._database.writing():
                catch_up(self._live, self._source, self._source.sizes())
                self._database.run(self._sets.live["set_complete"], {"position": pos})
            swapped()

    def run(self, swapped: Callable[[], None], *, afresh: bool) -> None:
        """Rebuilds. `swapped` is called while the lock is still held. Raises Stopped, and more."""
        self._sets.sweep_old(self._pause)
        if afresh:
            self._sets.sweep_new(self._pause)
        self._list()
        if not self._sets.has_new():
            with self._database.writing():
                self._sets.begin_new()
        for _ in range(_ROUNDS):
            if self._fill(Settled(self._source)) < _LITTLE:
                break
        while self._take_words():
            self._pause()
        with self._source.exclusive() as pos:
            self._finish(pos)
            swapped()

    def clean_up(self) -> None:
        """Takes away what was replaced. Raises Stopped, and more."""
        self._sets.sweep_old(self._pause)

    # -- sketches ----------------------------------------------------------------------------

    def _list(self) -> None:
        """Gives every conversation a row at once, unless there are rows."""
        with self._database.reading():
            if read_info(self._database, self._sets.live).listed:
                return
        names = (name for name in self._source.sizes() if name.startswith("conv-"))
        ahead = iter(sorted(names, reverse=True))
        while some := list(islice(ahead, _SKETCHES)):
            while not self._sketch(some):
                pass
        with self._database.writing():
            self._database.run(self._sets.live["set_listed"])

    def _sketch(self, streams: Iterable[str]) -> bool:
        """Stores sketches; False if something was erased while they were made."""
        self._pause()
        erasures = self._erasures()
        rows = [row for name in streams if (row := sketch(name, self._source.pieces(name)))]
        with self._database.writing():
            if read_info(self._database, self._sets.live).erasures != erasures:
                return False
            self._database.many(self._sets.live["add_sketch"], map(stored_conversation, rows))
        return True

    # -- rows --------------------------------------------------------------------------------

    def _fill(self, settled: Settled) -> int:
        """Stores the rows of all that is settled and not stored yet; gives how many bytes."""
        lost = {record.name for record in self._lost(settled)}
        before, total = _progress(self._records(), settled)
        stored = 0
        with closing(Analyst(apart=total - before >= _MUCH, pause=self._pause)) as analyst:
            takings = Takings(FullText(self._database, self._sets.new), analyst, _WAITING)
            # The user's stream says what is deleted; of the others, the newest come first.
            for wanted in (_is_users, _is_others):
                while (size := self._fill_some(settled, wanted, lost, takings)) is None:
                    pass
                stored += size
            takings.finish(self._pause)
        return stored

    def _fill_some(
        self, settled: Settled, wanted: Callable[[str], bool], lost: set[str], takings: Takings
    ) -> int | None:
        """Stores the rows of some streams; None if something was erased meanwhile."""
        self._folds.clear()
        erasures, records = self._erasures(), self._records()
        tables = Tables(self._database, self._sets.new, settled)
        tables.on_said = takings.hear
        tables.words.on_gone = takings.forget
        behind = compare(records, settled.sizes()).behind
        streams = [name for name in behind if wanted(name) and name not in lost]
        before, total = _progress(records, settled)
        done = before
        for parts in portions(settled, streams, records):
            if not self._store(tables, parts, erasures):
                return None
            takings.take()
            done += sum(part.lines[-1].end - part.lines[0].offset for part in parts)
            self._progress(done, total)
        return done - before

    def _store(self, tables: Tables, parts: Sequence[Part], erasures: int) -> bool:
        """Stores a portion; False if something was erased while it was read."""
        self._pause()
        with self._database.writing():
            if read_info(self._database, self._sets.live).erasures != erasures:
                self._folds.clear()
                return False
            for stream, lines in parts:
                record = tables.begin(stream)
                fold = self._folds.pop(stream, None) or tables.fold(record)
                if record.state != "deleted":
                    self._folds = {stream: tables.take(record, fold, lines)}
        return True

    def _take_words(self) -> bool:
        """Takes words that wait into a segment, if there are any."""
        return FullText(self._database, self._sets.new).take(_WAITING) > 0

    def _lost(self, settled: Settled) -> list[StreamRecord]:
        """Streams of which the live tables hold more than there is."""
        with self._database.reading():
            if not read_info(self._database, self._sets.live).complete:
                return []
            records = self._live.records()
        return [record for record in records.values() if is_lost(record, settled.sizes())]

    # -- the end -----------------------------------------------------------------------------

    def _finish(self, pos: int) -> None:
        sizes = self._source.sizes()
        tables = Tables(self._database, self._sets.new, self._source)
        with self._database.writing():
            complete = read_info(self._database, self._sets.live).complete
            held = self._live.records() if complete else {}
            lost = [record for record in held.values() if is_lost(record, sizes)]
            names = {record.name for record in lost}
            catch_up(tables, self._source, {n: s for n, s in sizes.items() if n not in names})
            for record in lost:
                carry(self._live, tables, record)
        with self._database.writing():
            self._sets.swap()
            self._database.run(self._sets.live["set_complete"], {"position": pos})

    def _pause(self) -> None:
        if self._stop.is_set():
            raise Stopped

    # -- what is known -----------------------------------------------------------------------

    def _erasures(self) -> int:
        with self._database.reading():
            return read_info(self._database, self._sets.live).erasures

    def _records(self) -> dict[str, StreamRecord]:
        with self._database.reading():
            return Tables(self._database, self._sets.new, self._source).records()


def _is_users(stream: str) -> bool:
    return stream == USER_STREAM


def _is_others(stream: str) -> bool:
    return stream != USER_STREAM


def _progress(records: dict[str, StreamRecord], settled: Settled) -> tuple[int, int]:
    sizes = settled.sizes()
    done = sum(min(record.size, sizes.get(record.name, 0)) for record in records.values())
    return done, sum(sizes.values())
