"""The front of an index: every question of the port, put to whoever asks the rows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from palaver.errors import NotFound
from palaver.index.condition import Condition
from palaver.index.evidence import Evidence, Floats, Keys, Vector
from palaver.index.folded import FoldedConversation, folded_deliveries, folded_preferences
from palaver.index.meaning.meaning import Meanings
from palaver.index.port import (
    Activity,
    After,
    ConversationFilter,
    Day,
    Dependent,
    ExternalFound,
    ExternalHit,
    Kept,
    MemoryFilter,
    MemoryLine,
    NearMemory,
    Owed,
    OwedFilter,
    Place,
    Preference,
    Question,
    SearchFilter,
    Shown,
    Span,
    Storage,
    Unfolded,
    View,
    Where,
)
from palaver.index.records import (
    ConversationMeta,
    Delivery,
    ExternalMeta,
    Health,
    Memory,
    Message,
    MessagePage,
    StoredSummary,
)
from palaver.index.stored.answers import Answers
from palaver.index.stored.asking import Asking
from palaver.index.stored.memories import Means
from palaver.index.stored.rebuilds import Rebuilds
from palaver.index.stored.together import Together
from palaver.ledger.port import Finding, LineSource
from palaver.settings import Tier
from palaver.text import Term

T = TypeVar("T")


class Front:
    """The questions of an Index for one user."""

    def __init__(
        self,
        user: str,
        source: LineSource,
        asking: Asking,
        *,
        rebuilds: Rebuilds,
        condition: Condition,
        meanings: Meanings,
    ) -> None:
        self._user = user
        self._source = source
        self._asking = asking
        self._together = Together(asking)
        self._rebuilds = rebuilds
        self._condition = condition
        self._meanings = meanings

    # -- questions ---------------------------------------------------------------------------

    def health(self) -> Health:
        return self._condition.health()

    async def conversations(
        self, user: str, wanted: ConversationFilter, *, limit: int, after: After | None = None
    ) -> list[ConversationMeta]:
        self._check(user)
        return await self._ask(lambda a: a.conversations(wanted, limit, after), sketched=True)

    async def conversation(self, user: str, conversation_id: str) -> ConversationMeta:
        self._check(user)
        return await self._together.ask(lambda a: a.conversation(conversation_id), sketched=True)

    async def view(self, user: str, conversation_id: str, *, limit: int) -> View:
        self._check(user)

        def folded() -> View:
            return FoldedConversation(self._source, conversation_id).view(limit)

        return await self._ask(lambda a: a.view(conversation_id, limit), folded)

    async def messages(
        self, user: str, conversation_id: str, where: Where, *, limit: int
    ) -> MessagePage:
        self._check(user)

        def folded() -> MessagePage:
            return FoldedConversation(self._source, conversation_id).page(where, limit)

        return await self._together.ask(lambda a: a.messages(conversation_id, where, limit), folded)

    async def turns(self, user: str, conversation_id: str, first: int, last: int) -> list[Message]:
        self._check(user)

        def folded() -> list[Message]:
            return FoldedConversation(self._source, conversation_id).turns(first, last)

        return await self._together.ask(lambda a: a.turns(conversation_id, first, last), folded)

    async def near(
        self, user: str, conversation_id: str, lines: Sequence[int], *, limit: int
    ) -> list[list[Message]]:
        self._check(user)
        return await self._ask(lambda a: a.near(conversation_id, lines, limit))

    async def message(self, user: str, conversation_id: str, message_id: str) -> Message:
        self._check(user)

        def folded() -> Message:
            return FoldedConversation(self._source, conversation_id).message(message_id)

        return await self._together.ask(lambda a: a.message(conversation_id, message_id), folded)

    async def find(self, user: str, message_ids: Sequence[str]) -> list[Message]:
        self._check(user)
        return await self._ask(lambda a: a.find(message_ids))

    async def reply_to(self, user: str, message_id: str) -> Message | None:
        self._check(user)
        return await self._together.ask(lambda a: a.reply_to(message_id))

    async def unanswered(self, user: str, since: str) -> list[Message]:
        self._check(user)
        return await self._ask(lambda a: a.unanswered(since))

    async def languages(self, user: str, *, unread: int | None = None) -> list[str]:
        self._check(user)
        return await self._ask(lambda a: a.languages(unread), words=unread is None)

    async def evidence(self, user: str, question: Question, wanted: SearchFilter) -> Evidence:
        self._check(user)
        meaning = self._meanings.ask(question)
        words = question.reach.unread is None
        return await self._ask(lambda a: a.evidence(question, wanted, meaning), words=words)

    async def at(self, user: str, places: Sequence[Place]) -> list[Message]:
        self._check(user)
        return await self._ask(lambda a: a.at(places))

    async def shown(
        self,
        user: str,
        best: Sequence[Place],
        places: Sequence[Place],
        conversation_ids: Sequence[str] = (),
    ) -> Shown:
        self._check(user)
        return await self._ask(lambda a: a.shown(best, places, conversation_ids))

    async def described(
        self, user: str, conversation_ids: Sequence[str]
    ) -> dict[str, ConversationMeta]:
        self._check(user)
        return await self._ask(lambda a: a.described(conversation_ids), sketched=True)

    async def unfolded(
        self, user: str, conversation_id: str, version: int, *, limit: int
    ) -> Unfolded:
        self._check(user)

        def folded() -> Unfolded:
            page = FoldedConversation(self._source, conversation_id).page(Where(), limit)
            return Unfolded(None, page.messages, page.has_more)

        return await self._together.ask(
            lambda a: a.unfolded(conversation_id, version, limit), folded
        )

    async def keep(self, user: str, conversation_id: str, state: Kept, read: Unfolded) -> bool:
        self._check(user)
        keep = self._asking.keep
        return bool(read.seal) and await asyncio.to_thread(keep, conversation_id, state, read)

    async def summary(
        self, user: str, conversation_id: str, kind: str, *, seq: int | None = None
    ) -> StoredSummary | None:
        self._check(user)
        return await self._together.ask(lambda a: a.summary(conversation_id, kind, seq))

    async def summaries(
        self, user: str, conversation_id: str, kinds: Sequence[str]
    ) -> list[StoredSummary]:
        self._check(user)
        return await self._together.ask(lambda a: a.summaries(conversation_id, kinds))

    async def versions(self, user: str, conversation_id: str, kind: str) -> list[StoredSummary]:
        self._check(user)
        return await self._ask(lambda a: a.versions(conversation_id, kind))

    async def telling(
        self, user: str, conversation_ids: Sequence[str]
    ) -> dict[str, list[StoredSummary]]:
        self._check(user)
        return await self._ask(lambda a: a.telling(conversation_ids))

    async def owed(
        self, user: str, wanted: OwedFilter, *, after: After | None = None, limit: int
    ) -> list[Owed]:
        self._check(user)
        return await asyncio.to_thread(self._owed, wanted, after, limit)

    def _owed(self, wanted: OwedFilter, after: After | None, limit: int) -> list[Owed]:
        def unknown() -> list[Owed]:
            if self._condition.degraded:
                raise self._condition.problem()
            return []

        return self._asking.ask(lambda a: a.owed(wanted, after, limit), unknown)

    async def standing(self, user: str, conversation_id: str) -> Owed:
        self._check(user)

        def folded() -> Owed:
            return FoldedConversation(self._source, conversation_id).standing()

        return await self._together.ask(lambda a: a.standing(conversation_id), folded)

    async def titles(self, user: str, wanted: Sequence[str]) -> set[str]:
        self._check(user)
        return await self._ask(lambda a: a.titles(wanted), sketched=True)

    async def meanings(self, user: str, texts: Sequence[str]) -> dict[str, Vector]:
        self._check(user)
        return await asyncio.to_thread(self._meanings.read, texts)

    async def length(self, user: str, stream: str) -> int:
        self._check(user)
        return await self._ask(lambda a: a.length(stream))

    async def activity(self, user: str, days: Sequence[Span]) -> list[Activity]:
        self._check(user)
        return await self._ask(lambda a: a.activity(days))

    async def storage(self, user: str) -> Storage:
        self._check(user)
        return await self._ask(lambda a: a.storage())

    async def days(
        self, user: str, conversation_id: str, *, before: str | None = None, limit: int
    ) -> list[Day]:
        self._check(user)
        return await self._ask(lambda a: a.days(conversation_id).before(before, limit))

    async def day(self, user: str, conversation_id: str, label: str) -> Day | None:
        self._check(user)
        return await self._ask(lambda a: a.days(conversation_id).of_label(label))

    async def day_of_id(self, user: str, conversation_id: str, day_id: str) -> Day | None:
        self._check(user)
        return await self._ask(lambda a: a.days(conversation_id).of_id(day_id))

    async def day_of_turn(self, user: str, conversation_id: str, turn: int) -> Day | None:
        self._check(user)
        return await self._ask(lambda a: a.days(conversation_id).of_turn(turn))

    async def untold_days(self, user: str, conversation_id: str, *, limit: int) -> list[Day]:
        self._check(user)
        return await self._ask(lambda a: a.days(conversation_id).untold(limit))

    async def citing(
        self, user: str, conversation_id: str, message_ids: Sequence[str]
    ) -> list[StoredSummary]:
        self._check(user)
        return await self._ask(lambda a: a.days(conversation_id).citing(message_ids))

    async def preferences(self, user: str) -> dict[str, Preference]:
        self._check(user)
        return await self._together.ask(
            lambda a: a.preferences(), lambda: folded_preferences(self._source)
        )

    async def memories(
        self, user: str, wanted: MemoryFilter, *, limit: int, after: After | None = None
    ) -> list[Memory]:
        self._check(user)
        return await self._together.ask(lambda a: a.memories().page(wanted, limit, after))

    async def memory_count(self, user: str, wanted: MemoryFilter) -> int:
        self._check(user)
        return await self._ask(lambda a: a.memories().count(wanted))

    async def memory(self, user: str, memory_id: str) -> Memory:
        self._check(user)
        return await self._ask(lambda a: a.memories().one(memory_id))

    async def some_memories(self, user: str, memory_ids: Sequence[str]) -> list[Memory]:
        self._check(user)
        return await self._ask(lambda a: a.memories().some(memory_ids))

    async def memory_lines(self, user: str, memory_ids: Sequence[str]) -> list[MemoryLine]:
        self._check(user)
        return await self._ask(lambda a: a.memories().lines(memory_ids))

    async def memories_near(
        self, user: str, question: Question, wanted: MemoryFilter
    ) -> list[NearMemory]:
        self._check(user)
        means = self._means(question)
        return await self._ask(lambda a: a.memories().near(question, wanted, means))

    def _means(self, question: Question) -> Means:
        meanings = self._meanings

        def read(keys: Keys) -> Floats | None:
            return meanings.attempt(lambda store: store.vectors(keys))

        if not (meanings.wanted and question.text):
            return Means(lambda: None, read)
        return Means(meanings.start(meanings.vector, question.text).result, read)

    async def alike(self, user: str, text: str, others: Sequence[str]) -> list[float | None]:
        self._check(user)
        return await asyncio.to_thread(self._alike, text, others)

    def _alike(self, text: str, others: Sequence[str]) -> list[float | None]:
        if not self._meanings.wanted:
            return [None] * len(others)
        meant, *near = (self._meanings.vector(one) for one in (text, *others))
        return [None if meant is None or one is None else float(meant @ one) for one in near]

    async def memories_at(self, user: str, seqs: Sequence[int]) -> list[MemoryLine]:
        self._check(user)
        return await self._ask(lambda a: a.memories().at(seqs))

    async def oblivion_salts(self, user: str) -> list[str]:
        self._check(user)
        return await self._ask(lambda a: a.memories().salts())

    async def forgotten(self, user: str, digests: Sequence[str]) -> set[str]:
        self._check(user)
        return await self._ask(lambda a: a.memories().forgotten(digests))

    async def pinned(self, user: str, channel: str, place_id: str) -> ConversationMeta | None:
        self._check(user)
        return await self._ask(lambda a: a.pinned(channel, place_id), sketched=True)

    async def pinned_with(self, user: str, channel: str, party: str) -> list[ConversationMeta]:
        self._check(user)
        return await self._ask(lambda a: a.pinned_with(channel, party), sketched=True)

    async def outbox(self, user: str, limit: int) -> list[Delivery]:
        self._check(user)
        return await self._ask(lambda a: a.outbox().next(limit))

    async def deliveries(
        self, user: str, stream: str, message_ids: Sequence[str]
    ) -> dict[str, Delivery]:
        self._check(user)

        def folded() -> dict[str, Delivery]:
            return folded_deliveries(self._source, stream, message_ids)

        return await self._ask(lambda a: a.outbox().of(stream, message_ids), folded)

    async def delivery(self, user: str, message_id: str) -> Delivery:
        self._check(user)
        return await self._ask(lambda a: a.outbox().one(message_id))

    async def externals(
        self,
        user: str,
        *,
        channel: str | None = None,
        trust: Tier | None = None,
        q: str | None = None,
        limit: int,
        after: After | None = None,
    ) -> list[ExternalMeta]:
        self._check(user)
        return await self._ask(lambda a: a.externals().page(channel, trust, q, limit, after))

    async def external(self, user: str, external_id: str) -> ExternalMeta:
        self._check(user)
        return await self._ask(lambda a: a.externals().one(external_id))

    async def external_of(self, user: str, channel: str, party: str) -> ExternalMeta | None:
        self._check(user)
        return await self._ask(lambda a: a.externals().of(channel, party))

    async def external_languages(self, user: str) -> list[str]:
        self._check(user)
        return await self._ask(lambda a: a.external_search().languages())

    async def external_hits(
        self, user: str, terms: Sequence[Term], wanted: SearchFilter
    ) -> list[ExternalHit]:
        self._check(user)
        return await self._ask(lambda a: a.external_search().hits(terms, wanted))

    async def external_found(
        self, user: str, places: Sequence[Place]
    ) -> dict[Place, ExternalFound]:
        self._check(user)
        return await self._ask(lambda a: a.external_search().shown(places))

    async def dependents(self, user: str, message_ids: Sequence[str]) -> list[Dependent]:
        self._check(user)
        return await self._ask(lambda a: a.dependents(message_ids))

    def _check(self, user: str) -> None:
        if user != self._user:
            raise NotFound

    async def _ask(
        self,
        question: Callable[[Answers], T],
        folded: Callable[[], T] | None = None,
        *,
        sketched: bool = False,
        words: bool = False,
    ) -> T:
        ask = self._asking.ask
        return await asyncio.to_thread(ask, question, folded, sketched=sketched, words=words)

    # -- keeping it in order -----------------------------------------------------------------

    async def rebuild(self, progress: Callable[[Health], None] | None = None) -> None:
        """Makes every row again. Raises IndexDegraded when that fails."""
        loop = asyncio.get_running_loop()

        def report(health: Health) -> None:
            if progress:
                loop.call_soon_threadsafe(progress, health)

        self._rebuilds.start("A rebuild was asked for.", afresh=True, listener=report)
        await asyncio.wrap_future(self._rebuilds.ended)  # no thread waits for it: others need those
        if self._condition.degraded:
            raise self._condition.problem()

    async def verify(self) -> list[Finding]:
        """Looks at every row and every stream. Raises IndexUnavailable without rows to look at."""
        return await asyncio.to_thread(self._asking.verify)

    async def settle(self) -> None:
        """Waits until the index has everything. Raises IndexUnavailable when it cannot have it."""
        await asyncio.to_thread(self._asking.settle)
