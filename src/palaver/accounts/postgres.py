"""The accounts of a database: every node sees the same, the moment it is written."""

from __future__ import annotations

from contextlib import suppress

from palaver.accounts.port import Change, Row
from palaver.errors import StorageError
from palaver.postgres import EVERYBODY, Pool
from palaver.sql import statements

_QUERIES = statements(__package__ or "", "postgres.sql")
_FOR_A_USER = {"add_token", "add_sign_in", "add_link", "add_account", "put_password"}
"""What names a user, who may have nothing yet."""


class PostgresRows:
    """The rows of `people`, `tokens`, `sign_ins` and `links`; the connections become its own."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def read(self, query: str, **values: object) -> list[Row]:
        with self._pool.connection(EVERYBODY) as connection:
            return connection.glance((_QUERIES[query], values))[0].rows

    def write(self, *changes: Change) -> None:
        with self._pool.connection(EVERYBODY) as connection, connection.writing():
            for query, values in changes:
                if query in _FOR_A_USER:
                    connection.run(_QUERIES["add_user"], values)
                connection.run(_QUERIES[query], values)

    def note(self, query: str, **values: object) -> None:
        with suppress(StorageError):  # a full disk or a lock must not keep anybody from reading
            self.write((query, values))

    def close(self) -> None:
        self._pool.close()
