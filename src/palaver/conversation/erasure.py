"""Erasure: what goes, planned first, shown on request, then erased, with a receipt.

The plan holds what is to go and the closure of everything that stands on it: replies that quote
it, events made from it, and what stands on those. Preview and receipt are read from one plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from palaver.conversation.books import Books
from palaver.conversation.records import DependentRef, Receipt
from palaver.conversation.streams import check_conversation_id
from palaver.errors import Conflict, Erased
from palaver.index.port import Dependent
from palaver.ledger.lines import check_message_id
from palaver.ledger.port import Erasure

_AT_ONCE = 500
_SEARCHABLE = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Plan:
    """What an erasure takes away."""

    conversation_id: str
    whole: bool
    """Whether the conversation goes with all its lines, or only one message of it."""
    message_ids: Sequence[str]
    seqs: Sequence[int]
    searchable: int
    """How many of the messages are in the full text."""
    dependents: Sequence[Dependent] = ()

    def erasure(self) -> Erasure:
        if self.whole:
            return Erasure(_by_stream(self.dependents), [self.conversation_id])
        own = [Dependent(self.conversation_id, seq, None) for seq in self.seqs]
        return Erasure(_by_stream([*own, *self.dependents]))

    def receipt(self, *, preview: bool) -> Receipt:
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
            full_text=self.searchable + len(replies),
            erased=list(self._sentences(len(replies))),
        )

    def _sentences(self, replies: int) -> Iterator[str]:
        messages = counted(len(self.message_ids), "message")
        if self.whole:
            yield f"The conversation, its title, and its {messages}."
        else:
            yield f"{messages} of the conversation."
        if replies:
            yield f"{counted(replies, 'reply', 'replies')} that quoted it."
        if events := len(self.dependents) - replies:
            yield f"{counted(events, 'title or summary', 'titles and summaries')} made from it."
        yield "Their rows in the index, and their words in the full text."


class Erasures:
    """Erases messages and conversations for good."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def conversation(self, conversation_id: str, *, preview: bool) -> Receipt:
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
            searchable=sum(line.data.get("role") in _SEARCHABLE for line in turns),
        )
        return await self._carry_out(plan, preview)

    async def message(self, conversation_id: str, message_id: str, *, preview: bool) -> Receipt:
        """Erases a message. Raises BadId, NotFound, Erased, IndexUnavailable."""
        check_conversation_id(conversation_id)
        check_message_id(message_id)
        message = await self._books.index.message(self._books.user, conversation_id, message_id)
        if message.status == "redacted":
            raise Erased("That message has been erased already.", remedy="Nothing is left to do.")
        plan = Plan(
            conversation_id,
            whole=False,
            message_ids=[message_id],
            seqs=[message.seq],
            searchable=int(message.role in _SEARCHABLE),
        )
        return await self._carry_out(plan, preview)

    async def _carry_out(self, plan: Plan, preview: bool) -> Receipt:
        plan = replace(plan, dependents=await self._standing_on(plan))
        if preview:
            return plan.receipt(preview=True)
        await self._books.ledger.erase(plan.erasure())
        # A reply may have quoted the words between the plan and their erasure.
        while late := await self._standing_on(plan):
            await self._books.ledger.erase(Erasure(_by_stream(late)))
            plan = replace(plan, dependents=[*plan.dependents, *late])
        return plan.receipt(preview=False)

    async def _standing_on(self, plan: Plan) -> list[Dependent]:
        """Everything that stands on the plan's messages, and on that, and so on; not yet in it."""
        gone = {(one.stream, one.seq) for one in plan.dependents}
        gone |= {(plan.conversation_id, seq) for seq in plan.seqs}
        found: dict[tuple[str, int], Dependent] = {}
        waiting = [*plan.message_ids, *(one.id for one in plan.dependents if one.id)]
        while waiting:
            ids, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            for one in await self._books.index.dependents(self._books.user, ids):
                place = (one.stream, one.seq)
                inside = plan.whole and one.stream == plan.conversation_id
                if not inside and place not in gone and place not in found:
                    found[place] = one
                    waiting += [one.id] if one.id else []
        return sorted(found.values(), key=lambda one: (one.stream, one.seq))


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 message, 14 messages."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _by_stream(dependents: Iterable[Dependent]) -> dict[str, Sequence[int]]:
    lines: dict[str, list[int]] = defaultdict(list)
    for one in dependents:
        lines[one.stream].append(one.seq)
    return {stream: sorted(seqs) for stream, seqs in lines.items()}
