"""A keeper: a thread of a node that keeps one kind of thing in order, for all users.

It works in short steps, for one user after the other. What another node is keeping in order at the
moment is left to it. How far each user's book was kept is noted, so that only those are looked at
in which something has happened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from palaver.errors import PalaverError
from palaver.index.attendant import GRACE, LOOK, Attendant
from palaver.index.faults import Unusable
from palaver.index.postgres.locks import Locks
from palaver.index.postgres.statements import Dialect
from palaver.postgres import EVERYBODY, Pool

log = logging.getLogger(__name__)

Step = Callable[[int], bool | None]
"""Does the most urgent thing for a user; False when there is nothing left to do, None when that
cannot be done now."""


class Node(Protocol):
    """What a keeper needs of its node."""

    pool: Pool
    dialect: Dialect
    locks: Locks


class Keeper(Attendant):
    """One for each kind of thing."""

    def __init__(
        self,
        node: Node,
        kind: str,
        detail: Callable[[], str | None],
        step: Step,
        *,
        grace: float = GRACE,
    ) -> None:
        """`kind` and `detail` name what is kept: each is done once, by whatever node. Without a
        detail nothing can be done now."""
        super().__init__()
        self._pool = node.pool
        self._sql = node.dialect.live
        self._locks = node.locks
        self._kind = kind
        self._detail = detail
        self._step = step
        self._grace = grace

    # -- in the thread -----------------------------------------------------------------------

    def _pauses(self) -> tuple[float, float]:
        return LOOK, self._grace

    def _work(self) -> None:
        try:
            detail = self._detail()
            if detail is not None:
                self._keep_all(f"{self._kind} {detail}")
        except PalaverError:
            pass  # the database is not there now; it is looked for again
        except Exception:  # without this thread nothing is done any more
            log.exception("Something went wrong while the index was kept in order.")

    def _keep_all(self, kind: str) -> None:
        with self._pool.connection(EVERYBODY) as connection:
            (found,) = connection.glance((self._sql["to_keep"], {"kind": kind}))
        for owner, stirred, _, _ in found.rows:
            if self._stopped:
                return
            with self._locks.tried(owner, kind) as held:
                if held and self._keep(owner):
                    self._note(owner, kind, stirred)

    def _keep(self, owner: int) -> bool:
        """Whether everything was done."""
        try:
            while done := self._step(owner):
                if self._stopped:
                    return False
        except Unusable:
            return False  # it meets whoever asks the index, too, and is seen to there
        return done is False

    def _note(self, owner: int, kind: str, stirred: int) -> None:
        with self._pool.connection(owner) as connection, connection.writing():
            connection.run(self._sql["note_kept"], {"kind": kind, "stirred": stirred})
