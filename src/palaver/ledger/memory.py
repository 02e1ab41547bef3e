"""The ledger in memory: for tests and trials, and to read in short what a ledger does."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from palaver.errors import Erased, NotFound
from palaver.ledger.batch import check_expected
from palaver.ledger.erasure import drafts, stone_for
from palaver.ledger.lines import USER_STREAM, Draft, Line, check_draft, key_digest
from palaver.ledger.port import Appended, Erasure, Expected, Follower, StreamStat
from palaver.ledger.since import Since, check_reach
from palaver.ledger.stamping import Head, Stamper, follow, nothing_to_begin, repeated
from palaver.times import Clock, iso, system_clock


class MemoryLedger:
    """A Ledger, and a LineSource, that forgets everything when it goes."""

    def __init__(
        self,
        user: str = "local",
        follower: Follower | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._user = user
        self._follower = follower
        self._clock = clock
        self._streams: dict[str, list[Line]] = {}
        self._keys: dict[str, Line | None] = {}
        self._deleted: set[str] = set()
        self._pos = 0

    async def append(
        self, drafts: Sequence[Draft], *, expected: Expected | None = None
    ) -> list[Appended]:
        for draft in drafts:
            check_draft(draft)
        return self._commit(drafts, expected or {})

    async def erase(self, erasure: Erasure) -> list[Line]:
        first = USER_STREAM not in self._streams
        recorded = drafts(erasure, self.lines, self._user, first=first)
        appended = self._commit(recorded, erasure.expected)
        return [item.line for item in appended if item.line.type == "event"]

    async def read(self, stream: str, *, after: int = -1, limit: int | None = None) -> list[Line]:
        return [line for line in self._lines(stream) if line.seq > after][:limit]

    async def tail(self, stream: str, turns: int) -> list[Line]:
        lines, seen = self._lines(stream), set[int]()
        for line in reversed(lines):
            number = line.data.get("turnNumber") if line.type == "turn" else None
            if number is not None and number not in seen:
                if len(seen) == turns:
                    return lines[line.seq + 1 :]
                seen.add(number)
        return list(lines)

    async def streams(self) -> list[StreamStat]:
        return [StreamStat(name, size) for name, size in self.sizes().items()]

    async def position(self) -> int:
        return self._pos

    async def since(self, after: int, *, limit: int) -> Since:
        check_reach(after, self._pos)
        lines = [line for stored in self._streams.values() for line in stored if line.pos > after]
        lines.sort(key=lambda line: line.pos)
        return Since.of([(line.pos, line) for line in lines[:limit]], self._pos)

    async def where(self, key: str) -> str | None:
        if key_digest(key) not in self._keys:
            return None
        return self._used(key).stream

    async def close(self) -> None:
        pass

    # -- LineSource --------------------------------------------------------------------------

    def sizes(self) -> dict[str, int]:
        return {name: lines[-1].end for name, lines in self._streams.items()}

    def lines(self, stream: str, *, offset: int = 0, seq: int = 0) -> Iterator[Line]:
        return (line for line in self._streams.get(stream, ()) if line.offset >= offset)

    def pieces(self, stream: str, offset: int = 0) -> Iterator[bytes]:
        return (line.raw + b"\n" for line in self.lines(stream, offset=offset))

    @contextmanager
    def exclusive(self) -> Generator[int]:
        yield self._pos

    # -- committing --------------------------------------------------------------------------

    def _lines(self, stream: str) -> list[Line]:
        try:
            return self._streams[stream]
        except KeyError:
            raise NotFound(f"There is no conversation {stream}.") from None

    def _commit(self, drafts: Sequence[Draft], expected: Expected) -> list[Appended]:
        stamper, heads = Stamper(self._pos, iso(self._clock())), dict[str, Head]()
        known = [self._replay(draft) for draft in drafts]
        if not all(known):
            check_expected(expected, self._head)
        idle, twins = nothing_to_begin(drafts, known), dict[str, Line]()
        outcome: list[Appended] = []
        for draft, earlier in zip(drafts, known, strict=True):
            twin = twins.get(draft.key) if draft.key else None
            if hit := repeated(draft, twin) if twin else earlier:
                outcome.append(Appended(hit, replayed=True))
            elif draft.type == "meta" and draft.stream in self._deleted:
                raise Erased(f"{draft.stream} was deleted.", remedy="Begin another conversation.")
            elif not draft.only_begins or draft.stream not in idle:
                head = heads.get(draft.stream) or self._head(draft.stream)
                line, heads[draft.stream] = stamper.stamp(head, draft)
                outcome.append(Appended(line))
                if draft.key is not None:
                    twins[draft.key] = line
        self._take([item.line for item in outcome if not item.replayed])
        return outcome

    def _head(self, stream: str) -> Head:
        return follow(Head(stream), self._streams.get(stream, ()))

    def _replay(self, draft: Draft) -> Line | None:
        if draft.key is None or key_digest(draft.key) not in self._keys:
            return None
        return repeated(draft, self._used(draft.key))

    def _used(self, key: str) -> Line:
        """The line that used a key. Raises Erased."""
        line = self._keys[key_digest(key)]
        if line is None:
            raise Erased
        return line

    def _take(self, lines: Sequence[Line]) -> None:
        before = self._pos
        for line in lines:
            self._streams.setdefault(line.stream, []).append(line)
            if isinstance(key := line.data.get("key"), str):
                self._keys[key_digest(key)] = line
            self._pos = line.pos
        for line in lines:
            self._enforce(line)
        if self._follower and lines:
            self._follower.apply(lines, before)

    def _enforce(self, record: Line) -> None:
        if record.event == "redacted":
            stored = self._streams[record.stream]
            targets: list[dict[str, Any]] = record.data["targets"]
            for target in targets:
                old = stored[int(target["seq"])]
                stored[old.seq] = old.replace(stone_for(target, len(old.raw)))
        elif record.event == "deleted":
            self._streams.pop(record.data["stream"], None)
            self._deleted.add(record.data["stream"])
        self._keys |= dict.fromkeys(record.data.get("keys", ()))
