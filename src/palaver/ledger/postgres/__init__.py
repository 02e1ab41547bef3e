"""The ledger in PostgreSQL: the exact lines in a table, for many users on many machines."""

from palaver.ledger.postgres.committer import Committer
from palaver.ledger.postgres.ledger import PostgresLedger
from palaver.ledger.postgres.port import Commit, Committed, PostgresFollower
from palaver.ledger.postgres.source import PostgresSource

__all__ = [
    "Commit",
    "Committed",
    "Committer",
    "PostgresFollower",
    "PostgresLedger",
    "PostgresSource",
]
