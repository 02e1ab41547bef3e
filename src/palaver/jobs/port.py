"""The port of the jobs: what is due, what runs, what failed, and what can be done about it."""

from __future__ import annotations

import re
from typing import Literal, NoReturn, Protocol

from palaver.errors import BadId, NotFound, PalaverError
from palaver.index.records import Moment, Record

ID = r"[a-z]{1,32}:(?:local|usr-[0-9A-Za-z]{1,64})(?::[0-9A-Za-z-]{1,80})?"
"""`kind:user`, or `kind:user:key` for one of several things of the same kind."""
_ID = re.compile(ID)
_LIST = "`palaver jobs list` tells which there are."

DIGEST = "digest"
"""The kind of the jobs that say conversations in fewer words, and name them."""
State = Literal["pending", "running", "failed", "cancelled"]


class Progress(Record):
    """How far a job has come."""

    done: int
    total: int


class JobProblem(Record):
    """Why a job failed, as any other error is told."""

    code: str
    message: str
    remedy: str

    @classmethod
    def of(cls, error: PalaverError) -> JobProblem:
        return cls(code=error.code, message=error.message, remedy=error.remedy)


class Job(Record):
    """Work that is due for one user. When it is done, there is no job any more."""

    id: str
    kind: str
    user: str
    key: str | None = None
    """Which of several things of that kind it is about, if there are several."""
    state: State
    attempts: int = 0
    """How often it has failed since it was last done."""
    after: Moment | None = None
    """When it is tried again, if it failed."""
    progress: Progress | None = None
    error: JobProblem | None = None
    """Why it failed the last time."""


class Jobs(Protocol):
    """The jobs of a home, or of everybody in a database. With `user`, only theirs are seen."""

    async def list(self, user: str | None = None) -> list[Job]:
        """What is due, in the order of its ids: of those of one kind that wait for their turn some
        200, and all others. Raises StorageFailed."""
        ...

    async def retry(self, job_id: str, user: str | None = None) -> Job:
        """Has it done now, whatever became of it before. Raises BadId, NotFound, StorageFailed."""
        ...

    async def cancel(self, job_id: str, user: str | None = None) -> Job:
        """Leaves it undone until there is more to do, or somebody retries it; ends it if it runs.

        Raises BadId, NotFound, StorageFailed.
        """
        ...


def job_id(kind: str, user: str, key: str = "") -> str:
    """The same for the same work, whoever runs it and however often."""
    return f"{kind}:{user}:{key}" if key else f"{kind}:{user}"


def kind_of(job_id: str) -> str:
    return job_id.split(":", maxsplit=1)[0]


def user_of(job_id: str) -> str:
    return job_id.split(":")[1]


def key_of(job_id: str) -> str:
    """Empty when there is one thing of its kind for each user."""
    return "".join(job_id.split(":")[2:])


def check_job_id(text: str) -> str:
    """`text`, if a job can have that id. Raises BadId."""
    if not _ID.fullmatch(text):
        raise BadId(f"{text[:80]!r} is not the id of a job.", remedy=_LIST)
    return text


def missing(wanted: str) -> NoReturn:
    """Raises NotFound for a job that is not due."""
    raise NotFound(f"There is no job {wanted} to be done.", remedy=_LIST)
