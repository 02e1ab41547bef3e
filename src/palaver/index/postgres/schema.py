"""The tables of this version: made when a node starts, by one node at a time."""

from __future__ import annotations

from palaver.index.postgres.statements import Dialect
from palaver.postgres import Pool


def make_tables(pool: Pool, dialect: Dialect) -> None:
    """Makes sure that they are there. Raises StorageFailed, DatabaseUnusable."""
    sql = dialect.live
    with pool.connection() as connection:
        if connection.one(sql["schema_exists"], (dialect.schema,)):
            return
        with connection.writing():
            connection.one(sql["schema_lock"])
            if not connection.one(sql["schema_exists"], (dialect.schema,)):
                connection.script(dialect.tables)
