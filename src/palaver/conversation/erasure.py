"""Erasure: what goes, planned first, shown on request, then erased, with a receipt.

The plan holds what is to go and the closure of everything that stands on it: replies that quote
it, events made from it, and what stands on those. Preview and receipt are read from one plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from palaver.conversation.books import Books
from palaver.conversation.day_sparing import DaySparing
from palaver.conversation.records import DependentRef, Receipt
from palaver.conversation.seen import as_seen
from palaver.conversation.streams import check_conversation_id
from palaver.errors import Conflict, Erased, NotFound
from palaver.index.pieces import piece_keys
from palaver.index.port import Dependent
from palaver.index.records import Message
from palaver.index.rows import SEARCHABLE_ROLES
from palaver.ledger.lines import USER_STREAM, check_message_id
from palaver.ledger.port import Erasure
from palaver.memory.rescuing import NOTHING, Going, Rescuing
from palaver.memory.reviving import holds_again
from palaver.text import counted

_AT_ONCE = 500
_TOGETHER = 200
"""So many messages are erased in one commit."""

Where = tuple[str, int]
"""A stream, and the number of a line in it."""
Said = tuple[str, str]
"""Who says something, by role, and what."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an erasure takes away."""

    conversation_id: str
    whole: bool
    """Whether the conversation goes with all its lines, or only one message of it."""
    message_ids: Sequence[str]
    """Those of the conversation; or the message's, and those of its earlier versions."""
    seqs: Sequence[int]
    said: Sequence[Said]
    """The messages that are in the full text."""
    dependents: Sequence[Dependent] = ()
    quoting: Sequence[Said] = ()
    """The replies that go because they quote it."""
    memories: Going = NOTHING
    """What was learned from it."""

    def erasure(self) -> Erasure:
        """What was asked for; what stands on it has gone before."""
        if self.whole:
            return Erasure(streams=[self.conversation_id])
        ids = zip(self.seqs, self.message_ids, strict=True)
        return erasure_of([Dependent(self.conversation_id, seq, name) for seq, name in ids])

    def receipt(self, remains: Sequence[str], *, preview: bool) -> Receipt:
        replies = [one for one in self.dependents if one.id]
        return Receipt(
            preview=preview,
            conversation_id=self.conversation_id,
            messages=len(self.message_ids),
            dependents=[
                DependentRef(conversation_id=one.stream, message_id=one.id)
                for one in self.dependents
            ],
            rows=len(self.message_ids) + len(replies) + self.whole,
            full_text=len(self.said) + len(replies),
            pieces=sum(len(piece_keys(*one)) for one in (*self.said, *self.quoting)),
            erased=list(self._sentences(replies)),
            remains=[*remains, *self._staying()],
        )

    def _staying(self) -> Iterator[str]:
        if kept := len(self.memories.kept):
            stay = counted(kept, "memory that is", "memories that are")
            yield f"{stay} pinned or worded by you, without where it came from."
        if again := holds_again(len(self.memories.back)):
            yield again

    def _sentences(self, replies: Sequence[Dependent]) -> Iterator[str]:
        if self.whole:
            messages = counted(len(self.message_ids), "message")
            yield f"The conversation, its title and its {messages}."
        elif earlier := len(self.message_ids) - 1:
            versions = counted(earlier, "earlier version")
            yield f"1 message of the conversation, with {versions}."
        else:
            yield "1 message of the conversation."
        yield from self._quoting(replies)
        if lost := len(self.memories.lost):
            yield f"{counted(lost, 'memory', 'memories')} that came from it."
        learned = sum(one.stream == USER_STREAM for one in self.dependents)
        if events := len(self.dependents) - len(replies) - learned:
            records = counted(events, "title or other record", "titles and other records")
            yield f"{records} made from it."
        yield "Its entries in the search index, by word and by meaning."

    def _quoting(self, replies: Sequence[Dependent]) -> Iterator[str]:
        """Replies that go because they quote it: here, and elsewhere."""
        away = [one.stream for one in replies if one.stream != self.conversation_id]
        if here := len(replies) - len(away):
            replied = counted(here, "reply", "replies")
            yield f"{replied} in this conversation that quoted it or looked something up for it."
        if away:
            places = "another conversation" if len(set(away)) == 1 else "other conversations"
            yield f"{counted(len(away), 'reply', 'replies')} in {places} that quoted it."


class Erasures:
    """Erases messages and conversations for good."""

    def __init__(self, books: Books, memories: Rescuing) -> None:
        self._books = books
        self._memories = memories
        self._sparing = DaySparing(books)

    async def conversation(
        self, conversation_id: str, *, preview: bool, version: int | None = None
    ) -> Receipt:
        """Erases a conversation. Raises BadId, NotFound, Conflict, IndexUnavailable."""
        check_conversation_id(conversation_id)
        meta = await self._books.index.conversation(self._books.user, conversation_id)
        if meta.pinned:
            raise Conflict(
                f"This conversation is pinned: {meta.channel} writes to it.",
                remedy="Unpin it, then delete it.",
            )
        turns = [
            line for line in await self._books.ledger.read(conversation_id) if line.type == "turn"
        ]
        plan = Plan(
            conversation_id,
            whole=True,
            message_ids=[line.id for line in turns],
            seqs=[line.seq for line in turns],
            said=[
                (role, str(line.data.get("content") or ""))
                for line in turns
                if (role := line.data.get("role")) in SEARCHABLE_ROLES
            ],
        )
        return await self._carry_out(plan, preview, version)

    async def message(
        self,
        conversation_id: str,
        message_id: str,
        *,
        preview: bool,
        version: int | None = None,
    ) -> Receipt:
        """Erases a message and what it said before it was edited.

        Raises BadId, NotFound, Conflict, Erased, IndexUnavailable.
        """
        check_conversation_id(conversation_id)
        check_message_id(message_id)
        versions = await self._versions(conversation_id, message_id)
        if versions[0].status == "redacted":
            raise Erased("That message has been erased already.", remedy="Nothing is left to do.")
        going = [one for one in versions if one.status != "redacted"]
        plan = Plan(
            conversation_id,
            whole=False,
            message_ids=[one.id for one in going],
            seqs=[one.seq for one in going],
            said=[(one.role, one.content) for one in going if one.role in SEARCHABLE_ROLES],
        )
        return await self._carry_out(plan, preview, version)

    async def together(self, wanted: Sequence[tuple[str, str]]) -> None:
        """Erases messages of whatever conversations, by these and their ids, with what they said
        before and all that stands on them; many in one commit. Those that are gone are left out.

        Raises IndexUnavailable, StorageFailed.
        """
        for start in range(0, len(wanted), _TOGETHER):
            await self._together(wanted[start : start + _TOGETHER])

    async def _together(self, wanted: Sequence[tuple[str, str]]) -> None:
        gone: dict[Where, Dependent] = {}
        for conversation_id, message_id in wanted:
            with suppress(NotFound):
                for one in await self._versions(conversation_id, message_id):
                    if one.status != "redacted":
                        known = Dependent(conversation_id, one.seq, one.id)
                        gone[conversation_id, one.seq] = known
        erased: set[Where] = set()
        while True:
            # A reply may quote the words until they are erased.
            found = await self._closure([one.id for one in gone.values() if one.id], set(gone))
            gone |= {(one.stream, one.seq): one for one in found}
            late = [one for where, one in gone.items() if where not in erased]
            if not late:
                return
            await self._rescue(late)
            await self._books.ledger.erase(erasure_of(late))
            erased |= set(gone)

    async def _rescue(self, going: Sequence[Dependent]) -> None:
        """What the owner holds on to stays: memories, and what they wrote of days."""
        learned = [one.seq for one in going if one.stream == USER_STREAM]
        await self._memories.keep(await self._memories.going(learned))
        events = {one.stream for one in going if one.id is None} - {USER_STREAM}
        if events:
            ids = [one.id for one in going if one.id]
            messages = await self._books.index.find(self._books.user, ids)
            await self._sparing.spare(sorted(events), messages, {})

    async def _versions(self, conversation_id: str, message_id: str) -> list[Message]:
        """A message, and those whose place it took, one after the other."""
        found: list[Message] = []
        wanted: str | None = message_id
        while wanted is not None:
            one = await self._books.index.message(self._books.user, conversation_id, wanted)
            found.append(one)
            wanted = one.supersedes
        return found

    async def _carry_out(self, plan: Plan, preview: bool, version: int | None) -> Receipt:
        expected = dict(await as_seen(self._books, plan.conversation_id, version))
        plan = await self._with(plan, await self._standing_on(plan))
        learned = [one.seq for one in plan.dependents if one.stream == USER_STREAM]
        plan = replace(plan, memories=await self._memories.going(learned))
        if preview:
            return plan.receipt(self._books.remains, preview=True)
        await self._memories.keep(plan.memories)
        # First what stands on it: if this is interrupted, asking again finds the rest.
        if plan.dependents:
            expected |= await self._spare(plan, expected)
            erasure = replace(erasure_of(plan.dependents), expected=expected)
            noted = await self._books.ledger.erase(erasure)
            expected |= {line.stream: line.end for line in noted if line.stream in expected}
        await self._books.ledger.erase(replace(plan.erasure(), expected=expected))
        # A reply may have quoted the words between the plan and their erasure.
        while late := await self._standing_on(plan):
            plan = await self._with(plan, late)
            learned = [one.seq for one in late if one.stream == USER_STREAM]
            await self._memories.keep(await self._memories.going(learned))
            await self._books.ledger.erase(erasure_of(late))
        return plan.receipt(self._books.remains, preview=False)

    async def _spare(self, plan: Plan, expected: Mapping[str, int]) -> dict[str, int]:
        """What the owner wrote of days stays, also on pages that stand on what is erased. Gives
        what is expected from then on."""
        events = {one.stream for one in plan.dependents if one.id is None}
        if plan.whole:
            events.discard(plan.conversation_id)
        if not events:
            return {}
        ids = [*plan.message_ids, *(one.id for one in plan.dependents if one.id)]
        going = await self._books.index.find(self._books.user, ids)
        return await self._sparing.spare(sorted(events), going, expected)

    async def _with(self, plan: Plan, found: Sequence[Dependent]) -> Plan:
        """The plan with more that stands on it."""
        replies = [one.id for one in found if one.id]
        said = [
            (one.role, one.content)
            for one in await self._books.index.find(self._books.user, replies)
        ]
        return replace(plan, dependents=[*plan.dependents, *found], quoting=[*plan.quoting, *said])

    async def _standing_on(self, plan: Plan) -> list[Dependent]:
        """Everything that stands on the plan's messages, and on that, and so on; not yet in it."""
        gone = {(one.stream, one.seq) for one in plan.dependents}
        gone |= {(plan.conversation_id, seq) for seq in plan.seqs}
        ids = [*plan.message_ids, *(one.id for one in plan.dependents if one.id)]
        return await self._closure(ids, gone, plan.conversation_id if plan.whole else None)

    async def _closure(
        self, ids: Sequence[str], gone: Collection[Where], inside: str | None = None
    ) -> list[Dependent]:
        """Everything that stands on messages, and on that, and so on; without what is `gone`, and
        what is `inside` a conversation that goes as a whole."""
        found: dict[Where, Dependent] = {}
        waiting = list(ids)
        while waiting:
            some, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            for one in await self._books.index.dependents(self._books.user, some):
                place = (one.stream, one.seq)
                if one.stream != inside and place not in gone and place not in found:
                    found[place] = one
                    waiting += [one.id] if one.id else []
        return sorted(found.values(), key=lambda one: (one.stream, one.seq))


def erasure_of(lines: Iterable[Dependent]) -> Erasure:
    """The erasure of single lines, each known by its place and, if it is a message, by its id."""
    seqs: dict[str, list[int]] = defaultdict(list)
    ids: dict[tuple[str, int], str] = {}
    for line in lines:
        seqs[line.stream].append(line.seq)
        if line.id is not None:
            ids[line.stream, line.seq] = line.id
    return Erasure(seqs, ids=ids)
