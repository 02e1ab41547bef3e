"""The books: what is open and what was closed last, while one message is heard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from palaver.digest.state.content import kept
from palaver.digest.state.names import same_job
from palaver.digest.state.records import (
    MAX_CLARIFICATIONS,
    MAX_CLOSED,
    MAX_JOBS,
    MAX_LOOPS,
    Closing,
    How,
    Item,
    State,
)
from palaver.index.records import Message


class Books:
    """The items of a state, to be changed by one message."""

    def __init__(self, state: State, message: Message) -> None:
        self.loops = list(state.open_loops)
        self.clarifications = list(state.pending_clarifications)
        self.jobs = list(state.active_job_refs)
        self._closed = list(state.closed)
        self._message = message

    def close(self, items: Iterable[Item], how: How) -> None:
        """Closes what is open. What was asked in this very turn leaves no trace."""
        for item in items:
            self._take_out(item)
            if item.turn < self._message.turn_number or item.kind == "job":
                self._closed.append(item.model_copy(update={"closed": self._closing(how)}))

    def forget(self, items: Iterable[Item]) -> None:
        """Takes out what never became a loop: it was answered at once."""
        for item in items:
            self._take_out(item)

    def join(self) -> None:
        """Makes one of the things that a single sentence asked for and that are all left open."""
        joined: dict[tuple[str, str], Item] = {}
        for item in self.loops:
            at = (item.message_id, item.text)
            terms = {*item.terms, *(joined[at].terms if at in joined else ())}
            joined[at] = item.model_copy(update={"terms": kept(terms)})
        self.loops = list(joined.values())

    def job(self, ref: str) -> Item | None:
        """The open job of that name."""
        return next((item for item in self.jobs if same_job(item.ref or "", ref)), None)

    def reopened(self, ref: str) -> Item | None:
        """The job of that name, open again if it was closed."""
        for item in reversed(self._closed):
            if item.kind == "job" and same_job(item.ref or "", ref):
                self._closed.remove(item)
                self.jobs.append(item.model_copy(update={"closed": None}))
                return self.jobs[-1]
        return None

    def was_closed(self, ref: str) -> bool:
        return any(same_job(item.ref or "", ref) for item in self._closed if item.kind == "job")

    def fields(self) -> dict[str, Any]:
        """The items as a state keeps them: the newest, and no more than there is room for."""
        return {
            "open_loops": tuple(self.loops[-MAX_LOOPS:]),
            "pending_clarifications": tuple(self.clarifications[-MAX_CLARIFICATIONS:]),
            "active_job_refs": tuple(self.jobs[-MAX_JOBS:]),
            "closed": tuple(self._closed[-MAX_CLOSED:]),
        }

    def _take_out(self, item: Item) -> None:
        for items in (self.loops, self.clarifications, self.jobs):
            if item in items:
                items.remove(item)

    def _closing(self, how: How) -> Closing:
        return Closing(message_id=self._message.id, turn=self._message.turn_number, how=how)
