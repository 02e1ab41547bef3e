"""A fresh database for every test that asks for one, on one server for each worker."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from typing import LiteralString
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from palaver.index.postgres.schema import make_tables
from palaver.index.postgres.statements import Dialect
from palaver.postgres import Pool, migrate
from tests.postgres.server import ROLE, Server

_NUMBERS = count()


class Databases:
    """Makes databases by copying one that is set up already."""

    def __init__(self, url: str, server: Server | None) -> None:
        self._url = url
        self.server = server
        self._prefix = f"palaver_test_{os.getpid()}"
        self._template: str | None = None

    def create(self, *, empty: bool = False) -> str:
        """The address of a new database; an `empty` one has no tables yet, and belongs to the
        administrator."""
        if empty:
            return self._create("template1", "DEFAULT")
        if self._template is None:
            self._template = self._set_up()
        return self._as_role(self._create(_name_of(self._template), self._role))

    def drop(self, url: str) -> None:
        name = sql.Identifier(_name_of(url))
        _run(self._url, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def close(self) -> None:
        if self.server:
            self.server.remove()
        elif self._template:
            self.drop(self._template)

    @property
    def _role(self) -> LiteralString:
        return ROLE if self.server else "DEFAULT"

    def _as_role(self, url: str) -> str:
        return _as(ROLE, url) if self.server else url

    def _set_up(self) -> str:
        """A database with the primary tables, and the extension that only administrators make."""
        url = self._create("template1", self._role)
        _run(url, sql.SQL("CREATE EXTENSION vector"))
        pool = Pool(self._as_role(url))
        migrate(pool)
        make_tables(pool, Dialect())  # as the first node would: whoever opens one has no wait
        pool.close()
        return url

    def _create(self, template: str, owner: LiteralString) -> str:
        name = f"{self._prefix}_{next(_NUMBERS)}"
        create = sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {} STRATEGY file_copy").format(
            sql.Identifier(name), sql.SQL(owner), sql.Identifier(template)
        )
        _run(self._url, create)
        return address(self._url, name)


def _run(url: str, statement: sql.SQL | sql.Composed) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
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


def looking(url: str) -> str:
    """The same database, for somebody who sees the rows of everybody."""
    return _as("postgres", url) if urlsplit(url).username == ROLE else url


def _as(role: str, url: str) -> str:
    return urlsplit(url)._replace(netloc=f"{role}@").geturl()


def row_counts(url: str) -> dict[str, int]:
    """How many rows each of our tables has, but for those of the queue: others put jobs there."""
    with psycopg.connect(looking(url), autocommit=True) as connection:
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
