"""What became of a commit whose answer got lost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Event

from palaver.errors import StorageBusy, StorageUncertain, StorageUnreachable
from palaver.ledger import chain
from palaver.ledger.postgres.port import Commit
from palaver.ledger.postgres.rows import QUERIES
from palaver.postgres import Pool

_PAUSE = 0.1


def is_stored(pool: Pool, commits: Sequence[Commit], patience: float) -> bool:
    """Whether the lines of a commit are there. Raises StorageUncertain when it cannot be known.

    A server that is down is waited for, but not longer than `patience`.
    """
    deadline, pause = time.monotonic() + patience, Event()
    while True:
        try:
            return _look(pool, commits)
        except (StorageUnreachable, StorageBusy):
            if time.monotonic() > deadline:
                raise StorageUncertain from None
            pause.wait(_PAUSE)


def _look(pool: Pool, commits: Sequence[Commit]) -> bool:
    for commit in commits:
        ours = {chain.chain_of(line.raw) for line in commit.lines}
        positions = [line.pos for line in commit.lines]
        with pool.connection(commit.owner) as connection, connection.writing():
            # While the lost transaction is still at work, it holds this lock.
            connection.one(QUERIES["hold"])
            rows = connection.all(QUERIES["at_positions"], (positions,))
        found = {chain.chain_of(line.encode()) for _, line in rows if line is not None}
        if found or not rows or rows[0][0] < commit.pos:
            return bool(found & ours)
    raise StorageUncertain  # its numbers were given, and whatever they were given to was deleted
