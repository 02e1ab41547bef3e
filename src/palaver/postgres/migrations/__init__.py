"""The primary tables of a database, and how they get from one version to the next.

Each numbered file here is run once, in order, and never changed afterwards.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Literal, NamedTuple

from palaver.errors import DatabaseTooNew
from palaver.postgres.connection import QUERIES, Connection
from palaver.postgres.pool import Pool


class Migration(NamedTuple):
    number: int
    name: str
    sql: str


def known() -> list[Migration]:
    """Every migration this program has, in order."""
    found = sorted(
        (item for item in files(__name__).iterdir() if item.name.endswith(".sql")),
        key=lambda item: item.name,
    )
    return [
        Migration(int(item.name[:4]), item.name[5:-4], item.read_text(encoding="utf-8"))
        for item in found
    ]


State = Literal["missing", "old", "current", "new"]


def state_of(pool: Pool) -> State:
    """What `migrate` would find; nothing is changed."""
    with pool.connection() as connection:
        done = _done(connection)
    wanted = {item.number for item in known()}
    if done - wanted:
        return "new"
    return "current" if done == wanted else "old" if done else "missing"


def migrate(pool: Pool) -> None:
    """Brings the primary tables up to date; several nodes may do so at once.

    Raises DatabaseTooNew when a newer program has been there, DatabaseUnusable when we may not.
    """
    migrations = known()
    with pool.connection() as connection:
        if _done(connection) == {item.number for item in migrations}:
            return
        with connection.writing():
            connection.run(QUERIES["migration_limits"])
            connection.run(QUERIES["migration_lock"])
            connection.script(QUERIES["migration_table"])
            _run(connection, migrations)


def is_set_up(pool: Pool) -> bool:
    """Whether the database has any primary tables, of whatever version."""
    with pool.connection() as connection:
        return bool(_done(connection))


def _done(connection: Connection) -> set[int]:
    with connection.reading():
        if connection.one(QUERIES["migrations_known"]) != (True,):
            return set()
        return _numbers(connection)


def _numbers(connection: Connection) -> set[int]:
    return {number for (number,) in connection.all(QUERIES["migrations_done"])}


def _run(connection: Connection, migrations: list[Migration]) -> None:
    done = _numbers(connection)
    if done - {item.number for item in migrations}:
        raise DatabaseTooNew
    for item in migrations:
        if item.number not in done:
            connection.script(item.sql)
            connection.run(QUERIES["migration_note"], (item.number, item.name))
