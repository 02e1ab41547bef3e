"""A kind of job: how to find what is due, and the function that does it.

A new kind is one function that does the work, one that finds it, and one line where the kinds of an
engine are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, Protocol

from palaver.jobs.port import job_id
from palaver.jobs.schedule import pause_after


class Due(NamedTuple):
    """Something that is to be done for a user."""

    owner: int
    """The number that the rows of the user carry."""
    user: str
    mark: str
    """Changes when there is more to do than before."""
    key: str = ""


class Run(Protocol):
    """What a function that does the work is given of the one who runs it."""

    def pause(self) -> None:
        """Call it between two steps: it raises Ended when the work is to stop there."""
        ...

    def advance(self, done: int, total: int) -> None:
        """Tells how far the work has come."""
        ...


class Ended(Exception):
    """The work stops after the step that is under way; what is left of it is still due."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of job. Its functions are synchronous and may be called from any thread."""

    name: str
    queue: str
    due: Callable[[], Iterable[Due]]
    """Everything of this kind that is to be done now. Raises StorageFailed."""
    run: Callable[[Due, Run], None]
    """Does it, from wherever it stands. What it raises is shown, and it is tried again later."""
    elsewhere: Callable[[Due], bool] = lambda due: False
    """Whether somebody is at it whom no queue told to. Then it is not begun."""
    pause: Callable[[int], timedelta] = pause_after
    """How long to wait after so many failures in a row."""

    def id_of(self, due: Due) -> str:
        return job_id(self.name, due.user, due.key)
