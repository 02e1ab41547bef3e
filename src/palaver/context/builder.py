"""The builder: from a conversation and a message to the packet that a model is given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from palaver.context.asked import Asked
from palaver.context.composing import Filled, compose
from palaver.context.days import DayReader, ShownDay
from palaver.context.history import History, HistoryReader, Limits
from palaver.context.memories import COMPANY, NOT_ALLOWED, MemoryReader, memories_piece
from palaver.context.packet import ContextPacket, LeftOut
from palaver.context.policy import SectionName, policy_of
from palaver.context.ports import NothingKnown, Standing, States, Summaries, Summary
from palaver.context.retriever import Retriever, Wanted
from palaver.context.scales import Scales
from palaver.context.sections import Piece
from palaver.context.tokens import TokenCounter
from palaver.context.wire import blocks_of
from palaver.errors import IndexUnavailable
from palaver.index.records import ConversationMeta, Message
from palaver.settings import ConversationSettings
from palaver.telemetry import ContextLoaded, Logged, Telemetry
from palaver.times import Clock, iso

_EVERY_TURN = 1 << 40
_LOOKED_FOR: tuple[SectionName, ...] = ("memories", "rounds")
"""What is looked for in the index."""
_MOST_OF_A_DAY = 200
"""So many messages of a day are read at most: short ones, if they all fit."""
_LEAST_SHARE = 4
"""However much is reserved, one part in so many of a model's window is for the conversation."""


class ContextBuilder:
    """Makes packets for one user's conversations, however long they are."""

    def __init__(
        self,
        reader: HistoryReader,
        retriever: Retriever,
        settings: ConversationSettings,
        *,
        counter: TokenCounter,
        clock: Clock,
        window_of: Callable[[str | None], int],
        states: States | None = None,
        summaries: Summaries | None = None,
        days: DayReader | None = None,
        memories: MemoryReader | None = None,
        telemetry: Telemetry | None = None,
        day_tokens: int = 4000,
    ) -> None:
        """`window_of` tells how many tokens a model takes; None stands for the usual model.
        `day_tokens` of a day are shown word for word."""
        self._reader = reader
        self._retriever = retriever
        self._settings = settings
        self._counter = counter
        self._clock = clock
        self._window_of = window_of
        self._states = states
        self._summaries = summaries
        self._days = days
        self._memories = memories
        self._telemetry = telemetry or Logged()
        self._day_tokens = day_tokens

    async def build(
        self,
        conversation: ConversationMeta,
        message: Message | str | None = None,
        *,
        memories: bool = True,
    ) -> ContextPacket:
        """What a model is given to answer a message: one that is stored, one that somebody might
        send, or else the last one of the conversation. Without `memories`, whoever is answered may
        not read them.

        Raises NotFound, IndexUnavailable.
        """
        may_show = memories and not conversation.has_company
        asked, any_memories = await asyncio.gather(
            self._ask(conversation, message), self._any_memories(wanted=may_show)
        )
        if may_show:
            remembered, missing = await self._remembered(asked) if any_memories else ([], ())
        else:
            why = COMPANY if conversation.has_company else NOT_ALLOWED
            remembered, missing = [], [LeftOut(section="memories", reason=why)]
        filled = await self._fill(asked, remembered)
        filled = replace(filled, missing=[*missing, *filled.missing])
        packet = compose(asked, filled, iso(self._clock()))
        self._telemetry.tell(_told(packet))
        return packet

    def alone(
        self, question: Message, why: str, *, earlier: Sequence[Message] = ()
    ) -> ContextPacket:
        """A packet with nothing but a message and what was said before it to the same people:
        nothing else can be read now, or may be."""
        said = question.timestamp
        conversation = ConversationMeta(id=question.conversation_id, created=said, updated=said)
        budget = self.budget(conversation)
        messages = [*earlier, question]
        blocks = blocks_of(messages, self._reader.zone())
        asked = Asked(
            conversation,
            policy_of(conversation),
            budget,
            Scales(self._counter, budget),
            self._reader.zone(),
            NothingKnown(),
            (),
            History(
                blocks, messages, 0, question.turn_number, {one.id: one.seq for one in messages}
            ),
        )
        missing = [LeftOut(section=name, reason=why) for name in _LOOKED_FOR]
        filled = Filled([], asked.window(budget), budget, missing)
        return compose(asked, filled, iso(self._clock()))

    async def _ask(self, conversation: ConversationMeta, message: Message | str | None) -> Asked:
        policy, budget = policy_of(conversation), self.budget(conversation)
        if policy.by_day and self._days:
            standing, day = await asyncio.gather(
                self._standing(conversation), self._days.shown(conversation.id, message)
            )
            summaries, limits, page = day.summaries, self._limits_of(day), None
        else:
            most = self._settings.max_history_messages
            standing, summaries, page = await asyncio.gather(
                self._standing(conversation),
                self._newest(conversation),
                self._reader.page(conversation.id, message, most),
            )
            limits = Limits(
                turns=self._settings.max_working_context,
                messages=most,
                after=self._stands_for(summaries),
                keep_first=policy.keep_first,
            )
        return Asked(
            conversation,
            policy,
            budget,
            Scales(self._counter, budget),
            self._reader.zone(),
            standing,
            summaries,
            await self._reader.read(conversation.id, message, limits, page),
            self._day_tokens if policy.by_day else None,
        )

    async def _standing(self, conversation: ConversationMeta) -> Standing:
        return await self._states.state(conversation) if self._states else NothingKnown()

    async def _newest(self, conversation: ConversationMeta) -> Sequence[Summary]:
        return await self._summaries.newest(conversation) if self._summaries else ()

    def _limits_of(self, day: ShownDay) -> Limits:
        """A day is shown as far as its tokens go, however many messages that are."""
        usual = self._settings.max_history_messages
        return Limits(
            turns=_EVERY_TURN,
            messages=usual if day.messages < usual else max(usual, _MOST_OF_A_DAY),
            after=self._stands_for(day.summaries),
            keep_first=False,
            first_turn=_EVERY_TURN if day.first_turn is None else day.first_turn,
            said=day.messages,
        )

    def budget(self, conversation: ConversationMeta) -> int:
        """How many tokens a model is given of a conversation."""
        window = self._window_of(conversation.model)
        free = max(window - self._settings.reserved_tokens, window // _LEAST_SHARE)
        return min(self._settings.max_context_tokens, free)

    def _stands_for(self, summaries: Iterable[Summary]) -> int:
        """The line up to which nothing is shown, because a summary tells it."""
        if self._settings.context_strategy == "truncate":
            return -1
        return max((one.covers for one in summaries), default=-1)

    async def _any_memories(self, *, wanted: bool) -> bool:
        try:
            return wanted and self._memories is not None and await self._memories.any()
        except IndexUnavailable:
            return True  # whoever looks for them says so

    async def _remembered(self, asked: Asked) -> tuple[list[Piece], Sequence[LeftOut]]:
        """What is remembered of the user, and why it is not shown, or not all of it."""
        purse = asked.purse("memories")
        if self._memories is None or not purse.budget:
            return [], ()
        try:
            found = await self._memories.worth_showing(asked.question)
        except IndexUnavailable as error:
            return [], [_not_looked_for("memories", "Memories", error)]
        piece, why = memories_piece(found, purse, asked.zone)
        missing = [LeftOut(section="memories", reason=why)] if why else ()
        return [piece] if piece else [], missing

    async def _fill(self, asked: Asked, remembered: Sequence[Piece]) -> Filled:
        """Memories and the state are always shown, and so are summaries of days; others, and
        earlier rounds, only when something is missing in the window."""
        pieces = [*remembered, *asked.state(remembered)]
        if asked.policy.by_day:
            return _filled(asked, [*pieces, *asked.told()])
        if not asked.history.missing:
            whole = _filled(asked, pieces)
            if not whole.window.marked:
                return whole
        pieces += asked.told()
        try:
            return await self._with_rounds(asked, pieces) or _filled(asked, pieces)
        except IndexUnavailable as error:
            missing = [_not_looked_for("rounds", "Earlier rounds", error)]
            return replace(_filled(asked, pieces), missing=missing)

    async def _with_rounds(self, asked: Asked, pieces: Sequence[Piece]) -> Filled | None:
        """Earlier rounds, and less of the history; None if no round is worth showing."""
        purse = asked.purse("rounds")
        if not purse.budget:
            return None
        found = await self._retriever.find(asked.conversation, asked.question)
        loops = (*asked.standing.open_loops, *asked.standing.pending_clarifications)
        if not found and not loops:
            return None
        narrow, lines = _filled(asked, pieces, purse.budget), asked.history.lines
        wanted = Wanted(
            found=found,
            turn=asked.history.turn,
            seen={name: lines[name] for block in narrow.window.blocks for name in block.ids},
            open={item.turn: item.message_id for item in loops},
        )
        rounds = await self._retriever.rounds(asked.conversation, wanted, purse)
        return replace(narrow, pieces=[*pieces, rounds]) if rounds else None


def _filled(asked: Asked, pieces: Sequence[Piece], reserved: int = 0) -> Filled:
    """As much of the history as there is room for beside the pieces, and what is reserved."""
    room = asked.room(pieces, reserved)
    return Filled(pieces, asked.window(room), room)


def _not_looked_for(section: SectionName, what: str, error: IndexUnavailable) -> LeftOut:
    return LeftOut(section=section, reason=f"{what} could not be looked for. {error.message}")


def _told(packet: ContextPacket) -> ContextLoaded:
    shown = sum(len(block.ids) for block in packet.references.history)
    return ContextLoaded(
        conversation_id=packet.conversation_id,
        total_messages_in_db=shown + packet.truncated_messages,
        messages_loaded=shown,
        messages_truncated=packet.truncated_messages,
        estimated_tokens=packet.tokens,
        tokens_by_section={one.name: one.tokens for one in packet.sections},
    )
