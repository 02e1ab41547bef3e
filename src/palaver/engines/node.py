"""A node: what all users of one process share who are kept in one database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from palaver.engines.background import Background
from palaver.engines.databases import open_database
from palaver.engines.loading import ModelLoader
from palaver.engines.node_site import NodeSite
from palaver.events import Hint
from palaver.events.postgres import PostgresEvents
from palaver.events.postgres_relay import NodeRelay, PostgresRelay
from palaver.index.postgres.due import Owing
from palaver.index.postgres.index import PostgresIndex
from palaver.index.postgres.shared import Shared
from palaver.jobs.work import Desk, Work, kinds_of
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
        self,
        url: str,
        load: ModelLoader | None,
        clock: Clock,
        background: Background,
        work: Sequence[Work] = (),
    ) -> None:
        """`work` is what others bring to be done. Raises DatabaseUnusable, DatabaseTooNew,
        StorageFailed."""
        self.work = work
        self._indexes: list[PostgresIndex] = []
        """Those that jobs have asked something."""
        with ExitStack() as opening:
            self.pool = open_database(url, size=_CONNECTIONS + background.pace.concurrency)
            opening.callback(self.pool.close)
            self._shared = Shared(self.pool, load=load)
            commits = Pool(url, size=_COMMITS)
            opening.callback(commits.close)
            self.events = PostgresEvents(url)
            opening.callback(self.events.close)
            self._relay = NodeRelay(self.pool, self.events)
            opening.callback(self._relay.close)
            self.leases = PostgresLeases(url)
            opening.callback(self.leases.close)
            self._committer = Committer(commits, self._shared.follower, self._committed, clock)
            opening.callback(self._committer.close)
            model = (lambda: load.identity) if load else None
            self.jobs = background.attach(url, self._shared, model, kinds_of(work, self._site()))
            for one in work:
                opening.callback(one.close)
            opening.callback(self._stop_indexes)
            opening.callback(self._shared.close)  # first: jobs that end still write
            self._shared.open()
            self._open = opening.pop_all()

    def _site(self) -> NodeSite:
        owing = Owing(self.pool, self._shared.dialect)
        return NodeSite(owing, self._desk, self.wake)

    def _desk(self, user: str) -> Desk:
        source = self.source(user)
        index = self.index(source)
        self._indexes.append(index)
        return Desk(user, self.ledger(source), index, self.leases)

    def _stop_indexes(self) -> None:
        """Ends the rebuilds that their questions have begun."""
        for index in self._indexes:
            index.stop()

    def source(self, user: str) -> PostgresSource:
        """A user who is not there yet is made. Raises StorageFailed."""
        return PostgresSource(self.pool, user)

    def ledger(self, source: PostgresSource) -> PostgresLedger:
        return PostgresLedger(source, self._committer)

    def index(self, source: PostgresSource) -> PostgresIndex:
        return PostgresIndex(self._shared, source)

    def relay(self, source: PostgresSource) -> PostgresRelay:
        return self._relay.of(source.user, source.owner)

    def wake(self) -> None:
        """Has it looked for what is due, soon."""
        self._shared.wake()

    def settle(self, user: str) -> None:
        """Returns when everything is done for a user that others have brought."""
        if self._shared.background is not None:
            self._shared.background.settle(user, brought=True)

    def _committed(self, commit: Commit) -> None:
        self.events.publish(Hint(commit.user, commit.pos))

    def close(self) -> None:
        """Returns when everything that was submitted is committed."""
        self._open.close()
