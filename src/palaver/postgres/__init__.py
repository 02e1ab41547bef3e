"""PostgreSQL: connections, what can go wrong with them, and the primary tables.

Everybody who stores something there comes through here: no other room knows the driver.
"""

from palaver.postgres.channel import Channel
from palaver.postgres.connection import EVERYBODY, Answer, Connection, Row, Values
from palaver.postgres.migrations import is_set_up, migrate
from palaver.postgres.pool import Pool

__all__ = [
    "EVERYBODY",
    "Answer",
    "Channel",
    "Connection",
    "Pool",
    "Row",
    "Values",
    "is_set_up",
    "migrate",
]
