"""Memories: what one user has had remembered, as a library. `palaver.memories` is one of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from palaver.digest.state.secrets import is_secret
from palaver.errors import BadValue, Conflict, Forbidden, SecretRefused
from palaver.index.port import EVERY_MEMORY, After, MemoryFilter
from palaver.index.records import Memory, MemoryState, MemoryType, Message
from palaver.ledger.lines import check_memory_id, check_message_id
from palaver.ledger.strict import check_text
from palaver.memory.audit import Audit
from palaver.memory.finding import Finding, Found, worth
from palaver.memory.forgetting import Forgetting, Target
from palaver.memory.gate import Gate, Offer
from palaver.memory.keeping import EDITED, OWNER, RESTORED, SUPERSEDED, Keeping, told, until_written
from palaver.memory.listing import every_memory
from palaver.memory.port import MAX_CONTENT, Candidate
from palaver.memory.reading import Reading
from palaver.memory.records import (
    AuditFix,
    AuditKind,
    AuditReport,
    Extraction,
    ForgetReceipt,
    HistoryEntry,
    MemoryChange,
    MemoryHistory,
    MemoryPage,
    NewMemory,
    given_as,
)
from palaver.memory.slots import slot_of
from palaver.recall import cursor as cursors
from palaver.recall.search import check_limit
from palaver.times import Clock, iso, parse

_LONGEST_CHAIN = 100
_REQUIRED = ("content", "type", "pinned", "archived", "confidence")
"""What a memory has in any case."""
_Memories = list[Memory]
_Found = list[Found]


class Memories:
    """Adds, finds, changes and forgets."""

    def __init__(
        self,
        keeping: Keeping,
        *,
        finding: Finding,
        gate: Gate,
        forgetting: Forgetting,
        reading: Reading,
        clock: Clock,
    ) -> None:
        self._audit = Audit(keeping, forgetting, reading, clock)
        self._keeping = keeping
        self._finding = finding
        self._gate = gate
        self._forgetting = forgetting
        self._reading = reading
        self._clock = clock

    # -- finding -----------------------------------------------------------------------------

    async def get(self, memory_id: str) -> Memory:
        """One memory. Raises BadId, NotFound."""
        check_memory_id(memory_id)
        return await self._keeping.index.memory(self._keeping.user, memory_id)

    async def list(
        self,
        *,
        type: MemoryType | None = None,  # noqa: A002 - as it is called everywhere
        category: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = False,
        superseded: bool | None = False,
        state: MemoryState | None = "kept",
        limit: int = 50,
    ) -> _Memories:
        """Memories, the newest first. Raises BadValue, IndexUnavailable."""
        wanted = MemoryFilter(state, type, category, pinned, archived, superseded)
        return (await self.page(wanted, limit=limit)).memories

    async def search(
        self,
        query: str,
        *,
        type: MemoryType | None = None,  # noqa: A002 - as it is called everywhere
        limit: int = 10,
    ) -> _Memories:
        """The memories that have to do with something, the most relevant first.

        Raises BadText, BadValue, IndexUnavailable.
        """
        found = await self.find(query, MemoryFilter(type=type), limit=limit)
        return [one.memory for one in found]

    async def page(
        self,
        wanted: MemoryFilter,
        *,
        q: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> MemoryPage:
        """A page of memories, the newest first; with `q` one page, the most relevant first.

        Raises BadText, BadValue, BadCursor, IndexUnavailable.
        """
        if q is not None and q.strip():
            found = await self.find(q, wanted, limit=limit)
            return MemoryPage(memories=[one.memory for one in found])
        check_limit(limit)
        after = After(*cursors.position(cursor, check_memory_id)) if cursor is not None else None
        index, user = self._keeping.index, self._keeping.user
        listed = await index.memories(user, wanted, limit=limit + 1, after=after)
        page, more = listed[:limit], len(listed) > limit
        next_ = cursors.encode([page[-1].updated, page[-1].id]) if more else None
        return MemoryPage(memories=page, next_cursor=next_)

    async def find(self, query: str, wanted: MemoryFilter, *, limit: int = 10) -> _Found:
        """The memories that have to do with something, the most relevant first, with scores; those
        that are pinned, and then the newest, if it `asks` for nothing in particular.

        Raises BadText, BadValue, IndexUnavailable.
        """
        check_limit(limit)
        if not await self.asks(query):
            return [Found(memory, 0.0) for memory in await self._first(wanted, limit)]
        found = await self._finding.near(check_text(query), wanted)
        return [one for one in worth(found) if _is_of(one.memory, wanted)][:limit]

    async def asks(self, query: str) -> bool:
        """Whether a query asks for something in particular: "me" does not. Raises BadText,
        IndexUnavailable."""
        return await self._finding.asks(check_text(query))

    async def count(self, type: MemoryType | None = None) -> int:  # noqa: A002 - as it is called everywhere
        """How many there are, without those that are archived, superseded or wait. Raises
        IndexUnavailable."""
        index, user = self._keeping.index, self._keeping.user
        return await index.memory_count(user, MemoryFilter(type=type))

    async def _first(self, wanted: MemoryFilter, limit: int) -> _Memories:
        """Those that are pinned, then the newest."""
        index, user = self._keeping.index, self._keeping.user
        newest = await index.memories(user, wanted, limit=limit)
        if wanted.pinned is not None:
            return newest
        pinned = await index.memories(user, replace(wanted, pinned=True), limit=limit)
        return list({one.id: one for one in (*pinned, *newest)}.values())[:limit]

    async def history(self, memory_id: str) -> MemoryHistory:
        """How a memory came to be what it is. Raises BadId, NotFound."""
        memory = await self.get(memory_id)
        index, user = self._keeping.index, self._keeping.user
        lines = await index.memory_lines(user, [memory_id])
        before = await self._before(memory_id)
        return MemoryHistory(
            memory=memory,
            before=before,
            after=await self._after(memory),
            changes=[
                HistoryEntry(
                    at=line.memory.updated,
                    event=line.event.removeprefix("memory_"),  # pyright: ignore[reportArgumentType]
                    by=line.by,
                    content=line.memory.content,
                )
                for line in lines
            ],
        )

    async def _before(self, memory_id: str) -> _Memories:
        """The memories whose place one has taken, and those before them, the oldest first."""
        index, user = self._keeping.index, self._keeping.user
        found: dict[str, Memory] = {}
        waiting = [memory_id]
        while waiting and len(found) < _LONGEST_CHAIN:
            wanted = MemoryFilter(None, archived=None, superseded=None, superseded_by=waiting.pop())
            for one in await index.memories(user, wanted, limit=_LONGEST_CHAIN):
                if one.id not in found and one.id != memory_id:
                    found[one.id] = one
                    waiting.append(one.id)
        return sorted(found.values(), key=lambda one: (one.valid_from or one.created, one.id))

    async def _after(self, memory: Memory) -> _Memories:
        index, user = self._keeping.index, self._keeping.user
        found: _Memories = []
        seen, next_ = {memory.id}, memory.superseded_by
        while next_ is not None and next_ not in seen:
            seen.add(next_)
            more = await index.some_memories(user, [next_])
            found += more
            next_ = more[0].superseded_by if more else None
        return found

    # -- changing ----------------------------------------------------------------------------

    async def add(
        self,
        content: str,
        type: MemoryType = "fact",  # noqa: A002 - as it is called everywhere
        *,
        category: str | None = None,
        pinned: bool = False,
        by: str = OWNER,
    ) -> Memory:
        """Remembers something; what is known already is given as it is.

        Raises SecretRefused, BadText, BadValue, IndexUnavailable, StorageFailed.
        """
        given = {"content": content, "type": type, "category": category, "pinned": pinned}
        return (await self.put(given_as(NewMemory, given), by=by))[0]

    async def put(
        self, new: NewMemory, *, by: str = OWNER, asked: bool = True, confidence: float = 1.0
    ) -> tuple[Memory, bool]:
        """The same, with where it comes from; and whether it was not known before. What the owner
        has not `asked` for is refused if it is sensitive, or was forgotten; with less `confidence`,
        it waits for approval.

        Raises SecretRefused, Forbidden, BadText, BadValue, NotFound, IndexUnavailable,
        StorageFailed.
        """
        source = await self._source(new)
        candidate = _candidate(new, source, asked=asked, confidence=confidence)
        moment = source.timestamp if source else iso(self._clock())
        said = iso(parse(new.valid_from)) if new.valid_from is not None else moment
        conversation_id = source.conversation_id if source else None
        offer = Offer(candidate, conversation_id, said, by, pinned=new.pinned, by_hand=asked)
        outcome = await self._gate.decide([offer], iso(self._clock()))
        if not outcome.skipped:
            await self._gate.store(outcome)
        for skipped in outcome.skipped:
            raise _refusal(skipped.reason)
        names = outcome.new or [one.memory_id for one in outcome.merged]
        return await self.get(names[0]), bool(outcome.new)

    async def _source(self, new: NewMemory) -> Message | None:
        """The message it comes from, if one is named. Raises BadId, BadValue, NotFound."""
        if new.source_message_id is None:
            if new.quote is not None or new.source_conversation_id is not None:
                raise BadValue("Say which message it comes from: `sourceMessageId`.")
            return None
        message_id = check_message_id(new.source_message_id)
        message = await self._reading.source(message_id, new.source_conversation_id)
        if new.quote is not None and not (new.quote.strip() and new.quote in message.content):
            raise BadValue("The quotation does not stand in that message.")
        return message

    async def edit(self, memory_id: str, **changes: object) -> Memory:
        """Changes a memory: its `content`, `type`, `category`, `pinned`, `archived`, `confidence`
        or `valid_from`. Raises BadId, BadValue, NotFound, SecretRefused, StorageFailed."""
        return await self.change(memory_id, given_as(MemoryChange, changes))

    async def change(self, memory_id: str, change: MemoryChange) -> Memory:
        """Changes a memory. Raises BadId, BadText, NotFound, SecretRefused, StorageFailed."""
        given = {name: getattr(change, name) for name in change.model_fields_set}
        if given.get("valid_from") is not None:
            given["valid_from"] = iso(parse(given["valid_from"]))
        for name in _REQUIRED:
            if given.get(name, 0) is None:
                del given[name]
        if (content := given.get("content")) is not None:
            given["content"] = _worded(content)
            if is_secret(given["content"]):
                raise SecretRefused
        return await self._put(memory_id, given)

    async def approve(self, memory_id: str) -> Memory:
        """Keeps what waited for approval. Raises BadId, NotFound, StorageFailed."""
        check_memory_id(memory_id)
        await self._gate.accept(memory_id, iso(self._clock()))
        return await self.get(memory_id)

    async def reject(self, memory_id: str) -> ForgetReceipt:
        """Does not keep what waited for approval, and does not learn it again. Raises BadId,
        NotFound, Conflict, StorageFailed."""
        if (await self.get(memory_id)).state == "kept":
            raise Conflict("It does not wait for approval any more.", remedy="Forget it instead.")
        return await self.forget(memory_id)

    async def supersede(self, memory_id: str, by: str) -> Memory:
        """Lets one memory take the place of another. Raises BadId, BadValue, NotFound."""
        follow = [(successor := await self.get(by)), *await self._after(successor)]
        if memory_id in {one.id for one in follow}:
            raise BadValue("A memory cannot take the place of what has taken its own.")
        others = [one for one in (await self.get(memory_id)).beside if one != by]
        return await self._put(memory_id, {"superseded_by": by, "beside": others}, SUPERSEDED)

    async def restore(self, memory_id: str) -> Memory:
        """Lets a memory hold again whose place another has taken. The other one stays, and does
        not take its place again. What holds already stays as it is. Raises BadId, NotFound,
        StorageFailed."""

        async def attempt(seen: int) -> None:
            memory = await self.get(memory_id)
            if memory.superseded_by is None:
                return
            after = [memory.superseded_by, *(one.id for one in await self._after(memory))]
            beside = list(dict.fromkeys([*memory.beside, *after]))
            back = memory.model_copy(update={"superseded_by": None, "beside": beside})
            await self._keeping.write([told(RESTORED, back)], seen=seen)

        await until_written(self._keeping, attempt)
        return await self.get(memory_id)

    async def _put(
        self, memory_id: str, given: Mapping[str, object], event: str = EDITED
    ) -> Memory:
        """Changes a memory as it is, not as it was when somebody else wrote: what was forgotten
        meanwhile does not come back."""

        async def attempt(seen: int) -> None:
            memory = await self.get(memory_id)
            changed = _changed(memory, given)
            if changed != memory:
                await self._keeping.write([told(event, changed)], seen=seen)

        await until_written(self._keeping, attempt)
        return await self.get(memory_id)

    # -- learning and forgetting -------------------------------------------------------------

    async def extract(self, conversation_id: str, *, dry_run: bool = False) -> Extraction:
        """Reads a conversation for what is worth remembering; with `dry_run` nothing is stored.

        Raises BadId, NotFound, IndexUnavailable, StorageFailed.
        """
        return await self._reading.extract(conversation_id, dry_run=dry_run)

    async def forget(
        self,
        memory_id: str | None = None,
        *,
        conversation_id: str | None = None,
        about: str | None = None,
        everywhere: bool = False,
        preview: bool = False,
    ) -> ForgetReceipt:
        """Forgets one memory, all that came from a conversation, or all about a word; with
        `everywhere`, the messages they came from are erased too. Raises BadId, BadValue, NotFound.
        """
        target = Target(memory_id, conversation_id, about)
        return await self._forgetting.forget(target, everywhere=everywhere, preview=preview)

    async def audit(self) -> AuditReport:
        """How far the memories can be trusted, and what would mend them. Raises
        IndexUnavailable."""
        return await self._audit.report()

    async def fix(self, kind: AuditKind, memory_ids: Sequence[str]) -> AuditFix:
        """Does what an audit proposes for some memories: those of one finding, or of several.

        Raises BadId, BadValue, IndexUnavailable, StorageFailed.
        """
        return await self._audit.fix(kind, [check_memory_id(one) for one in memory_ids])

    async def every(self) -> _Memories:
        """All memories, whatever state they are in, newest first."""
        return await every_memory(self._keeping, EVERY_MEMORY)


def _changed(memory: Memory, given: Mapping[str, object]) -> Memory:
    changed = memory.model_copy(update=dict(given))
    if changed.content == memory.content and changed.type == memory.type:
        return changed
    worded = memory.edited or changed.content != memory.content
    slot = slot_of(changed.content)
    return changed.model_copy(update={"edited": worded, "slot": slot})


def _candidate(
    new: NewMemory, source: Message | None, *, asked: bool, confidence: float
) -> Candidate:
    """Raises BadText, BadValue."""
    content = _worded(new.content)
    said = source.content.strip()[:MAX_CONTENT] if source else content
    message_id = source.id if source else ""
    return Candidate(
        new.type,
        content,
        message_id,
        new.quote or said,
        category=new.category,
        confidence=confidence,
        explicit=asked,
    )


def _worded(content: str) -> str:
    """What is remembered, on one line. Raises BadText, BadValue."""
    if worded := " ".join(check_text(content).split()):
        return worded
    raise BadValue("There is no word in that memory.")


def _refusal(reason: str) -> SecretRefused | Forbidden:
    """Why something is not remembered."""
    if reason == "secret":
        return SecretRefused()
    why = "It was forgotten" if reason == "forgotten" else "It is sensitive"
    return Forbidden(
        f"{why}: only the owner can have it remembered.",
        remedy="Ask them; they can write it down themselves.",
    )


def _is_of(memory: Memory, wanted: MemoryFilter) -> bool:
    """Whether it is of the category and the conversation, which a search does not look at."""
    return (wanted.category is None or memory.category == wanted.category) and (
        wanted.conversation_id is None or memory.source_conversation_id == wanted.conversation_id
    )
