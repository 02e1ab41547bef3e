"""Counting: how many texts of a user have a vector, and how many wait for one."""

from __future__ import annotations

from contextlib import closing
from typing import NamedTuple

from palaver.embedding.facts import DIMENSIONS, IDENTITY
from palaver.engines.users import check_user, home_of
from palaver.errors import IndexTooNew, StorageError
from palaver.index.faults import Failed, Unusable
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning.unlearned import count_learned
from palaver.ledger.files import Home
from palaver.settings import Settings


class Counted(NamedTuple):
    """None where nobody can tell now: whoever opens the home or the database says why."""

    vectors: int | None
    waiting: int | None = None


def count_vectors(settings: Settings, user: str) -> Counted:
    """Those of the embedding model. Raises BadValue."""
    home = home_of(settings.home, user)
    if settings.database.url is None:
        return _in_home(home)
    try:
        return _in_database(settings.database.url, check_user(user))
    except StorageError:
        return Counted(None)


def _in_home(home: Home) -> Counted:
    from palaver.index.sqlite.readers import Readers
    from palaver.index.sqlite.statements import QUERIES
    from palaver.index.vectors import VectorStore

    if not home.vectors.exists():
        return Counted(0)
    try:
        with closing(VectorStore(home.vectors, IDENTITY, DIMENSIONS)) as store:
            vectors = store.models().get(IDENTITY, 0)
            try:
                with closing(Readers(home.index).connect()) as database:
                    done, total = count_learned(database, Shelf(QUERIES), store.holds)
                    return Counted(vectors, total - done)
            except (Unusable, Failed, IndexTooNew):
                return Counted(vectors)
    except (Unusable, Failed, IndexTooNew):
        return Counted(None)


def _in_database(url: str, user: str) -> Counted:
    from palaver.engines.databases import number_of, open_database
    from palaver.index.postgres.database import Database
    from palaver.index.postgres.statements import Dialect
    from palaver.index.postgres.vectors import PostgresVectors

    with closing(open_database(url)) as pool:
        owner = number_of(pool, user)
        if owner is None:
            return Counted(0)
        sql = Dialect().live
        vectors = PostgresVectors(pool, owner, IDENTITY, DIMENSIONS)
        known = vectors.models().get(IDENTITY, 0)
        try:
            database = Database(pool, owner, sql)
            done, total = count_learned(database, Shelf(sql), vectors.holds)
            return Counted(known, total - done)
        except (StorageError, Unusable):
            return Counted(known)
