"""A database, as those see it who bring work to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from palaver.index.port import After, OwedFilter
from palaver.index.postgres.due import Owing
from palaver.jobs.work import Desk, Onlooker, OwedTo


class DatabaseRows(Onlooker):
    """The Site of everybody in a database, for somebody who runs nothing."""

    def __init__(self, owing: Owing) -> None:
        self._owing = owing

    def owed(
        self,
        wanted: OwedFilter,
        *,
        user: str | None = None,
        after: After | None = None,
        limit: int,
    ) -> Sequence[OwedTo]:
        found = self._owing.undigested(wanted, user=user, after=after, limit=limit)
        return [OwedTo(one.owner, one.user, one.owed) for one in found]


class NodeSite(DatabaseRows):
    """The Site of everybody in a database. The desk of a user is made once."""

    def __init__(
        self, owing: Owing, furnish: Callable[[str], Desk], waken: Callable[[], None]
    ) -> None:
        """`furnish` makes the desk of a user."""
        super().__init__(owing)
        self._furnish = furnish
        self._waken = waken
        self._lock = Lock()
        self._desks: dict[str, Desk] = {}

    def desk(self, user: str) -> Desk:
        with self._lock:
            if user not in self._desks:
                self._desks[user] = self._furnish(user)
            return self._desks[user]

    def wake(self) -> None:
        self._waken()
