"""A database as a whole: opened for a moment, or for something that shares no node."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from palaver.postgres import Pool, migrate
from palaver.postgres.migrations import State, state_of
from palaver.sql import statements

QUERIES = statements(__package__ or "", "queries.sql")


def open_database(url: str, *, size: int = 1) -> Pool:
    """Connections to tables that are up to date. Raises DatabaseUnusable, DatabaseTooNew."""
    pool = Pool(url, size=size)
    try:
        pool.open()
        migrate(pool)
    except BaseException:
        pool.close()
        raise
    return pool


def has_user(url: str, user: str) -> bool:
    """Whether somebody of that name is there. Raises DatabaseUnusable, DatabaseTooNew."""
    with closing(open_database(url)) as pool:
        return number_of(pool, user) is not None


def number_of(pool: Pool, user: str) -> int | None:
    """The number that the rows of a user carry, if somebody of that name is there."""
    with pool.connection() as connection:
        row = connection.one(QUERIES["user_number"], (user,))
        return row[0] if row else None


def remove_user(url: str, user: str) -> None:
    """Takes away everything of a user whom nobody uses any more. Raises StorageFailed."""
    from palaver.index.postgres.vectors import Graphs

    with closing(open_database(url)) as pool:
        owner = number_of(pool, user)
        if owner is None:
            return
        with pool.connection(owner) as connection, connection.writing():
            connection.script(QUERIES["remove_user"])
        Graphs(pool, "").tend(owner)  # without vectors, none is kept


@dataclass(frozen=True, slots=True)
class Seen:
    """What somebody sees who looks at a database and changes nothing."""

    version: str
    tables: State
    has_vectors: bool | None
    """Whether pgvector is in use; None when the server does not have it."""
    users: int
    is_held: bool
    """Whether the server holds the role to the rows of those for whom it acts."""


def look_at(url: str) -> Seen:
    """Raises DatabaseUnusable, StorageFailed."""
    with closing(Pool(url, size=1)) as pool:
        pool.open()
        tables = state_of(pool)
        with pool.connection() as connection:
            version = connection.one(QUERIES["server_version"]) or ("",)
            vectors = connection.one(QUERIES["vector_extension"]) or (None,)
            passes = connection.one(QUERIES["passes_walls"]) or (True,)
            known = tables != "missing"
            users = connection.one(QUERIES["users"]) if known else None
        return Seen(version[0], tables, vectors[0], (users or (0,))[0], is_held=not passes[0])
