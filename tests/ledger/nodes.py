"""Nodes that share a database, as processes on several machines do."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg

from palaver.ledger.lines import meta, turn
from palaver.ledger.port import Finding
from palaver.ledger.postgres import (
    Committed,
    Committer,
    PostgresFollower,
    PostgresLedger,
    PostgresSource,
)
from palaver.ledger.verify import verify_streams
from palaver.postgres import Pool
from palaver.times import Clock
from tests.postgres.databases import looking

A, B = "conv-A", "conv-B"


def _noon() -> datetime:
    return datetime(2026, 2, 14, 12, tzinfo=UTC)


class Node:
    """The connections and the committer of one process."""

    def __init__(
        self,
        url: str,
        follower: PostgresFollower | None = None,
        committed: Committed | None = None,
        *,
        clock: Clock = _noon,
        patience: float = 15.0,
        **limits: Any,
    ) -> None:
        self.pool = Pool(url, **limits)
        self.committer = Committer(self.pool, follower, committed, clock, patience=patience)

    def source(self, user: str = "local") -> PostgresSource:
        return PostgresSource(self.pool, user)

    def ledger(self, user: str = "local") -> PostgresLedger:
        return PostgresLedger(self.source(user), self.committer)

    def damage(self, user: str = "local") -> list[Finding]:
        return [item for item in verify_streams(self.source(user)) if item.damage]

    def close(self) -> None:
        self.committer.close()
        self.pool.close()


class Nodes:
    """Makes nodes on one database, and closes them."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.url = url
        self._stack = stack

    def __call__(self, url: str | None = None, *told: Any, **limits: Any) -> Node:
        node = Node(url or self.url, *told, **limits)
        self._stack.callback(node.close)
        return node

    def sql(self, statement: Any, *values: Any) -> list[tuple[Any, ...]]:
        """What somebody does who is no node."""
        with psycopg.connect(looking(self.url), autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def held(self, user: str) -> Generator[None]:
        """Somebody keeps everybody from committing for the user."""
        with psycopg.connect(looking(self.url)) as connection:
            connection.execute("SELECT FROM palaver.users WHERE name = %s FOR UPDATE", (user,))
            yield
            connection.rollback()


async def begin(ledger: PostgresLedger, stream: str, *contents: str, user: str = "local") -> None:
    said = [turn(stream, "user", content) for content in contents]
    await ledger.append([meta(stream, user=user), *said])


async def contents(ledger: PostgresLedger, stream: str = A) -> list[str]:
    return [line.data["content"] for line in await ledger.read(stream) if line.type == "turn"]
