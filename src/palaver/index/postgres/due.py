"""What is due: for whom something is to be done, as the rows of all users tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import orjson

from palaver.index import port
from palaver.index.faults import Unusable
from palaver.index.postgres.database import Database
from palaver.index.postgres.statements import Dialect
from palaver.index.rows import to_owed
from palaver.index.stored.owed import owed_values
from palaver.index.stored.places import read_conversation
from palaver.postgres import EVERYBODY, Pool, Row

_CHECK, _REBUILD = "check", "rebuild"


class Owed(NamedTuple):
    """A user for whom something is to be done."""

    owner: int
    user: str
    mark: int
    """What to note when it was done; another one when there is more to do."""
    behind: int = 0
    """How much of the ledger there is: with more there is more to do."""


class Undigested(NamedTuple):
    """What a conversation of a user is owed."""

    owner: int
    user: str
    owed: port.Owed


class Owing:
    """Looks at the books of all users in one version. Every method may raise StorageFailed."""

    def __init__(self, pool: Pool, dialect: Dialect) -> None:
        self._pool = pool
        self._sql = dialect.live
        self._schema = dialect.schema

    def unlearned(self, model: str) -> list[Owed]:
        """In whose books something has happened since the vectors of a model were made."""
        found = self._all("to_keep", {"kind": _meaning(model)})
        return [Owed(owner, user, stirred, pos) for owner, stirred, user, pos in found]

    def learned(self, owner: int, model: str, mark: int, *, some: bool) -> None:
        """Everything has its vector that had come until `mark` was read. With `some`, vectors were
        made: whoever keeps them in order is to look."""
        with self._pool.connection(owner) as connection, connection.writing():
            stirred = some and connection.run(self._sql["stir"], {"stirred": mark})
            noted = {"kind": _meaning(model), "stirred": mark + int(stirred)}
            connection.run(self._sql["note_kept"], noted)

    def unmade(self) -> list[Owed]:
        """Whose books are not there, not complete, or to be made again; `mark` is when somebody
        asked for that."""
        return [Owed(*row) for row in self._all("to_make", {"kind": _REBUILD})]

    def ask(self, owner: int, when: int) -> None:
        """Has the books of a user made again."""
        self._note(owner, _REBUILD, when)

    def made(self, owner: int) -> None:
        """They were."""
        with self._pool.connection(owner) as connection, connection.writing():
            connection.run(self._sql["unnote_kept"], {"kind": _REBUILD})

    def unchecked(self, night: int) -> list[Owed]:
        """Whose books were not checked since a night. New ones are, first, in the next."""
        return [Owed(*row) for row in self._all("to_check", {"kind": _CHECK, "night": night})]

    def checked(self, owner: int, night: int) -> None:
        self._note(owner, _CHECK, night)

    def undigested(
        self,
        wanted: port.OwedFilter,
        *,
        user: str | None = None,
        after: port.After | None = None,
        limit: int,
    ) -> list[Undigested]:
        """What conversations of one user or of all are owed, in the order (heard, id). Nothing is
        known of those in books that are not complete."""
        values = {**owed_values(wanted, after, limit), "user": user}
        found = self._all("to_digest", values)
        ids: dict[int, list[str]] = {}
        for owner, _, conversation_id in found:
            ids.setdefault(owner, []).append(conversation_id)
        standing = {owner: self._standing(owner, some) for owner, some in ids.items()}
        return [
            Undigested(owner, user, standing[owner][conversation_id])
            for owner, user, conversation_id in found
            if conversation_id in standing[owner]
        ]

    def _standing(self, owner: int, ids: Sequence[str]) -> dict[str, port.Owed]:
        """How some conversations of a user stand: only here is a word of theirs read."""
        database = Database(self._pool, owner, self._sql)
        asked = (orjson.dumps(ids).decode(),)
        # What is wrong with a book meets whoever works in it, too, and is seen to there.
        with suppress(Unusable), database.reading():
            rows = database.all(self._sql["some_conversations"], asked)
            return {row[0]: to_owed(read_conversation(row)) for row in rows}
        return {}

    def _all(self, statement: str, values: Mapping[str, object]) -> list[Row]:
        """Before the tables of this version are made, nothing is due."""
        with self._pool.connection(EVERYBODY) as connection, connection.writing():
            if connection.one(self._sql["schema_exists"], (self._schema,)) is None:
                return []
            return connection.all(self._sql[statement], values)

    def _note(self, owner: int, kind: str, mark: int) -> None:
        with self._pool.connection(owner) as connection, connection.writing():
            connection.run(self._sql["note_kept"], {"kind": kind, "stirred": mark})


def _meaning(model: str) -> str:
    return f"meaning {model}"
