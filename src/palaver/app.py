"""Palaver: one user's conversations, as a library. The only module that knows every room."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Unpack

from palaver.agent.offline import OfflineAssistant
from palaver.context.builder import ContextBuilder
from palaver.context.history import HistoryReader
from palaver.context.kept import KeptSummaries
from palaver.context.packet import ContextPacket
from palaver.context.retriever import Retriever
from palaver.context.tokens import EstimatedTokens
from palaver.conversation.books import Books
from palaver.conversation.conversations import Conversations
from palaver.conversation.erasure import Erasures
from palaver.conversation.happenings import Happenings, Listening
from palaver.conversation.messages import Messages
from palaver.conversation.records import (
    Change,
    ConversationPage,
    NewMessage,
    Receipt,
    Reply,
    checked,
)
from palaver.conversation.sources import Sources
from palaver.conversation.streams import Streams, check_channel, check_conversation_id
from palaver.conversation.turn import Turns
from palaver.digest.checkpoint import Checkpoint, Checkpoints, ConversationState
from palaver.digest.compression import Compression, Limits
from palaver.digest.condensing import OfflineCondenser
from palaver.digest.states import States
from palaver.digest.statuses import Statuses
from palaver.embedding import Embedder
from palaver.engines import LOCAL, Engine, ModelLoader, engine_of, home_of
from palaver.index.port import ConversationFilter, Where
from palaver.index.records import ConversationMeta, Health, Message, MessagePage
from palaver.jobs import Job
from palaver.ledger.files import Home
from palaver.ledger.lines import Line, check_draft, turn
from palaver.ledger.port import Finding
from palaver.recall.ranking import ranking_of
from palaver.recall.results import Kind, MessageHit, SearchPage, SearchResult
from palaver.recall.scope import Filters, Scope
from palaver.recall.search import Search
from palaver.settings import Settings
from palaver.times import Clock, system_clock
from palaver.typed import typed

_WINDOW = 200_000
"""How many tokens a model takes of which nothing is known."""


@typed
class Palaver:
    """One user's conversations. Use it as `async with Palaver.open() as palaver`."""

    def __init__(self, settings: Settings, user: str, clock: Clock, engine: Engine) -> None:
        """`engine` keeps the conversations; it is opened and closed with this."""
        self.settings = settings
        self.user = user
        self.home = home_of(settings.home, user)
        self._clock = clock
        self._engine = engine
        self._open = AsyncExitStack()

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        *,
        user: str = LOCAL,
        database_url: str | None = None,
        clock: Clock = system_clock,
        index_vectors: bool = True,
        embedder: Embedder | None = None,
        settings: Settings | None = None,
    ) -> Palaver:
        """The conversations in `home`, or in a database, for `async with`. Raises BadSetting.

        `index_vectors=False` is for full text only. `embedder` is a model of your own; it is told
        apart from others by its `identity`.
        """
        chosen = _settings(home, database_url, settings)
        load = ModelLoader(Home(chosen.home).models, embedder) if index_vectors else None
        return cls(chosen, user, clock, engine_of(chosen, user, load, clock))

    async def __aenter__(self) -> Palaver:
        """Raises HomeUnusable, DatabaseUnusable, DatabaseTooNew, StorageFailed, IndexTooNew."""
        async with AsyncExitStack() as opening:
            opening.push_async_callback(self._engine.close)
            await self._engine.open()
            engine = self._engine
            self._furnish(Books(engine.ledger, engine.index, self.user, engine.remains))
            opening.push_async_callback(self._states.close)
            self._open = opening.pop_all()
        return self

    def _furnish(self, books: Books) -> None:
        settings, zone = self.settings, self.settings.user.zone
        streams, sources = Streams(books), Sources(books)
        self._ledger, self._index = books.ledger, books.index
        self._conversations = Conversations(books)
        self._messages = Messages(books, streams, sources)
        self._erasures = Erasures(books)
        self._listening = Listening(books, self._engine.events)
        self._search = Search(
            books.index,
            self.user,
            zone=zone,
            clock=self._clock,
            ranking=ranking_of(settings.index),
        )
        counter = EstimatedTokens()
        statuses = Statuses(self._clock, settings.conversations.idle_after)
        self._states = States(books.index, self.user, statuses)
        self._checkpoints = Checkpoints(
            books.index, self.user, self._states, settings.conversations.checkpoint_turns
        )
        self._context = ContextBuilder(
            HistoryReader(books.index, self.user, zone),
            Retriever(self._search, books.index, self.user, zone),
            settings.conversations,
            counter=counter,
            clock=self._clock,
            window_of=lambda _: _WINDOW,
            states=self._states,
            summaries=KeptSummaries(books.index, self.user),
        )
        self._compression = Compression(
            books.ledger,
            books.index,
            self.user,
            states=self._states,
            condenser=OfflineCondenser(counter.count),
            limits=Limits(
                self._context.budget, counter.count, settings.conversations.checkpoint_turns
            ),
        )
        assistant = OfflineAssistant(self._search, name=settings.agent.name, zone=zone)
        self._turns = Turns(books, self._conversations, streams, sources, assistant)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._open.aclose()

    # -- saying something --------------------------------------------------------------------

    async def start(
        self,
        channel: str = "web",
        *,
        title: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> ConversationMeta:
        """Begins a conversation."""
        return await self._conversations.start(channel, title=title, metadata=metadata, key=key)

    async def append(
        self,
        conversation_id: str,
        role: str,
        content: str,
        *,
        timestamp: str | datetime | None = None,
        sender: str | None = None,
        key: str | None = None,
        **rich: Any,
    ) -> Message:
        """Stores a message without asking for an answer; returns once it is safe on disk.

        `rich` takes the other fields of NewMessage, such as `tool_calls` or `sources`.
        """
        given = {"role": role, "content": content, "timestamp": timestamp, "sender": sender}
        new = checked(NewMessage, {**given, "key": key, **rich})
        return (await self._messages.append(conversation_id, [new]))[0]

    async def append_many(
        self, conversation_id: str, messages: Sequence[NewMessage]
    ) -> list[Message]:
        """Stores the messages in one commit: all of them or none."""
        return await self._messages.append(conversation_id, messages)

    async def send(
        self,
        text: str,
        *,
        conversation_id: str | None = None,
        new: bool = False,
        channel: str = "web",
        key: str | None = None,
        model: str | None = None,
    ) -> Reply:
        """Stores a message and answers it, in the latest conversation unless told otherwise."""
        return await self._turns.send(
            text, channel=channel, conversation_id=conversation_id, new=new, key=key, model=model
        )

    # -- conversations -----------------------------------------------------------------------

    async def conversations(
        self,
        *,
        channel: str | None = None,
        archived: bool = False,
        mode: Literal["standard", "continuous"] = "standard",
        q: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> ConversationPage:
        """Conversations, newest first; `q` is looked for in their titles."""
        wanted = ConversationFilter(channel, archived, mode, q)
        return await self._conversations.page(wanted, limit=limit, cursor=cursor)

    async def current(self) -> ConversationMeta:
        """The most recent web conversation; a new one if there is none."""
        return await self._conversations.current()

    async def conversation(self, conversation_id: str) -> ConversationMeta:
        """One conversation, without its messages."""
        return await self._conversations.get(conversation_id)

    async def update(self, conversation_id: str, change: Change) -> ConversationMeta:
        """Renames, archives, pins or describes a conversation."""
        return await self._conversations.update(conversation_id, change)

    async def messages(
        self,
        conversation_id: str,
        *,
        before: str | None = None,
        after: str | None = None,
        around: str | None = None,
        limit: int = 50,
    ) -> MessagePage:
        """Messages, oldest first: the last ones, or those next to a message."""
        where = Where(before, after, around)
        return await self._messages.page(conversation_id, where, limit=limit)

    async def message(self, conversation_id: str, message_id: str) -> Message:
        """One message."""
        return await self._messages.message(conversation_id, message_id)

    async def fetch(
        self,
        conversation_id: str,
        *,
        around: int | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> list[Message]:
        """The messages of some turns: around one, from one to another, or of the last ten."""
        return await self._messages.turns(conversation_id, around=around, first=first, last=last)

    async def lines(self, conversation_id: str) -> list[Line]:
        """The lines of a conversation exactly as they are stored."""
        return await self._ledger.read(check_conversation_id(conversation_id))

    async def context(self, conversation_id: str, message: str | None = None) -> ContextPacket:
        """What a model needs to go on: `packet.messages` is ready for one.

        It ends with `message`, which is not stored, or else with the last message of the
        conversation. A message that is stored already is not doubled.
        """
        conversation = await self._conversations.get(conversation_id)
        if message is not None:
            check_draft(turn(conversation_id, "user", message))
        return await self._context.build(conversation, message)

    async def state(self, conversation_id: str) -> ConversationState:
        """Where a conversation stands: its topics, and what is left open in it."""
        return await self._checkpoints.state(check_conversation_id(conversation_id))

    async def checkpoint(self, conversation_id: str) -> Checkpoint:
        """All that is needed to go on with a conversation: state, summary and last turns."""
        return await self._checkpoints.checkpoint(check_conversation_id(conversation_id))

    # -- erasing -----------------------------------------------------------------------------

    async def delete(self, conversation_id: str, *, preview: bool = False) -> Receipt:
        """Erases a conversation and everything made from it, or shows what that would take."""
        return await self._erasures.conversation(conversation_id, preview=preview)

    async def redact(
        self, conversation_id: str, message_id: str, *, preview: bool = False
    ) -> Receipt:
        """Erases a message and everything made from it, or shows what that would take."""
        return await self._erasures.message(conversation_id, message_id, preview=preview)

    # -- finding -----------------------------------------------------------------------------

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        explain: bool = False,
        **filters: Unpack[Filters],
    ) -> list[SearchResult]:
        """The conversations in which something was said, best first.

        The filters: `channel`, `conversation_id`, `day`, or `from_` and `to`, `recency_days`, which
        counts back from now (0 for all time), and `ignore_time_phrases`. A time named in the query
        ("last March") is read in the user's zone, unless one is given or that is set.
        """
        page = await self._search.page(query, scope_of(filters), limit=limit, explain=explain)
        return page.results

    async def search_page(
        self,
        query: str,
        *,
        kind: Kind = "conversation",
        limit: int = 10,
        cursor: str | None = None,
        explain: bool = False,
        **filters: Unpack[Filters],
    ) -> SearchPage:
        """The same, a page at a time, with the number of matches and the time window.

        With `kind="message"`, single rounds instead of conversations. It takes the filters of
        `search`: `channel`, `conversation_id`, `day`, `from_`, `to`, `recency_days` and
        `ignore_time_phrases`.
        """
        return await self._search.page(
            query, scope_of(filters), limit=limit, kind=kind, cursor=cursor, explain=explain
        )

    async def search_messages(
        self,
        query: str,
        *,
        limit: int = 10,
        explain: bool = False,
        **filters: Unpack[Filters],
    ) -> list[MessageHit]:
        """The rounds in which something was said, best first.

        It takes the filters of `search`: `channel`, `conversation_id`, `day`, `from_`, `to`,
        `recency_days` and `ignore_time_phrases`.
        """
        return await self._search.rounds(query, scope_of(filters), limit=limit, explain=explain)

    # -- following ---------------------------------------------------------------------------

    async def position(self) -> int:
        """The position of what was stored last; everything stored later has a greater one."""
        return await self._ledger.position()

    async def changes(self, after: int, *, limit: int = 200) -> Happenings:
        """What happened after a position, in order, at most `limit` steps.

        Raises TooFarBehind when that was more than a thousand steps ago.
        """
        return await self._listening.since(after, limit)

    def listen(self, after: int | None = None) -> AsyncGenerator[Happenings]:
        """What happens from now on, or after a position, as soon as it is stored, in order.

        Whoever stores it: this program, another one on the same home, or another machine on the
        same database. Raises TooFarBehind for whoever falls more than a thousand steps behind. Use
        it in `async with contextlib.aclosing(…)`.
        """
        return self._listening.listen(after)

    # -- keeping it in order -----------------------------------------------------------------

    async def settle(self) -> None:
        """Waits until everything that was stored can be found, by word and by meaning."""
        await self._index.settle()

    def health(self) -> Health:
        """How far the index can be trusted."""
        return self._index.health()

    async def ready(self) -> None:
        """Raises StorageError or IndexUnavailable when nothing can be read or written now."""
        await self._engine.ready()

    async def verify(self) -> list[Finding]:
        """Reads every line and every row, and says what is wrong with them."""
        return await self._engine.verify()

    async def rebuild(self, progress: Callable[[Health], None] | None = None) -> None:
        """Makes the index again from the ledger, while messages are still taken."""
        await self._index.rebuild(progress)

    # -- what is done in the background ------------------------------------------------------

    async def jobs(self) -> list[Job]:
        """What is still to be done in the background for this user."""
        return await self._engine.jobs.list(self.user)

    async def retry_job(self, job_id: str) -> Job:
        """Has a job done now, whatever became of it before."""
        return await self._engine.jobs.retry(job_id, self.user)

    async def cancel_job(self, job_id: str) -> Job:
        """Leaves a job undone until there is more to do, or somebody retries it."""
        return await self._engine.jobs.cancel(job_id, self.user)


def _settings(
    home: str | Path | None, database_url: str | None, settings: Settings | None
) -> Settings:
    if settings is None:
        return Settings.load(home, database__url=database_url)
    return settings.moved(home=home, database_url=database_url)


def scope_of(filters: Filters) -> Scope:
    """Where and when to look. Raises BadId, BadValue."""
    scope = Scope(**filters)
    if scope.conversation_id is not None:
        check_conversation_id(scope.conversation_id)
    if scope.channel is not None:
        check_channel(scope.channel)
    return scope
