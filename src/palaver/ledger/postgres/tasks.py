"""What callers want committed, until they have their answer."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from palaver.errors import PalaverError
from palaver.ledger.lines import USER_STREAM, Draft, key_digest
from palaver.ledger.port import Appended, Erasure, Expected

Outcome = list[Appended] | PalaverError


@dataclass(eq=False, slots=True)
class Task:
    """One caller's drafts, or what is to be erased: all of it happens or nothing."""

    owner: int
    user: str
    drafts: Sequence[Draft] = ()
    erasure: Erasure | None = None
    expected: Expected = field(default_factory=dict[str, int])
    future: Future[list[Appended]] = field(default_factory=Future[list[Appended]])

    def streams(self) -> set[str]:
        """The streams whose ends it needs."""
        if self.erasure:
            return {USER_STREAM, *self.erasure.streams, *self.erasure.lines, *self.expected}
        return {draft.stream for draft in self.drafts} | self.expected.keys()

    def digests(self) -> set[str]:
        """The keys it may have used before."""
        return {key_digest(draft.key) for draft in self.drafts if draft.key}

    def answer(self, outcome: Outcome) -> None:
        if isinstance(outcome, PalaverError):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


def shares(tasks: Sequence[Task]) -> tuple[list[list[Task]], list[Task]]:
    """What goes into the next commit, user by user, and what has to wait for the one after it.

    An erasure is the only thing of its user in a commit: it is planned from what is stored.
    """
    taken: dict[int, list[Task]] = {}
    rest: list[Task] = []
    full: set[int] = set()
    for task in tasks:
        if task.owner in full or (task.erasure and task.owner in taken):
            full.add(task.owner)
            rest.append(task)
            continue
        taken.setdefault(task.owner, []).append(task)
        if task.erasure:
            full.add(task.owner)
    return list(taken.values()), rest
