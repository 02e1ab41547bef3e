"""A kind of job: how to find what is due, and the function that does it.

A new kind is one function that does the work, one that finds it, and one line where the kinds of an
engine are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, Protocol

from palaver.jobs.port import job_id, user_of
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
    """Everything of this kind that is to be done now, what is most urgent first. It is read only as
    far as somebody needs it: where there may be thousands, read them page by page. Raises
    StorageFailed."""
    run: Callable[[Due, Run], None]
    """Does it, from wherever it stands. What it raises is shown, and it is tried again later."""
    elsewhere: Callable[[Due], bool] = lambda due: False
    """Whether somebody is at it whom no queue told to. Then it is not begun."""
    pause: Callable[[int], timedelta] = pause_after
    """How long to wait after so many failures in a row."""
    of: Callable[[str], Iterable[Due]] | None = None
    """The same for one user, if that costs less."""
    keeps_index: bool = False
    """Whether the index cannot be trusted while it fails: then the health tells why it does."""

    def id_of(self, due: Due) -> str:
        return job_id(self.name, due.user, due.key)

    def due_to(self, user: str | None) -> Iterable[Due]:
        """What is due to one user, or to all."""
        if user is not None and self.of is not None:
            return self.of(user)
        return (one for one in self.due() if user in (None, one.user))

    def find(self, id_: str) -> Due | None:
        """What has that id, if it is still to be done."""
        due = self.due_to(user_of(id_))
        return next((one for one in due if self.id_of(one) == id_), None)
