"""A fresh database for every test that asks for one, on one server for each worker."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from palaver.postgres import Pool, migrate
from tests.postgres.server import Server

_NUMBERS = count()


class Databases:
    """Makes databases by copying one that is set up already."""

    def __init__(self, url: str, server: Server | None) -> None:
        self._url = url
        self.server = server
        self._prefix = f"palaver_test_{os.getpid()}"
        self._template: str | None = None

    def create(self, *, empty: bool = False) -> str:
        """The address of a new database; an `empty` one has no tables yet."""
        if self._template is None and not empty:
            self._template = self.create(empty=True)
            pool = Pool(self._template)
            migrate(pool)
            pool.close()
        name = f"{self._prefix}_{next(_NUMBERS)}"
        template = "template1" if empty else _name_of(self._template or "")
        self._run(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        return address(self._url, name)

    def drop(self, url: str) -> None:
        self._run(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(_name_of(url))))

    def close(self) -> None:
        if self.server:
            self.server.remove()
        elif self._template:
            self.drop(self._template)

    def _run(self, statement: sql.Composed) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def databases() -> Generator[Databases]:
    """On the server that `PALAVER_TEST_DATABASE_URL` names, or on one of our own."""
    given = os.environ.get("PALAVER_TEST_DATABASE_URL")
    server = None if given else Server()
    made = Databases(given or (server.url if server else ""), server)
    try:
        yield made
    finally:
        made.close()


def ours(made: Databases) -> Server:
    """The server, for a test that stops it, or that knows who may sign in."""
    if made.server is None:
        pytest.skip("The server that PALAVER_TEST_DATABASE_URL names is not ours.")
    return made.server


def address(url: str, name: str) -> str:
    """The address of another database on the same server."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def row_counts(url: str) -> dict[str, int]:
    """How many rows each of our tables has, but for those of the queue: others put jobs there."""
    with psycopg.connect(url, autocommit=True) as connection:
        tables = connection.execute(
            """
            SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
            WHERE table_schema LIKE 'palaver%' AND table_type = 'BASE TABLE'
                AND table_name NOT LIKE 'procrastinate%'
            """
        ).fetchall()
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}".encode()).fetchall()[0][0]
            for (name,) in tables
        }


def _name_of(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")
