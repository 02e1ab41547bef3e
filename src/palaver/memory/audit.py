"""Audit: how far a user's memories can be trusted, and what would mend them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from palaver.errors import BadValue
from palaver.index.port import EVERY_MEMORY, MemoryFilter
from palaver.index.records import Memory, Message
from palaver.index.rows import UNSEEN
from palaver.memory.forgetting import Forgetting, Target
from palaver.memory.junk import junk
from palaver.memory.keeping import EDITED, SUPERSEDED, Keeping, told, until_written
from palaver.memory.likeness import Pair, related
from palaver.memory.listing import every_memory
from palaver.memory.reading import Reading
from palaver.memory.records import (
    AUDIT_KINDS,
    AuditFinding,
    AuditFix,
    AuditKind,
    AuditRemedy,
    AuditReport,
    AuditShares,
)
from palaver.memory.rescuing import NO_SOURCE, is_owned
from palaver.times import Clock, before

_STALE = timedelta(days=180)
_AT_ONCE = 500
_CURRENT = MemoryFilter(state=None)
_SHORT = 12
"""A message of so many words may be an answer, which means nothing without what was asked."""


class Audit:
    """Examines and mends the memories of one user."""

    def __init__(
        self, keeping: Keeping, forgetting: Forgetting, reading: Reading, clock: Clock
    ) -> None:
        self._keeping = keeping
        self._forgetting = forgetting
        self._reading = reading
        self._clock = clock

    async def report(self) -> AuditReport:
        """Raises IndexUnavailable."""
        memories = await every_memory(self._keeping, _CURRENT)
        findings = await self._every_finding(memories)
        return AuditReport(
            total=len(memories), shares=_shares(findings, len(memories)), findings=findings
        )

    async def _every_finding(self, memories: Sequence[Memory]) -> list[AuditFinding]:
        same, against = await self._related(memories)
        return [
            *[one async for one in self._junk(memories)],
            *_duplicates(same),
            *[one async for one in self._unsupported(memories)],
            *_contradictions(against),
            *self._stale(memories),
        ]

    async def fix(self, kind: AuditKind, memory_ids: Sequence[str]) -> AuditFix:
        """Mends what is wrong with some memories, as far as it still is.

        Raises BadValue, IndexUnavailable, StorageFailed.
        """
        if kind not in AUDIT_KINDS:
            raise BadValue(f"{kind!r} is not something that an audit finds.")
        index, user = self._keeping.index, self._keeping.user
        memories = [
            one
            for one in await index.some_memories(user, memory_ids)
            if not one.archived and one.superseded_by is None
        ]
        findings = await self._found(kind, memories)
        for finding in findings:
            await self._mend(finding)
        return AuditFix(kind=kind, fixed=findings)

    # -- what is found -----------------------------------------------------------------------

    async def _found(self, kind: AuditKind, memories: Sequence[Memory]) -> list[AuditFinding]:
        match kind:
            case "junk":
                return [one async for one in self._junk(memories)]
            case "unsupported":
                return [one async for one in self._unsupported(memories)]
            case "stale":
                return list(self._stale(memories))
            case "duplicate":
                return list(_duplicates((await self._related(memories))[0]))
            case "contradictory":
                return list(_contradictions((await self._related(memories))[1]))

    async def _related(self, memories: Sequence[Memory]) -> tuple[list[Pair], list[Pair]]:
        kept = [one for one in memories if one.state == "kept"]
        return await related(self._keeping.index, self._keeping.user, kept)

    async def _sources(self, memories: Sequence[Memory]) -> dict[str, Message]:
        """The messages that memories come from, as far as they are there to be seen."""
        index, user = self._keeping.index, self._keeping.user
        names = list(dict.fromkeys(one.source_message_id or "" for one in memories))
        found: dict[str, Message] = {}
        for start in range(0, len(names), _AT_ONCE):
            for one in await index.find(user, names[start : start + _AT_ONCE]):
                if one.status not in UNSEEN:
                    found[one.id] = one
        return found

    async def _junk(self, memories: Sequence[Memory]) -> AsyncIterator[AuditFinding]:
        sources = await self._sources(memories)
        for one in memories:
            source = sources.get(one.source_message_id or "")
            if reason := await asyncio.to_thread(junk, one, source, ""):
                short = source is not None and len(source.content.split()) <= _SHORT
                asked = await self._reading.asked(source) if source and short else ""
                if not asked or junk(one, source, asked):
                    yield _finding("junk", [one], reason, "archive")

    async def _unsupported(self, memories: Sequence[Memory]) -> AsyncIterator[AuditFinding]:
        sources = await self._sources(memories)
        for one in memories:
            if one.source_message_id is None:
                continue
            source = sources.get(one.source_message_id)
            fix: AuditRemedy = "keep" if is_owned(one) else "forget"
            if source is None:
                yield _finding("unsupported", [one], "The message it came from is gone.", fix)
            elif one.quote and one.quote not in source.content:
                reason = "The words it stands on are not in that message any more."
                yield _finding("unsupported", [one], reason, fix)

    def _stale(self, memories: Sequence[Memory]) -> Iterator[AuditFinding]:
        since = before(self._clock(), _STALE)
        for one in memories:
            last = max(one.last_accessed_at or "", one.updated)
            if not one.pinned and last < since:
                yield _finding("stale", [one], "Nobody has used it for half a year.", "archive")

    # -- what mends it -----------------------------------------------------------------------

    async def _mend(self, finding: AuditFinding) -> None:
        first, *others = finding.memories
        match finding.fix:
            case "archive":
                await self._change(EDITED, first, archived=True)
            case "keep":
                await self._change(EDITED, first, **NO_SOURCE)
            case "forget":
                await self._forgetting.forget(Target(first.id))
            case "supersede":
                await self._change(SUPERSEDED, first, superseded_by=others[0].id)
            case "merge":
                await self._merge(first, others)

    async def _change(self, event: str, memory: Memory, **given: object) -> None:
        """Changes a memory as it is by now, if it is there still."""

        async def attempt(seen: int) -> None:
            index, user = self._keeping.index, self._keeping.user
            for one in await index.some_memories(user, [memory.id]):
                changed = told(event, one.model_copy(update=given))
                await self._keeping.write([changed], seen=seen)

        await until_written(self._keeping, attempt)

    async def _merge(self, kept: Memory, others: Sequence[Memory]) -> None:
        """What the others had taken the place of, the one that stays has; then they go. Nothing is
        marked as forgotten: it is known."""
        for other in others:
            wanted = replace(EVERY_MEMORY, superseded_by=other.id)
            for old in await every_memory(self._keeping, wanted):
                await self._change(SUPERSEDED, old, superseded_by=kept.id)
        await self._forgetting.lines_go([one.id for one in others])


def _duplicates(same: Sequence[Pair]) -> Iterator[AuditFinding]:
    """Each group of memories that say the same: the one that stays first."""
    pairs: dict[str, dict[str, Memory]] = defaultdict(dict)
    for one, other in same:
        pairs[one.id][other.id] = other
        pairs[other.id][one.id] = one
    every = {one.id: one for pair in same for one in pair}
    taken: set[str] = set()
    for stays in sorted(every.values(), key=_worth):
        # What is the same as the same may say something else: only what equals this one goes.
        others = [one for one in pairs[stays.id].values() if one.id not in taken and _may_go(one)]
        if stays.id in taken or not others:
            continue
        taken |= {stays.id, *(one.id for one in others)}
        ordered = [stays, *sorted(others, key=_worth)]
        yield _finding("duplicate", ordered, f"{len(ordered)} memories say the same.", "merge")


def _may_go(memory: Memory) -> bool:
    return not (memory.pinned or memory.edited)


def _worth(memory: Memory) -> tuple[bool, bool, str, str]:
    """Pinned before edited before oldest."""
    return (not memory.pinned, not memory.edited, memory.created, memory.id)


def _contradictions(against: Sequence[Pair]) -> Iterator[AuditFinding]:
    """Each memory that another one contradicts, with the latest of these."""
    latest: dict[str, Pair] = {}
    for old, new in against:
        known = latest.get(old.id)
        if known is None or _since(known[1]) <= _since(new):
            latest[old.id] = (old, new)
    for pair in latest.values():
        reason = "The later one says otherwise."
        yield _finding("contradictory", pair, reason, "supersede")


def _since(memory: Memory) -> str:
    return memory.valid_from or memory.created


def _shares(findings: Sequence[AuditFinding], total: int) -> AuditShares:
    """Of duplicates those count that are too many, of contradictions the earlier ones."""
    counted: dict[str, set[str]] = {kind: set() for kind in AUDIT_KINDS}
    for one in findings:
        first, *others = one.memory_ids
        counted[one.kind].update(others if one.kind == "duplicate" else [first])
    shares = {kind: len(ids) / total if total else 0.0 for kind, ids in counted.items()}
    return AuditShares(**shares)


def _finding(
    kind: AuditKind, memories: Sequence[Memory], reason: str, fix: AuditRemedy
) -> AuditFinding:
    return AuditFinding(
        kind=kind,
        memory_ids=[one.id for one in memories],
        reason=reason,
        fix=fix,
        memories=list(memories),
    )
