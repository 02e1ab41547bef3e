"""The writing side: follows the ledger, commit by commit.

Used while the ledger's lock is held, by the thread that commits. It never raises: what it cannot
take it leaves to be caught up with, and says so in the condition of the index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TypeVar

from palaver.errors import IndexTooNew
from palaver.index.condition import Condition
from palaver.index.connection import Connection, Row
from palaver.index.faults import Failed, Incomplete, Unusable
from palaver.index.sqlite.database import Database
from palaver.index.sqlite.faults import faults
from palaver.index.sqlite.residue import wipe
from palaver.index.sqlite.statements import NEW, OLD, QUERIES, QUERIES_OF
from palaver.index.sqlite.sweep import exists, sweep
from palaver.index.stored.catchup import catch_up, compare
from palaver.index.stored.caught import CaughtUp
from palaver.index.stored.following import erases, follow, follow_sketches, take_out
from palaver.index.stored.info import Info, read_info
from palaver.index.stored.rebuilds import Rebuilds
from palaver.index.stored.tables import Tables
from palaver.ledger.lines import Line
from palaver.ledger.port import KeyHit, LineSource

T = TypeVar("T")
_ATTEMPTS = 3
_MOST_AT_ONCE = 32 << 20
"""A larger backlog is left to a rebuild, so that nobody waits for it."""


class Writer:
    """A Follower that writes the live tables."""

    def __init__(
        self,
        path: Path,
        source: LineSource,
        condition: Condition,
        rebuilds: Rebuilds,
        forget: Callable[[Database, Iterable[bytes]], None],
    ) -> None:
        """`forget` erases what erased pieces mean, unless others say the same."""
        self._path = path
        self._source = source
        self._condition = condition
        self._rebuilds = rebuilds
        self._forget = forget
        self._lock = Lock()
        self._database: Database | None = None
        self._opened = False
        self._dirty = False
        """Whether erased words may still be in the log."""
        self.behind = False
        """Whether lines could not be applied."""
        self.caught = CaughtUp()
        """What was missing, and is applied."""

    # -- Follower ----------------------------------------------------------------------------

    def seen(self) -> Mapping[str, int]:
        return self._attempt(self._seen) or {}

    def position(self) -> int:
        row = self._attempt(lambda: self._use().glance(QUERIES["applied"]))
        return row[0] if row else 0

    def lost(self, stream: str) -> bool:
        row = self._attempt(lambda: self._use().glance(QUERIES["known_state"], (stream,)))
        return row is not None and row[0] == "lost"

    def find_key(self, digest: str, pos: int) -> KeyHit | None:
        key = bytes.fromhex(digest)
        row = self._attempt(lambda: self._key(key, pos))
        if row is None:
            return KeyHit(None, sure=False)
        used, stream, offset = row
        return KeyHit(stream, offset or 0) if used else None

    def apply(self, lines: Sequence[Line], pos: int) -> None:
        if not self._attempt(lambda: self._follow(lines, pos)):
            self.behind = True

    def current(self, pos: int) -> bool:
        """Whether everything up to `pos` has been applied; catches up first if it can."""
        return self._attempt(lambda: self._current(pos)) or False

    # -- opening and closing -----------------------------------------------------------------

    def open(self) -> None:
        """Catches up with the ledger. Raises Unusable, Failed, IndexTooNew."""
        with faults(), self._source.exclusive() as pos, self._lock:
            self._opened = self.behind = True
            self._dirty = True  # whoever came before may have died between erasing and cleaning
            self._follow((), pos)
            if any(exists(self._use(), left) for left in (NEW, OLD)):
                raise Incomplete("A rebuild was interrupted.")

    def close(self) -> None:
        with self._lock:
            if self._dirty and self._database is not None:
                self._clean(self._database)
            self._let_go()

    def swapped(self) -> None:
        """A rebuild has applied everything; nobody can commit yet."""
        with self._lock:
            self._let_go()  # the file may be another one now
            database = self._use()
            with database.reading():
                self._note_lost(database)
            self._condition.trusted = database.identity
            self.behind = False

    # -- the file ----------------------------------------------------------------------------

    def _use(self) -> Database:
        if self._database is None:
            database = Database(self._path)
            try:
                database.check_version()
            except (IndexTooNew, Unusable):
                database.close()
                raise
            self._database = database
            self.behind = self.behind or database.identity != self._condition.trusted
        return self._database

    def _let_go(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            database.close()

    def _attempt(self, work: Callable[[], T]) -> T | None:
        """Does the work, or takes care of what stands in its way and gives None."""
        with self._lock:
            try:
                return work()
            except IndexTooNew:
                self._let_go()
            except Unusable as fault:
                self._let_go()
                if self._opened:
                    self._rebuilds.start_for(fault)
            except Failed as fault:
                self._let_go()
                self._condition.fails(fault)
        return None

    def _seen(self) -> dict[str, int]:
        database = self._use()
        with database.reading():
            rows = database.all(QUERIES["streams"]) if read_info(database, QUERIES).complete else []
        return {name: size for name, _, size, _, state in rows if state != "deleted"}

    # -- following ---------------------------------------------------------------------------

    def _current(self, pos: int) -> bool:
        applied = self._use().glance(QUERIES["applied"])
        if applied is None:
            return False
        if (applied[0] != pos or self.behind) and self._opened:
            return self._follow((), pos)
        return applied[0] == pos

    def _key(self, key: bytes, pos: int) -> Row | None:
        """Whether a key was used, and where; None unless everything up to `pos` is applied."""
        row = self._use().glance(QUERIES["find_key"], (key,))
        if not (row and row[0] == pos and not self.behind):
            row = self._use().glance(QUERIES["find_key"], (key,)) if self._current(pos) else None
        return row[1:] if row else None

    def _follow(self, lines: Sequence[Line], pos: int) -> bool:
        """Applies the lines, and whatever is missing before them; False if it has to wait."""
        database = self._use()
        tables = Tables(database, QUERIES, self._source)
        with database.writing():
            info = read_info(database, QUERIES)
            if info.complete:
                done = self._take(tables, info, lines, pos)
            else:
                follow_sketches(tables, self._source, lines)
                done = True
            self._note_erasures(tables, lines)
        self._forget(database, tables.unsaid)
        if tables.erased or self._dirty:
            self._clean(database)
        if done and info.complete:
            self.behind = False
            self._condition.trusted = database.identity
            self._condition.recovers()
        elif self._opened:
            self._rebuilds.start_for(Incomplete("The index is not complete."))
        return done

    def _take(self, tables: Tables, info: Info, lines: Sequence[Line], pos: int) -> bool:
        fitting = info.position == pos and not self.behind and follow(tables, lines)
        if not fitting and not (self._opened and self._catch_up(tables)):
            return False
        position = max(pos, lines[-1].pos) if lines else pos
        tables.database.run(QUERIES["set_position"], (position,))
        return True

    def _catch_up(self, tables: Tables) -> bool:
        """Applies what is missing; False if it is so much that a rebuild has to."""
        sizes = self._source.sizes()
        if dict(tables.database.all(QUERIES["whole"])) != sizes:
            comparison = compare(tables.records(), sizes)
            if comparison.backlog > _MOST_AT_ONCE and not comparison.lost:
                tables.database.run(QUERIES["start_over"])
                return False
            self.caught.add(catch_up(tables, self._source, sizes))
        self._note_lost(tables.database)
        return True

    def _note_lost(self, database: Connection) -> None:
        self._condition.loses([name for (name,) in database.all(QUERIES["lost_streams"])])

    # -- erasing -----------------------------------------------------------------------------

    def _note_erasures(self, live: Tables, lines: Sequence[Line]) -> None:
        """Takes erased words out of the tables that a rebuild is filling, too."""
        if not (live.erased or erases(lines)):
            return
        self._dirty = True
        database = live.database
        database.run(QUERIES["count_erasure"])
        if database.one(QUERIES["exists"], {"name": f"{NEW}streams"}):
            take_out(Tables(database, QUERIES_OF[NEW], self._source), lines)

    def _clean(self, database: Database) -> None:
        """Makes sure that erased words are in no file."""
        self._dirty = True
        if exists(database, OLD):
            sweep(database, OLD)
        self._dirty = not any(database.checkpoint() and wipe(self._path) for _ in range(_ATTEMPTS))
