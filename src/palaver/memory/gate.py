"""The gate: what becomes of a candidate, whoever found it.

Secrets never pass, and sensitive things only when the owner asked to have them remembered. What was
forgotten does not come back by itself. What is known already is not doubled; what contradicts a
memory takes its place, and both stay visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from palaver.digest.state.secrets import is_secret
from palaver.index.port import MemoryFilter
from palaver.index.records import Memory
from palaver.index.rows import HIDDEN
from palaver.ledger.lines import Draft, new_id
from palaver.memory.finding import Finding
from palaver.memory.keeping import (
    ADDED,
    CANDIDATE,
    EDITED,
    OWNER,
    SUPERSEDED,
    Keeping,
    told,
    until_written,
)
from palaver.memory.oblivion import Oblivion
from palaver.memory.port import Candidate
from palaver.memory.records import Extraction, Merged, Replaced, Skipped
from palaver.memory.reviving import revive
from palaver.memory.sameness import Known, relation, says_again
from palaver.memory.sensitive import sensitive_kind
from palaver.memory.slots import may_end, slot_of

SURE = 0.75
"""What is less sure waits for approval, unless the settings say otherwise."""
_COMPARED = 24
"""With so many of the nearest memories a candidate is compared."""
_ANY = MemoryFilter(state=None, archived=None, superseded=None)


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate, and where and when it was said."""

    candidate: Candidate
    conversation_id: str | None
    said: str
    by: str
    pinned: bool = False
    """Whether it is to be pinned."""
    by_hand: bool = False
    """Whether somebody adds it now, whatever was forgotten before."""


@dataclass(slots=True)
class Outcome:
    """What becomes of some candidates; nothing of it is stored yet."""

    by: str
    offers: Sequence[Offer] = ()
    now: str = ""
    seen: int = 0
    """How much of the user's stream it stands on."""
    drafts: list[Draft] = field(default_factory=list[Draft])
    memories: dict[str, Memory] = field(default_factory=dict[str, Memory])
    """New memories, and those that are changed, as they will be."""
    new: list[str] = field(default_factory=list[str])
    merged: list[Merged] = field(default_factory=list[Merged])
    superseded: list[Replaced] = field(default_factory=list[Replaced])
    skipped: list[Skipped] = field(default_factory=list[Skipped])

    def put(self, event: str, memory: Memory, by: str = OWNER) -> None:
        self.memories[memory.id] = memory
        self.drafts.append(told(event, memory, by))

    def become(self, other: Outcome) -> None:
        """This is what was decided instead."""
        for one in fields(self):
            setattr(self, one.name, getattr(other, one.name))

    def told(self) -> Extraction:
        found = [self.memories[name] for name in self.new]
        return Extraction(
            by=self.by,
            added=[one for one in found if one.state == "kept"],
            waiting=[one for one in found if one.state == "waiting"],
            merged=self.merged,
            superseded=self.superseded,
            skipped=self.skipped,
        )


class Gate:
    """Decides what one user's memories are to be."""

    def __init__(
        self, keeping: Keeping, finding: Finding, oblivion: Oblivion, approval: str
    ) -> None:
        self._keeping = keeping
        self._finding = finding
        self._oblivion = oblivion
        self._approval = approval

    async def decide(self, offers: Sequence[Offer], now: str) -> Outcome:
        """What becomes of candidates, the one said first decided first. Raises IndexUnavailable."""
        seen = await self._keeping.seen()
        outcome = Outcome(offers[0].by if offers else "offline", offers, now, seen)
        for offer in offers:
            reason = await self._refused(offer)
            if reason is not None:
                outcome.skipped.append(Skipped(quote=offer.candidate.quote, reason=reason))
            else:
                await self._place(offer, outcome, now)
        return outcome

    async def store(self, outcome: Outcome) -> None:
        """Writes what was decided, in one commit; if somebody else has written meanwhile, it is
        decided anew. Raises IndexUnavailable, StorageFailed."""

        async def attempt(seen: int) -> None:
            if outcome.seen != seen:
                by = outcome.by
                outcome.become(await self.decide(outcome.offers, outcome.now))
                outcome.by = by
            if outcome.drafts:
                await self._keeping.write(outcome.drafts, seen=outcome.seen)

        await until_written(self._keeping, attempt)
        await self._check_sources(outcome)
        index, user = self._keeping.index, self._keeping.user
        stored = await index.some_memories(user, list(outcome.memories))
        outcome.memories |= {one.id: one for one in stored}

    async def _check_sources(self, outcome: Outcome) -> None:
        """What was learned from a message that was erased meanwhile goes with it: an erasure looks
        once more for what stands on it, and this looks from the other side."""
        index, user = self._keeping.index, self._keeping.user
        new = [outcome.memories[name] for name in outcome.new]
        names = {one.source_message_id for one in new if one.source_message_id}
        found = await index.find(user, sorted(names)) if names else []
        there = {one.id for one in found if one.status not in HIDDEN}
        gone = [one for one in new if one.source_message_id in names - there]
        if gone:
            await revive(self._keeping, gone)
            lines = await index.memory_lines(user, [one.id for one in gone])
            await self._keeping.erase([line.seq for line in lines])
            outcome.new = [one.id for one in new if one not in gone]

    async def accept(self, memory_id: str, now: str) -> None:
        """Keeps a memory that waited: what it contradicts steps aside now. Raises NotFound,
        StorageFailed."""
        await until_written(self._keeping, lambda seen: self._accept(memory_id, now, seen))

    async def _accept(self, memory_id: str, now: str, seen: int) -> None:
        memory = await self._keeping.index.memory(self._keeping.user, memory_id)
        if memory.state == "kept":
            return
        kept = memory.model_copy(update={"state": "kept", "updated": now})
        outcome = Outcome(memory.by)
        outcome.put(ADDED, kept)
        near = await self._finding.near(memory.content, MemoryFilter())
        for one in near[:_COMPARED]:
            old = one.memory
            earlier = (old.valid_from or old.created) <= (memory.valid_from or memory.created)
            new = _known(memory)
            if old.id == memory.id or not earlier or await self._is_beside(old, new):
                continue
            if relation(_known(old), new, one.cosine) == "supersedes":
                gone = old.model_copy(update={"superseded_by": memory.id, "updated": now})
                outcome.put(SUPERSEDED, gone)
        await self._keeping.write(outcome.drafts, seen=seen)

    async def _refused(self, offer: Offer) -> str | None:
        """Why a candidate is not remembered, if so."""
        candidate = offer.candidate
        text = f"{candidate.content}\n{candidate.quote}"
        if candidate.sensitive == "credential" or is_secret(text):
            return "secret"
        unasked = not candidate.explicit
        if unasked and (candidate.sensitive is not None or sensitive_kind(text) is not None):
            return "sensitive"
        if offer.by_hand or not await self._oblivion.holds(candidate):
            return None
        return "forgotten"

    async def _place(self, offer: Offer, outcome: Outcome, now: str) -> None:
        candidate = offer.candidate
        new = Known(candidate.content, candidate.type, candidate.slot)
        replaced: list[Memory] = []
        newer: Memory | None = None
        for memory, similarity in await self._near(candidate, outcome):
            ended = _ends(candidate, memory)
            match "supersedes" if ended else relation(_known(memory), new, similarity):
                case "same" if memory.superseded_by is None or _is_older(offer, memory):
                    self._merge(offer, memory, outcome, now)
                    return
                case "supersedes" if memory.superseded_by is None:
                    if memory.edited and memory.source_message_id == candidate.message_id:
                        self._merge(offer, memory, outcome, now)  # the owner has put it right
                        return
                    if offer.said < _holds_since(memory):
                        newer = newer or memory
                    elif not await self._is_beside(memory, new, candidate.message_id):
                        replaced.append(memory)
                case _:
                    pass
        self._add(offer, replaced, newer, outcome, now)

    async def _is_beside(self, memory: Memory, new: Known, message_id: str = "") -> bool:
        """Whether the owner has said that a memory holds besides what is said now: besides one
        that says so too, or came from the same message."""
        index, user = self._keeping.index, self._keeping.user
        others = await index.some_memories(user, memory.beside) if memory.beside else []
        return any(
            (message_id and one.source_message_id == message_id) or says_again(_known(one), new)
            for one in others
        )

    async def _near(
        self, candidate: Candidate, outcome: Outcome
    ) -> list[tuple[Memory, float | None]]:
        """The memories that a candidate may repeat or contradict, those decided just now too."""
        near = (await self._finding.near(candidate.content, _ANY))[:_COMPARED]
        found = {one.memory.id: (one.memory, one.cosine) for one in near}
        for memory in outcome.memories.values():
            found[memory.id] = (memory, found.get(memory.id, (memory, None))[1])
        unknown = [memory for memory, cosine in found.values() if cosine is None]
        alike = await self._keeping.index.alike(
            self._keeping.user, candidate.content, [one.content for one in unknown]
        )
        found |= {one.id: (one, cosine) for one, cosine in zip(unknown, alike, strict=True)}
        return list(found.values())

    def _merge(self, offer: Offer, memory: Memory, outcome: Outcome, now: str) -> None:
        """It is known already. What waited or was put away is kept once the owner asks for it."""
        candidate = offer.candidate
        wanted = {"state": "kept", "archived": False, "pinned": memory.pinned or offer.pinned}
        kept = memory.model_copy(update=wanted)
        if candidate.explicit and kept != memory:
            sure = kept.model_copy(update={"confidence": 1.0, "updated": now})
            outcome.put(EDITED, sure, offer.by)
        outcome.merged.append(
            Merged(content=candidate.content, quote=candidate.quote, memory_id=memory.id)
        )

    def _add(
        self,
        offer: Offer,
        replaced: Sequence[Memory],
        newer: Memory | None,
        outcome: Outcome,
        now: str,
    ) -> None:
        candidate = offer.candidate
        waits = self._waits(candidate)
        memory = Memory(
            id=new_id("mem"),
            type=candidate.type,
            category=candidate.category,
            content=candidate.content,
            confidence=candidate.confidence,
            pinned=offer.pinned,
            source_conversation_id=offer.conversation_id,
            source_message_id=candidate.message_id or None,
            quote=candidate.quote if candidate.message_id else None,
            valid_from=offer.said,
            superseded_by=newer.id if newer else None,
            created=now,
            updated=now,
            state="waiting" if waits else "kept",
            by=offer.by,
            slot=candidate.slot or slot_of(candidate.content),
        )
        outcome.new.append(memory.id)
        outcome.put(CANDIDATE if waits else ADDED, memory, offer.by)
        for old in () if waits else replaced:
            gone = old.model_copy(update={"superseded_by": memory.id, "updated": now})
            outcome.put(SUPERSEDED, gone, offer.by)
            outcome.superseded.append(Replaced(memory_id=old.id, by=memory.id))

    def _waits(self, candidate: Candidate) -> bool:
        if candidate.explicit or self._approval == "none":
            return False
        return self._approval == "all" or candidate.confidence < SURE


def _known(memory: Memory) -> Known:
    return Known(memory.content, memory.type, memory.slot)


def _ends(candidate: Candidate, memory: Memory) -> bool:
    """Whether a candidate says that what a memory says does not hold any more."""
    same = candidate.ends is not None and candidate.ends == memory.slot
    return same and may_end(candidate.content, memory.content)


def _holds_since(memory: Memory) -> str:
    """What the owner has worded by hand holds since then, whatever was said before."""
    return memory.updated if memory.edited else memory.valid_from or memory.created


def _is_older(offer: Offer, memory: Memory) -> bool:
    """Whether a candidate says again what a memory said, and not anew after something else held."""
    return offer.candidate.message_id == memory.source_message_id or offer.said <= memory.updated
