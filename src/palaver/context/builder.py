"""The builder: from a conversation and a message to the packet that a model is given."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace

from palaver.context.asked import Asked
from palaver.context.composing import Filled, compose
from palaver.context.history import HistoryReader, Limits
from palaver.context.packet import ContextPacket
from palaver.context.policy import policy_of
from palaver.context.ports import NothingKnown, States, Summaries, Summary
from palaver.context.retriever import Retriever, Wanted
from palaver.context.scales import Scales
from palaver.context.tokens import TokenCounter
from palaver.errors import IndexUnavailable
from palaver.index.records import ConversationMeta, Message
from palaver.settings import ConversationSettings
from palaver.times import Clock, iso

log = logging.getLogger(__name__)
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
    ) -> None:
        """`window_of` tells how many tokens a model takes; None stands for the usual model."""
        self._reader = reader
        self._retriever = retriever
        self._settings = settings
        self._counter = counter
        self._clock = clock
        self._window_of = window_of
        self._states = states
        self._summaries = summaries

    async def build(
        self, conversation: ConversationMeta, message: Message | str | None = None
    ) -> ContextPacket:
        """What a model is given to answer a message: one that is stored, one that somebody might
        send, or else the last one of the conversation.

        Raises NotFound, IndexUnavailable.
        """
        asked = await self._ask(conversation, message)
        packet = compose(asked, await self._fill(asked), iso(self._clock()))
        _log(packet)
        return packet

    async def _ask(self, conversation: ConversationMeta, message: Message | str | None) -> Asked:
        standing = await self._states.state(conversation) if self._states else NothingKnown()
        summaries = await self._summaries.newest(conversation) if self._summaries else ()
        policy = policy_of(conversation)
        limits = Limits(
            turns=self._settings.max_working_context,
            messages=self._settings.max_history_messages,
            after=self._stands_for(summaries),
            keep_first=policy.keep_first,
        )
        budget = self.budget(conversation)
        return Asked(
            conversation,
            policy,
            budget,
            Scales(self._counter, budget),
            self._reader.zone,
            standing,
            summaries,
            await self._reader.read(conversation.id, message, limits),
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

    async def _fill(self, asked: Asked) -> Filled:
        """The state is always shown; summaries and earlier rounds only when something is missing
        in the window."""
        pieces = asked.state()
        room = asked.room(pieces)
        window = asked.window(room)
        if not window.marked:
            return Filled(pieces, window, room)
        if summaries := asked.told():
            pieces += summaries
            room = asked.room(pieces)
            window = asked.window(room)
        filled = Filled(pieces, window, room)
        try:
            return await self._with_rounds(asked, filled)
        except IndexUnavailable as error:
            why = f"Earlier rounds could not be looked for. {error.message}"
            return replace(filled, no_rounds=why)

    async def _with_rounds(self, asked: Asked, filled: Filled) -> Filled:
        """The same with earlier rounds, if any are worth showing, and less of the history."""
        purse = asked.purse("rounds")
        if not purse.budget:
            return filled
        hits = await self._retriever.find(asked.conversation, asked.question)
        loops = (*asked.standing.open_loops, *asked.standing.pending_clarifications)
        if not hits and not loops:
            return filled
        room = asked.room(filled.pieces, purse.budget)
        narrow = asked.window(room)
        wanted = Wanted(
            hits=hits,
            turn=asked.history.turn,
            seen={name for block in narrow.blocks for name in block.ids},
            open={item.turn: item.message_id for item in loops},
        )
        rounds = await self._retriever.rounds(asked.conversation, wanted, purse)
        return Filled([*filled.pieces, rounds], narrow, room) if rounds else filled


def _log(packet: ContextPacket) -> None:
    shown = sum(len(block.ids) for block in packet.references.history)
    log.info(
        "conversation_context_loaded",
        extra={
            "conversation_id": packet.conversation_id,
            "total_messages_in_db": shown + packet.truncated_messages,
            "messages_loaded": shown,
            "messages_truncated": packet.truncated_messages,
            "estimated_tokens": packet.tokens,
            "tokens_by_section": {one.name: one.tokens for one in packet.sections},
        },
    )
