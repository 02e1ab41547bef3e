"""What the keeper of a SQLite index does in the background, done when a test says so."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw

from palaver.embedding import Embedder
from palaver.index.fulltext.merging import Merging
from palaver.index.fulltext.segments import Mark, Segments
from palaver.index.fulltext.words import FullText
from palaver.index.pieces import piece_key
from palaver.index.sqlite.database import Database
from palaver.index.sqlite.folder_lock import folder_lock
from palaver.index.sqlite.statements import QUERIES
from palaver.index.vectors import VectorStore
from tests.index.worlds import FileWorld, open_files


@contextmanager
def database(world: FileWorld) -> Generator[Database]:
    """A connection to the file of the index, as another process has one."""
    with closing(Database(world.home.index)) as opened:
        yield opened


def take(world: FileWorld, most: int = 1000) -> int:
    """Takes the words of messages that wait into segments, so many at a time; says how many."""
    taken = 0
    with database(world) as opened:
        while some := FullText(opened, QUERIES).take(most):
            taken += some
    return taken


def merging_of(opened: Database) -> Merging:
    return Merging(opened, QUERIES, lambda: folder_lock(opened))


def merge(world: FileWorld) -> None:
    """Merges all that is worth it, and takes away what is left of the old segments."""
    with database(world) as opened:
        merging = merging_of(opened)
        while merging.sweep() or merging.step():
            pass


def marks(world: FileWorld) -> list[Mark]:
    """Which segments there are."""
    with database(world) as opened, opened.reading():
        return Segments(opened, QUERIES).marks()


def run(world: FileWorld, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Does something to the rows behind the back of the index."""
    connection: Any = apsw.Connection(str(world.home.index))
    connection.set_busy_timeout(10_000)
    rows = connection.execute(sql, values).fetchall()
    connection.close()
    return rows


def waiting(world: FileWorld) -> int:
    """How many messages wait."""
    ((count,),) = run(world, "SELECT count(*) FROM waiting")
    return count


def leave_half(world: FileWorld) -> None:
    """As if a merge had died in the middle."""
    copied = "INSERT INTO postings SELECT 77, term, pieces, counts FROM postings LIMIT 300"
    run(world, copied)


# -- vectors -------------------------------------------------------------------------------------


async def open_with(folder: Path, model: Embedder) -> FileWorld:
    return await open_files(folder, lambda: model)


def vectors(world: FileWorld) -> Path:
    return world.home.root / "vectors.db"


def learned(world: FileWorld) -> set[bytes]:
    """The keys of all vectors, of whatever model."""
    with closing(VectorStore(vectors(world), "", 0)) as store:
        return set(store.keys())


def keys(*texts: str) -> set[bytes]:
    return {piece_key(text) for text in texts}
