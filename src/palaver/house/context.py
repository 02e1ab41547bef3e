"""The context: what a model sees, what was told in fewer words, and what follows a reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from palaver.context.builder import ContextBuilder
from palaver.context.days import DayReader
from palaver.context.history import HistoryReader
from palaver.context.kept import KeptSummaries
from palaver.context.memories import MemoryReader
from palaver.context.retriever import Retriever
from palaver.context.showing import PacketReader
from palaver.context.tokens import EstimatedTokens
from palaver.conversation.following import FollowUp
from palaver.conversation.packets import SentPackets
from palaver.digest.checkpoint import Checkpoints
from palaver.digest.condensing import OfflineCondenser
from palaver.digest.days.due import DayDue
from palaver.digest.fullness import Fullness, Limits, TurnReader
from palaver.digest.reading import Digests
from palaver.digest.rules import EveryTenTurns, Rule, WhenFull
from palaver.digest.states import States
from palaver.digest.statuses import Statuses
from palaver.digest.summarizing import Summarizing
from palaver.house.archive import Archive
from palaver.house.ground import Ground
from palaver.house.memory import Memory


@dataclass(frozen=True, slots=True)
class Context:
    states: States
    checkpoints: Checkpoints
    digests: Digests
    builder: ContextBuilder
    sent: SentPackets
    compression: Summarizing
    rolling: Summarizing
    follow_up: FollowUp


def furnish_context(ground: Ground, archive: Archive, memory: Memory) -> Context:
    index, user, zone = ground.books.index, ground.user, ground.zone
    every, counter = ground.settings.conversations.checkpoint_turns, EstimatedTokens()
    states = States(index, user, Statuses(ground.clock, ground.settings.conversations.idle_after))
    summaries = KeptSummaries(index, user)
    builder = _builder(ground, archive, memory, states=states, summaries=summaries, counter=counter)
    limits = Limits(builder.budget, counter.count, every)
    when_full = WhenFull(Fullness(TurnReader(index, user), limits))
    compression = _summarizing(ground, states, limits, when_full)
    rolling = _summarizing(ground, states, limits, EveryTenTurns(limits))
    return Context(
        states=states,
        checkpoints=Checkpoints(index, user, states, every),
        digests=Digests(index, user),
        builder=builder,
        sent=SentPackets(ground.books, PacketReader(index, user, zone, counter, summaries)),
        compression=compression,
        rolling=rolling,
        follow_up=FollowUp(
            states,
            (compression, rolling),
            ground.engine.wake,
            _day_teller(ground, counter),
            memory.learning.after,
        ),
    )


def _builder(
    ground: Ground,
    archive: Archive,
    memory: Memory,
    *,
    states: States,
    summaries: KeptSummaries,
    counter: EstimatedTokens,
) -> ContextBuilder:
    settings, index, user, zone = ground.settings, ground.books.index, ground.user, ground.zone
    return ContextBuilder(
        HistoryReader(index, user, zone),
        Retriever(archive.search, index, user, zone),
        settings.conversations,
        counter=counter,
        clock=ground.clock,
        window_of=ground.catalogue.window,
        telemetry=ground.telemetry,
        states=states,
        summaries=summaries,
        days=DayReader(index, user, zone, ground.clock),
        day_tokens=settings.continuous.window_tokens,
        memories=MemoryReader(index, user, memory.finding, settings.memory.context_limit),
    )


def _summarizing(ground: Ground, states: States, limits: Limits, rule: Rule) -> Summarizing:
    return Summarizing(
        ground.books.ledger,
        ground.books.index,
        ground.user,
        rule,
        states=states,
        condenser=OfflineCondenser(limits.count),
        limits=limits,
        telemetry=ground.telemetry,
    )


def _day_teller(ground: Ground, counter: EstimatedTokens) -> Callable[[str], Awaitable[None]]:
    """Has the newest day of a conversation told again, if much was said on it."""
    settings = ground.settings.continuous
    day_due = DayDue(
        ground.books.index,
        ground.user,
        count=counter.count,
        every=settings.summary_every,
        window=settings.window_tokens,
    )

    async def tell(conversation_id: str) -> None:
        if due := await day_due.of(conversation_id):
            ground.orders.tell_day(conversation_id, *due)

    return tell
