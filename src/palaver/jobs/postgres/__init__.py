"""Jobs on PostgreSQL: `procrastinate` runs them, in this process or in others.

Its tables stand in a schema of their own, named by its version and by that of the index. They may
be emptied or dropped at any time: what is due is found again.
"""

from palaver.jobs.postgres.runner import Pace, Runner
from palaver.jobs.postgres.view import PostgresJobs

__all__ = ["Pace", "PostgresJobs", "Runner"]
