"""A database as a whole: opened for a moment, or for something that shares no node."""

from __future__ import annotations

from contextlib import closing

from palaver.postgres import Pool, migrate
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
    with closing(open_database(url)) as pool, pool.connection() as connection:
        return connection.one(QUERIES["user_known"], (user,)) == (True,)
