"""The lines of one commit, while they are being made from the drafts of many callers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from palaver.errors import Erased, Outdated, PalaverError
from palaver.ledger.lines import Draft, Line
from palaver.ledger.port import Appended, Expected
from palaver.ledger.stamping import Head, Stamper, adoption, nothing_to_begin, repeated

Plan = Callable[[], Sequence[Draft]]
"""Makes the drafts of a request under the lock, where the streams stand still."""


@dataclass(eq=False, slots=True)
class Request:
    """One caller's drafts; they are written together or not at all."""

    plan: Plan
    alone: bool = False
    expected: Expected = field(default_factory=dict[str, int])
    outcome: list[Appended] | PalaverError | None = None
    streams: set[str] = field(default_factory=set[str])


class Streams(Protocol):
    """What is known of the streams as they are stored, while nobody else commits."""

    def head(self, stream: str) -> Head:
        """The end of the stream; an empty one when it has not begun, or was deleted."""
        ...

    def find_key(self, key: str, pos: int) -> Line | None:
        """The line that `key` was first used for, `pos` being the position. Raises Erased."""
        ...

    def was_deleted(self, stream: str) -> bool: ...

    def bytes_between(self, stream: str, start: int, end: int) -> bytes:
        """The exact bytes of a part of a stream."""
        ...


class Batch:
    """Places requests one after the other; one that fails leaves no trace in it."""

    def __init__(self, streams: Streams, pos: int, now: str) -> None:
        self._streams = streams
        self._stamper = Stamper(pos, now)
        self.before = pos
        self.ends: dict[str, Head] = {}
        self.lines: dict[str, list[Line]] = {}
        self._twins: dict[str, Line] = {}

    @property
    def pos(self) -> int:
        return self._stamper.pos

    def starts(self) -> dict[str, int]:
        """How long each touched stream was before."""
        return {stream: lines[0].offset for stream, lines in self.lines.items()}

    def in_order(self) -> list[Line]:
        lines = [line for written in self.lines.values() for line in written]
        return sorted(lines, key=lambda line: line.pos)

    def place(self, request: Request) -> list[Appended]:
        """Makes the request's lines. Raises PalaverError or OSError; then none of them is here."""
        trial = _Trial(self, dict[str, Head](), [], dict[str, Line]())
        pos = self._stamper.pos
        try:
            outcome = self._place(trial, request)
        except (PalaverError, OSError):
            self._stamper.pos = pos
            raise
        self.ends |= trial.ends
        self._twins |= trial.twins
        for line in trial.lines:
            self.lines.setdefault(line.stream, []).append(line)
        return outcome

    def _place(self, trial: _Trial, request: Request) -> list[Appended]:
        drafts = request.plan()
        known = [self._known(trial, draft) for draft in drafts]
        if not all(known):
            check_expected(request.expected, self.end)
        idle = nothing_to_begin(drafts, known)
        outcome: list[Appended] = []
        for draft, hit in zip(drafts, known, strict=True):
            if earlier := hit or self._twin(trial, draft):
                outcome.append(Appended(earlier, replayed=True))
            elif not draft.only_begins or draft.stream not in idle:
                request.streams.add(draft.stream)
                outcome.append(Appended(self._append(trial, draft)))
        return outcome

    def _known(self, trial: _Trial, draft: Draft) -> Line | None:
        """The line this draft repeats, if its key has been used. Raises KeyReused, Erased."""
        if draft.key is None:
            return None
        if twin := self._twin(trial, draft):
            return twin
        stored = self._streams.find_key(draft.key, self.before)
        return repeated(draft, stored) if stored else None

    def _twin(self, trial: _Trial, draft: Draft) -> Line | None:
        """A line of this very commit with the same key."""
        twin = draft.key and (trial.twins.get(draft.key) or self._twins.get(draft.key))
        return repeated(draft, twin) if twin else None

    def _append(self, trial: _Trial, draft: Draft) -> Line:
        if draft.type == "meta" and self._streams.was_deleted(draft.stream):
            raise Erased(f"{draft.stream} was deleted.", remedy="Begin another conversation.")
        seal = self._seal(trial.end(draft.stream), draft)
        if seal and draft.body.get("event") != "redacted":
            trial.stamp(seal)
            seal = None
        line = trial.stamp(draft)
        if seal:
            trial.stamp(seal)
        if draft.key is not None:
            trial.twins[draft.key] = line
        return line

    def _seal(self, head: Head, draft: Draft) -> Draft | None:
        """The event that seals the lines which somebody else wrote at the end of the stream.

        It stands before our next line; but behind an event that erases some of them, because it
        seals what is left.
        """
        if head.unsealed is None:
            return None
        foreign = self._streams.bytes_between(head.stream, head.unsealed, head.size)
        erased = {target["seq"] for target in draft.body.get("targets", ())}
        return adoption(head.stream, head.lines - head.unsealed_lines, foreign, erased)

    def end(self, stream: str) -> Head:
        return self.ends.get(stream) or self._streams.head(stream)

    def stamp(self, head: Head, draft: Draft) -> tuple[Line, Head]:
        return self._stamper.stamp(head, draft)


@dataclass(slots=True)
class _Trial:
    """What one request would add to the batch."""

    batch: Batch
    ends: dict[str, Head]
    lines: list[Line]
    twins: dict[str, Line]

    def end(self, stream: str) -> Head:
        if stream not in self.ends:
            self.ends[stream] = self.batch.end(stream)
        return self.ends[stream]

    def stamp(self, draft: Draft) -> Line:
        line, self.ends[draft.stream] = self.batch.stamp(self.end(draft.stream), draft)
        self.lines.append(line)
        return line


def check_expected(expected: Expected, end: Callable[[str], Head]) -> None:
    """Raises Outdated when a stream has grown since somebody looked at it."""
    if any(end(stream).size != size for stream, size in expected.items()):
        raise Outdated


def together(requests: Sequence[Request]) -> Sequence[Request]:
    """Those that go into one commit. An erasure goes alone: it is planned from what is stored."""
    first = next((n for n, request in enumerate(requests) if request.alone), len(requests))
    return requests[:first] or requests[:1]
