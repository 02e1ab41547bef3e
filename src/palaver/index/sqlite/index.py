"""The index in SQLite: one file per user, made from the ledger and free to delete."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from palaver.errors import NotFound
from palaver.index.condition import Condition
from palaver.index.evidence import Evidence
from palaver.index.faults import Failed, Unusable
from palaver.index.folded import FoldedConversation
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning.meaning import Load, Meanings
from palaver.index.port import (
    After,
    ConversationFilter,
    Dependent,
    Question,
    SearchFilter,
    Where,
)
from palaver.index.records import ConversationMeta, Health, Message, MessagePage
from palaver.index.sqlite.asking import Asking
from palaver.index.sqlite.asking import Question as Put
from palaver.index.sqlite.keeper import Keeper
from palaver.index.sqlite.readers import Readers
from palaver.index.sqlite.rebuilds import Rebuilds
from palaver.index.sqlite.statements import QUERIES
from palaver.index.sqlite.writer import Writer
from palaver.ledger.lines import Line
from palaver.ledger.port import Finding, KeyHit, LineSource

T = TypeVar("T")
_MOMENT = 1.0
"""A rebuild is waited for so long: that of a short ledger is done by then."""


class SqliteIndex:
    """An Index and a Follower for the home of one user."""

    def __init__(
        self,
        path: Path,
        user: str,
        source: LineSource,
        *,
        vectors: Path | None = None,
        load: Load | None = None,
    ) -> None:
        """`path` is that of the file, in a folder of the home. `load` gives the model that tells
        what texts mean; without it there is full text only. Vectors are kept in `vectors`, in the
        home unless told otherwise."""
        self._user = user
        self._source = source
        self._condition = Condition()
        home = path.parent.parent
        self._rebuilds = Rebuilds(path, source, home / "jobs.lock", self._condition)
        self._readers = Readers(path)
        self._shelf = Shelf(QUERIES)
        self._meanings = Meanings(vectors or home / "vectors.db", load, self._condition)
        self._keeper = Keeper(self._readers, self._shelf, self._meanings)
        self._writer = Writer(path, source, self._condition, self._rebuilds, self._keeper.forget)
        self._rebuilds.on_swap = self._swapped
        self._asking = Asking(
            source,
            self._writer,
            self._readers,
            self._rebuilds,
            condition=self._condition,
            shelf=self._shelf,
        )

    # -- Follower ----------------------------------------------------------------------------

    def seen(self) -> Mapping[str, int]:
        return self._writer.seen()

    def position(self) -> int:
        return self._writer.position()

    def lost(self, stream: str) -> bool:
        return self._writer.lost(stream)

    def find_key(self, digest: str, pos: int) -> KeyHit | None:
        return self._writer.find_key(digest, pos)

    def apply(self, lines: Sequence[Line], pos: int) -> None:
        self._writer.apply(lines, pos)
        self._keeper.hear(len(lines))

    # -- opening and closing -----------------------------------------------------------------

    async def open(self) -> None:
        """Catches up with the ledger, or begins a rebuild. Raises IndexTooNew."""
        await asyncio.to_thread(self._open)

    def _open(self) -> None:
        try:
            self._writer.open()
        except Unusable as fault:
            self._rebuilds.start_for(fault)
            self._rebuilds.wait(_MOMENT)
        except Failed as fault:
            self._condition.fails(fault)
        self._keeper.start()

    def _swapped(self) -> None:
        """A rebuild is done. What was erased meanwhile may still have its vectors."""
        self._writer.swapped()
        self._keeper.wake()

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._keeper.stop()
        self._rebuilds.stop()
        self._readers.close()
        self._writer.close()
        self._meanings.close()

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
        return await self._ask(lambda a: a.conversation(conversation_id), sketched=True)

    async def messages(
        self, user: str, conversation_id: str, where: Where, *, limit: int
    ) -> MessagePage:
        self._check(user)

        def folded() -> MessagePage:
            return FoldedConversation(self._source, conversation_id).page(where, limit)

        return await self._ask(lambda a: a.messages(conversation_id, where, limit), folded)

    async def turns(self, user: str, conversation_id: str, first: int, last: int) -> list[Message]:
        self._check(user)

        def folded() -> list[Message]:
            return FoldedConversation(self._source, conversation_id).turns(first, last)

        return await self._ask(lambda a: a.turns(conversation_id, first, last), folded)

    async def message(self, user: str, conversation_id: str, message_id: str) -> Message:
        self._check(user)

        def folded() -> Message:
            return FoldedConversation(self._source, conversation_id).message(message_id)

        return await self._ask(lambda a: a.message(conversation_id, message_id), folded)

    async def find(self, user: str, message_ids: Sequence[str]) -> list[Message]:
        self._check(user)
        return await self._ask(lambda a: a.find(message_ids))

    async def reply_to(self, user: str, message_id: str) -> Message | None:
        self._check(user)
        return await self._ask(lambda a: a.reply_to(message_id))

    async def languages(self, user: str) -> list[str]:
        self._check(user)
        return await self._ask(lambda a: a.languages(), words=True)

    async def evidence(self, user: str, question: Question, wanted: SearchFilter) -> Evidence:
        self._check(user)
        meaning = self._meanings.ask(question)
        return await self._ask(lambda a: a.evidence(question, wanted, meaning), words=True)

    async def at(self, user: str, places: Sequence[tuple[str, int]]) -> list[Message]:
        self._check(user)
        return await self._ask(lambda a: a.at(places))

    async def ids(self, user: str, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
        self._check(user)
        return await self._ask(lambda a: a.ids(places))

    async def described(
        self, user: str, conversation_ids: Sequence[str]
    ) -> dict[str, ConversationMeta]:
        self._check(user)
        return await self._ask(lambda a: a.described(conversation_ids), sketched=True)

    async def dependents(self, user: str, message_ids: Sequence[str]) -> list[Dependent]:
        self._check(user)
        return await self._ask(lambda a: a.dependents(message_ids))

    def _check(self, user: str) -> None:
        if user != self._user:
            raise NotFound

    async def _ask(
        self,
        question: Put[T],
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
        await asyncio.to_thread(self._rebuilds.wait)
        if self._condition.degraded:
            raise self._condition.problem()

    async def verify(self) -> list[Finding]:
        """Looks at every row and every stream. Raises IndexUnavailable without rows to look at."""
        return await asyncio.to_thread(self._asking.verify)

    async def settle(self) -> None:
        """Waits until the index has everything. Raises IndexUnavailable when it cannot have it."""
        await asyncio.to_thread(self._asking.settle)
        await asyncio.to_thread(self._keeper.settle)
