"""Palaver: one user's conversations, as a library: the public face of every room."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, suppress
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, Literal, Unpack

from palaver.agent.language import ModelInfo
from palaver.agent.models import Catalogue, Connections, ModelTest, try_out
from palaver.agent.toolbox import Tool
from palaver.channels.directory import Directory
from palaver.channels.external.externals import check_external_id
from palaver.context.packet import ContextPacket
from palaver.conversation.books import Books
from palaver.conversation.digests import digests_of
from palaver.conversation.happenings import Happenings
from palaver.conversation.insights import Insights
from palaver.conversation.live_reply import LiveReply
from palaver.conversation.preferences import Preferences
from palaver.conversation.records import (
    Change,
    Choices,
    ConversationPage,
    NewMessage,
    Profile,
    Receipt,
    Reply,
    checked,
)
from palaver.conversation.saying import Place, check_model
from palaver.conversation.steps import Step
from palaver.conversation.stored import said_at
from palaver.conversation.streams import check_channel, check_conversation_id
from palaver.digest.checkpoint import Checkpoint, ConversationState
from palaver.digest.reading import ConversationDigest
from palaver.embedding import Embedder
from palaver.engines import LOCAL, Engine, ModelLoader, StartReport, engine_of, home_of
from palaver.errors import BadValue, IndexUnavailable, StorageError
from palaver.house import Ground, House, furnish
from palaver.house.orders import Orders
from palaver.index.port import ConversationFilter, Day, MemoryFilter, View, Where
from palaver.index.records import ConversationMeta, Health, Message, MessagePage
from palaver.jobs import DIGEST, Job
from palaver.ledger.files import Home
from palaver.ledger.lines import Line, check_draft
from palaver.ledger.lines import turn as ledger_turn
from palaver.ledger.port import Finding as LedgerFinding
from palaver.recall.results import AnyKind, MessageHit, SearchPage, SearchResult
from palaver.recall.scope import Filters, Scope
from palaver.settings import Settings
from palaver.telemetry import Logged, Telemetry
from palaver.times import Clock, iso, system_clock
from palaver.typed import typed

_DAYS = 200
"""So many days are read at once."""


@typed
class Palaver:
    """One user's conversations. Use it as `async with Palaver.open() as palaver`."""

    def __init__(
        self,
        settings: Settings,
        user: str,
        clock: Clock,
        engine: Engine,
        *,
        telemetry: Telemetry | None = None,
        tools: Sequence[Tool] = (),
        channels: Directory | None = None,
    ) -> None:
        """`engine` keeps the conversations; it is opened and closed with this."""
        self._channels = channels if channels is not None else Directory()
        self.settings = settings
        self.user = user
        self.home = home_of(settings.home, user)
        self._clock = clock
        self._engine = engine
        self._telemetry = telemetry or Logged()
        self._tools = tools
        self._preferences = Preferences(settings.user)
        self._catalogue = Catalogue(settings.agent, self._preferences.model)
        self._connections = Connections(settings.agent, self._catalogue)
        self._orders = Orders(engine, user)
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
        telemetry: Telemetry | None = None,
        tools: Sequence[Tool] = (),
        digests: bool = True,
        channels: Directory | None = None,
    ) -> Palaver:
        """The conversations in `home`, or in a database, for `async with`. Raises BadSetting.

        `index_vectors=False` is for full text only. `embedder` is a model of your own; it is told
        apart from others by its `identity`. `telemetry` is told what is done; without it, log
        records tell it. `tools` are what the agent may use besides its own. `digests=False` is for
        a program that ends soon: it leaves it to others to name conversations and to abbreviate
        them. `channels` are those by which messages come and go; whoever has them connected runs
        them, as `palaver serve` does.
        """
        chosen = _settings(home, database_url, settings)
        load = ModelLoader(Home(chosen.home).models, embedder) if index_vectors else None
        told = telemetry or Logged()
        work = [digests_of(chosen, clock, told)] if digests else []
        engine = engine_of(chosen, user, load, clock, work)
        return cls(chosen, user, clock, engine, telemetry=told, tools=tools, channels=channels)

    async def __aenter__(self) -> Palaver:
        """Raises HomeUnusable, DatabaseUnusable, DatabaseTooNew, StorageFailed, IndexTooNew."""
        async with AsyncExitStack() as opening:
            opening.push_async_callback(self._engine.close)
            opening.push_async_callback(self._connections.close)
            began = perf_counter()
            report = await self._engine.open()
            took = round(1000 * (perf_counter() - began), 1)
            self._started = report.model_copy(update={"milliseconds": took})
            house = furnish(self._ground(), self)
            self._move_into(house)
            await self._preferences.look()
            opening.enter_context(self._orders.giving_way(lambda: self.is_replying))
            opening.push_async_callback(house.watching.close)
            opening.push_async_callback(house.context.states.close)
            opening.push_async_callback(house.context.follow_up.settle)
            opening.push_async_callback(house.agent.turns.close)
            opening.push_async_callback(house.correspondence.close)
            opening.enter_context(self._engine.relay.obey(house.agent.turns.replies.stop))
            self._open = opening.pop_all()
        return self

    def _ground(self) -> Ground:
        engine = self._engine
        books = Books(engine.ledger, engine.index, self.user, engine.remains)
        self._ledger, self._index = books.ledger, books.index
        self._preferences.keep_in(books)
        return Ground(
            settings=self.settings,
            clock=self._clock,
            telemetry=self._telemetry,
            engine=engine,
            books=books,
            orders=self._orders,
            preferences=self._preferences,
            catalogue=self._catalogue,
            connections=self._connections,
            tools=self._tools,
            channels=self._channels,
        )

    def _move_into(self, house: House) -> None:
        self._archive, self._memory = house.archive, house.memory
        self._context, self._agent = house.context, house.agent
        self._watching = house.watching
        self.memories, self.continuous = house.memory.memories, house.continuous
        self.external, self.correspondence = house.external, house.correspondence
        self._external_search = house.external_search

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._open.aclose()

    # -- the user ----------------------------------------------------------------------------

    async def me(self) -> Profile:
        """Who the user is, and what holds for them."""
        await self._preferences.look()
        return self._preferences.profile(self._catalogue.usual)

    async def set_me(self, choices: Choices) -> Profile:
        """Chooses a time zone or a model for this user, from now on, wherever they are served."""
        if choices.model is not None:
            check_model(self._catalogue.info, choices.model)
        await self._preferences.choose(choices)
        return self._preferences.profile(self._catalogue.usual)

    def zone(self) -> tzinfo:
        """The time zone of the user, as it was when something was last asked for."""
        return self._preferences.zone()

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
        return await self._archive.conversations.start(
            channel, title=title, metadata=metadata, key=key
        )

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
        return (await self.append_many(conversation_id, [new]))[0]

    async def append_many(
        self, conversation_id: str, messages: Sequence[NewMessage]
    ) -> list[Message]:
        """Stores the messages in one commit: all of them or none."""
        stored = await self._archive.messages.append(conversation_id, messages)
        if any(one.role == "assistant" for one in stored):
            self._context.follow_up.replied(conversation_id)
        return stored

    async def send(
        self,
        text: str,
        *,
        conversation_id: str | None = None,
        new: bool = False,
        channel: str = "web",
        key: str | None = None,
        model: str | None = None,
        scopes: frozenset[str] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Stores a message and answers it, in the latest conversation unless told otherwise.

        If it is cancelled, what there is of the reply is kept. `scopes` is what whoever sends it
        may do; everything, unless it is given. `context` is what a program tells the model about
        the message, such as what is on the screen; it is kept with the message.
        """
        place = Place(channel, conversation_id, new)
        return await self._agent.turns.send(
            text, place, key=key, model=model, scopes=scopes, context=context
        )

    def stream(
        self,
        text: str,
        *,
        conversation_id: str | None = None,
        new: bool = False,
        channel: str = "web",
        key: str | None = None,
        model: str | None = None,
        scopes: frozenset[str] | None = None,
        context: Mapping[str, Any] | None = None,
        detached: bool = False,
    ) -> AsyncGenerator[Step]:
        """The same, step by step: accepted, started, what is said, finished.

        Use it in `async with contextlib.aclosing(…)`: closing it stops the reply, and what there is
        of it is kept. A `detached` reply goes on.
        """
        place = Place(channel, conversation_id, new)
        return self._agent.turns.stream(
            text,
            place,
            key=key,
            model=model,
            scopes=scopes,
            context=context,
            detached=detached,
        )

    async def stop(self, conversation_id: str) -> bool:
        """Stops the reply that is being made in a conversation; whether there was one.

        What there is of it is kept, with the status `interrupted`; this returns when it is stored.
        On a database it reaches every node, and raises StorageBusy when the one that makes the
        reply does not answer. In a home it reaches this process.
        """
        await self._archive.streams.channel(conversation_id)
        return await self._agent.turns.stop(conversation_id)

    async def edit(
        self,
        conversation_id: str,
        message_id: str,
        text: str,
        *,
        key: str | None = None,
        scopes: frozenset[str] | None = None,
        version: int | None = None,
    ) -> Reply:
        """Says the last message of the user otherwise, and answers it. The old message and its
        reply are kept, superseded.

        With the `version` of a view, raises Outdated when more than that reply came since.
        """
        return await self._agent.changes.edit(
            conversation_id, message_id, text, key=key, scopes=scopes, version=version
        )

    async def regenerate(
        self,
        conversation_id: str,
        message_id: str,
        *,
        key: str | None = None,
        scopes: frozenset[str] | None = None,
    ) -> Reply:
        """Makes a reply again; the old one is kept, superseded. Given a message of the user that
        has no reply, makes that."""
        return await self._agent.changes.regenerate(
            conversation_id, message_id, key=key, scopes=scopes
        )

    async def answer_waiting(self) -> int:
        """Answers the messages of the last day that wait for a reply because a process died; gives
        how many these are. They are answered in the background.

        `palaver serve` does this by itself. A program that only opens a home does not: it may be
        one that answers nobody.
        """
        begun = await self._agent.recovery.answer()
        so_far = self._started.messages_answered + begun
        self._started = self._started.model_copy(update={"messages_answered": so_far})
        return begun

    @property
    def is_replying(self) -> bool:
        """Whether this process is making a reply, or is about to."""
        return self._agent.turns.replies.are_made

    async def finish_replies(self, *, within: float | None = None) -> None:
        """Returns when the replies that are wanted now are made. After `within` seconds they are
        stopped, and what there is of them is kept."""
        await self._agent.turns.replies.settle(within)
        if within is not None:
            await self._agent.turns.close()

    async def finish_summaries(self) -> None:
        """Returns when the summaries are made that somebody has asked for."""
        await self._orders.settle()

    def replies(self) -> AsyncGenerator[LiveReply]:
        """Each reply that is being made, now and from now on: in this process, or on another node
        of the same database. Use it in `async with contextlib.aclosing(…)`."""
        return self._agent.turns.replies.watch()

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
        return await self._archive.conversations.page(wanted, limit=limit, cursor=cursor)

    async def current(self) -> ConversationMeta:
        """The most recent web conversation; a new one if there is none."""
        return await self._archive.conversations.current()

    async def conversation(self, conversation_id: str) -> ConversationMeta:
        """One conversation, without its messages."""
        return await self._archive.conversations.get(conversation_id)

    async def view(self, conversation_id: str, *, limit: int = 50) -> View:
        """One conversation with its last messages, and the version in which they are."""
        return await self._archive.messages.view(conversation_id, limit=limit)

    async def update(
        self, conversation_id: str, change: Change, *, version: int | None = None
    ) -> ConversationMeta:
        """Renames, archives, pins or describes a conversation.

        With the `version` of a view, raises Outdated when it was changed since, and changes
        nothing.
        """
        return await self._archive.conversations.update(conversation_id, change, version)

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
        return await self._archive.messages.page(conversation_id, where, limit=limit)

    async def message(self, conversation_id: str, message_id: str) -> Message:
        """One message."""
        return await self._archive.messages.message(conversation_id, message_id)

    async def fetch(
        self,
        conversation_id: str,
        *,
        around: int | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> list[Message]:
        """The messages of some turns: around one, from one to another, or of the last ten."""
        return await self._archive.messages.turns(
            conversation_id, around=around, first=first, last=last
        )

    async def every_day(self, conversation_id: str) -> list[Day]:
        """The days of a continuous conversation, the oldest first; none of any other."""
        check_conversation_id(conversation_id)
        found: list[Day] = []
        while page := await self._index.days(
            self.user, conversation_id, before=found[-1].label if found else None, limit=_DAYS
        ):
            found += page
        return found[::-1]

    async def lines(self, conversation_id: str) -> list[Line]:
        """The lines of a conversation exactly as they are stored."""
        return await self._ledger.read(check_conversation_id(conversation_id))

    async def context(
        self,
        conversation_id: str,
        message: str | None = None,
        *,
        turn: int | None = None,
        memories: bool = True,
    ) -> ContextPacket:
        """What a model needs to go on: `packet.messages` is ready for one.

        It ends with `message`, which is not stored, or else with the last message of the
        conversation. A message that is stored already is not doubled. With `turn`, the packet that
        the reply in that turn was made from, without what was erased since. `memories=False` leaves
        out what is remembered of the user.
        """
        conversation = await self._archive.conversations.get(conversation_id)
        if turn is not None and message is not None:
            raise BadValue("Give either a message or a turn.", remedy="Leave one out.")
        if turn is not None:
            return await self._context.sent.show(conversation_id, turn, memories=memories)
        if message is not None:
            check_draft(ledger_turn(conversation_id, "user", message))
        self._context.follow_up.asked(conversation_id)
        await self._preferences.look()
        return await self._context.builder.build(conversation, message, memories=memories)

    async def state(self, conversation_id: str) -> ConversationState:
        """Where a conversation stands: its topics, and what is left open in it."""
        return await self._context.checkpoints.state(check_conversation_id(conversation_id))

    async def checkpoint(self, conversation_id: str) -> Checkpoint:
        """All that is needed to go on with a conversation: state, summary and last turns."""
        return await self._context.checkpoints.checkpoint(check_conversation_id(conversation_id))

    async def digest(self, conversation_id: str) -> ConversationDigest:
        """What a conversation is called and what it is about, each with where it comes from."""
        return await self._context.digests.of(check_conversation_id(conversation_id))

    # -- erasing -----------------------------------------------------------------------------

    async def delete(
        self, conversation_id: str, *, preview: bool = False, version: int | None = None
    ) -> Receipt:
        """Erases a conversation and everything made from it, or shows what that would take.

        With the `version` of a view, raises Outdated when the conversation was changed since.
        """
        return await self._memory.erasures.conversation(
            conversation_id, preview=preview, version=version
        )

    async def redact(
        self,
        conversation_id: str,
        message_id: str,
        *,
        preview: bool = False,
        version: int | None = None,
    ) -> Receipt:
        """Erases a message and everything made from it, or shows what that would take.

        With the `version` of a view, raises Outdated when the conversation was changed since.
        """
        return await self._memory.erasures.message(
            conversation_id, message_id, preview=preview, version=version
        )

    # -- finding -----------------------------------------------------------------------------

    async def search(
        self,
        query: str,
        *,
        kind: AnyKind = "conversation",
        limit: int = 10,
        explain: bool = False,
        **filters: Unpack[Filters],
    ) -> list[SearchResult]:
        """The conversations in which something was said, best first. With `kind="message"`, single
        rounds of them. With `kind="external"`, messages of external communications instead, which
        nothing else finds: by word alone, and each with whose words they are.

        The filters: `channel`, `conversation_id`, `day`, or `from_` and `to`, `recency_days`, which
        counts back from now (0 for all time), `before`, a moment from which on nothing is looked
        at, and `ignore_time_phrases`. A time named in the query ("last March") is read in the
        user's zone, unless one is given or that is set. Of external communications,
        `conversation_id` is the id of an exchange, and the time is when a message came in.
        """
        page = await self.search_page(query, kind=kind, limit=limit, explain=explain, **filters)
        return list(page.results)

    async def search_page(
        self,
        query: str,
        *,
        kind: AnyKind = "conversation",
        limit: int = 10,
        cursor: str | None = None,
        explain: bool = False,
        **filters: Unpack[Filters],
    ) -> SearchPage:
        """The same, a page at a time, with the number of matches and the time window.

        It takes the kinds of `search`, and its filters: `channel`, `conversation_id`, `day`,
        `from_`, `to`, `recency_days`, `before` and `ignore_time_phrases`.
        """
        await self._preferences.look()
        if kind == "external":
            scope = scope_of(filters, check_external_id)
            return await self._external_search.page(
                query, scope, limit=limit, cursor=cursor, explain=explain
            )
        return await self._archive.search.page(
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
        `recency_days`, `before` and `ignore_time_phrases`.
        """
        await self._preferences.look()
        return await self._archive.search.rounds(
            query, scope_of(filters), limit=limit, explain=explain
        )

    async def insights(self, *, from_: str | None = None, to: str | None = None) -> Insights:
        """How much was said from one day to another, both included, and what it cost; in the last
        year, unless the days are given. And how much is kept."""
        await self._preferences.look()
        return await self._archive.statistics.insights(from_, to)

    # -- following ---------------------------------------------------------------------------

    async def position(self) -> int:
        """The position of what was stored last; everything stored later has a greater one."""
        return await self._ledger.position()

    async def changes(self, after: int, *, limit: int = 200) -> Happenings:
        """What happened after a position, in order, at most `limit` steps.

        Raises TooFarBehind when that was more than a thousand steps ago.
        """
        return await self._archive.listening.since(after, limit)

    def listen(self, after: int | None = None) -> AsyncGenerator[Happenings]:
        """What happens from now on, or after a position, as soon as it is stored, in order.

        Whoever stores it: this program, another one on the same home, or another machine on the
        same database. Raises TooFarBehind for whoever falls more than a thousand steps behind. Use
        it in `async with contextlib.aclosing(…)`.
        """
        return self._archive.listening.listen(after)

    def watching(self, conversation_id: str) -> AbstractContextManager[None]:
        """Somebody looks at a conversation until the block ends. A few seconds after the last one
        has left it, it is digested, and not only when it has been quiet for long."""
        return self._watching.watch(check_conversation_id(conversation_id))

    # -- models ------------------------------------------------------------------------------

    def models(self) -> list[ModelInfo]:
        """The models that can be chosen, the usual one first. None of them is asked anything."""
        return self._catalogue.list()

    async def warm_up(self) -> None:
        """Loads what the usual model needs, and what is remembered: a program that stays does it
        before anybody asks."""
        await self._connections.warm_up()
        with suppress(IndexUnavailable, StorageError):  # whoever asks next is told
            await self._memory.finding.near("memories", MemoryFilter())

    async def test_model(self, name: str) -> ModelTest:
        """Asks a model for one word, and says how long that took or what is wrong.

        Raises ModelUnknown.
        """
        if self._catalogue.info(name).kind == "offline":
            return ModelTest(name=name, ok=True, latency_ms=0)
        return await try_out(name, self._connections, iso(self._clock()))

    # -- keeping it in order -----------------------------------------------------------------

    async def catch_up(self) -> None:
        """Waits until everything that was stored can be found, by word and by meaning."""
        await self._index.settle()

    async def settle(self) -> None:
        """Waits until everything that was stored can be found, and until what follows the last
        replies and what is due in the background is done: titles and abbreviations, too."""
        await self._context.follow_up.settle()
        await self.finish_summaries()
        await self._engine.settle()

    def health(self) -> Health:
        """How far the index can be trusted."""
        return self._index.health()

    async def started(self) -> StartReport:
        """What was done when this was opened, to bring everything into order, and how many digests
        were due when somebody first asked for this. Raises StorageError."""
        if self._started.digests_queued is None:
            queued = sum(job.kind == DIGEST for job in await self.jobs())
            self._started = self._started.model_copy(update={"digests_queued": queued})
        return self._started

    async def ready(self) -> None:
        """Raises StorageError or IndexUnavailable when nothing can be read or written now."""
        await self._engine.ready()

    async def verify(self) -> list[LedgerFinding]:
        """Reads every line and every row, and says what is wrong with them."""
        return await self._engine.verify()

    async def rebuild(self, progress: Callable[[Health], None] | None = None) -> None:
        """Makes the index again from the ledger, while messages are still taken."""
        await self._index.rebuild(progress)

    # -- what is done in the background ------------------------------------------------------

    async def jobs(self, *, everyone: bool = False) -> list[Job]:
        """What is still to be done in the background for this user, or for everyone in the
        database."""
        return await self._engine.jobs.list(None if everyone else self.user)

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


def scope_of(filters: Filters, check: Callable[[str], str] = check_conversation_id) -> Scope:
    """Where and when to look; `check` tells what can be the id of that in which. Raises BadId,
    BadValue."""
    given = Scope(**filters)
    scope = replace(given, before=said_at(given.before))
    if scope.conversation_id is not None:
        check(scope.conversation_id)
    if scope.channel is not None:
        check_channel(scope.channel)
    return scope
