"""A node: what all users of one process share who are kept in one database."""

from __future__ import annotations

from contextlib import ExitStack

from palaver.engines.background import Background
from palaver.engines.databases import open_database
from palaver.engines.loading import ModelLoader
from palaver.events import Hint
from palaver.events.postgres import PostgresEvents
from palaver.index.postgres.index import PostgresIndex
from palaver.index.postgres.shared import Shared
from palaver.leases.postgres import PostgresLeases
from palaver.ledger.postgres import Commit, Committer, PostgresLedger, PostgresSource
from palaver.postgres import Pool
from palaver.times import Clock

_CONNECTIONS = 10
"""How many there are beside those of the jobs: each that runs keeps one for its lock."""
_COMMITS = 6
"""How many connections commit: they never wait for those of the index."""


class PostgresNode:
    """The connections, the thread that commits, and what keeps the index in order."""

    def __init__(
        self, url: str, load: ModelLoader | None, clock: Clock, background: Background
    ) -> None:
        """Raises DatabaseUnusable, DatabaseTooNew, StorageFailed."""
        with ExitStack() as opening:
            self.pool = open_database(url, size=_CONNECTIONS + background.pace.concurrency)
            opening.callback(self.pool.close)
            self._shared = Shared(self.pool, load=load)
            model = (lambda: load.identity) if load else None
            self.jobs = background.attach(url, self._shared, model)
            opening.callback(self._shared.close)
            self._shared.open()
            commits = Pool(url, size=_COMMITS)
            opening.callback(commits.close)
            self.events = PostgresEvents(url)
            opening.callback(self.events.close)
            self.leases = PostgresLeases(url)
            opening.callback(self.leases.close)
            self._committer = Committer(commits, self._shared.follower, self._committed, clock)
            opening.callback(self._committer.close)
            self._open = opening.pop_all()

    def source(self, user: str) -> PostgresSource:
        """A user who is not there yet is made. Raises StorageFailed."""
        return PostgresSource(self.pool, user)

    def ledger(self, source: PostgresSource) -> PostgresLedger:
        return PostgresLedger(source, self._committer)

    def index(self, source: PostgresSource) -> PostgresIndex:
        return PostgresIndex(self._shared, source)

    def _committed(self, commit: Commit) -> None:
        self.events.publish(Hint(commit.user, commit.pos))

    def close(self) -> None:
        """Returns when everything that was submitted is committed."""
        self._open.close()
