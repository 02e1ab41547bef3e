"""Checkpoints: all that is needed to go on with a conversation, in one record."""

from __future__ import annotations

from palaver.digest.state import Item, Referent, Status
from palaver.digest.states import Known, States
from palaver.index.newest import newest_summary
from palaver.index.port import Index
from palaver.index.records import ConversationMeta, Message, Record


class StateItem(Record):
    """Something that is left open, in the words it was said in."""

    kind: str
    text: str
    message_id: str
    turn_number: int
    owed_by: str
    """Who is to do something about it: `user` or `assistant`."""
    ref: str | None = None
    """The name of a job."""


class ConversationState(Record):
    """Where a conversation stands."""

    conversation_id: str
    status: Status
    active_topics: tuple[str, ...]
    pending_clarifications: tuple[StateItem, ...]
    open_loops: tuple[StateItem, ...]
    active_job_refs: tuple[StateItem, ...]
    resolved_entities: dict[str, Referent]
    """What words such as "that task" stand for."""
    rolling_summary: str | None
    last_intent: str | None
    last_response_type: str | None
    turn_count: int
    covers: int
    """The line up to which the conversation was read."""
    provisional: bool
    """Whether only the end of the conversation has been read so far."""


class Checkpoint(Record):
    """A conversation as it can be taken up again."""

    conversation_state: ConversationState
    turns: list[Message]
    """The messages of the last turns."""
    summary: str | None
    """What was said before, in fewer words."""


class Checkpoints:
    """Makes the checkpoints of one user's conversations."""

    def __init__(self, index: Index, user: str, states: States, turns: int) -> None:
        """`turns` of the last ones are in a checkpoint."""
        self._index = index
        self._user = user
        self._states = states
        self._turns = turns

    async def state(self, conversation_id: str) -> ConversationState:
        """Where a conversation stands. Raises NotFound, IndexUnavailable."""
        conversation = await self._index.conversation(self._user, conversation_id)
        known = await self._states.look(conversation)
        return _state(conversation, known, await self._summary(conversation_id))

    async def checkpoint(self, conversation_id: str) -> Checkpoint:
        """All that is needed to go on with it. Raises NotFound, IndexUnavailable."""
        state = await self.state(conversation_id)
        last = state.turn_count
        first = max(last - self._turns + 1, 0)
        turns = await self._index.turns(self._user, conversation_id, first, last)
        return Checkpoint(conversation_state=state, turns=turns, summary=state.rolling_summary)

    async def _summary(self, conversation_id: str) -> str | None:
        found = await newest_summary(self._index, self._user, conversation_id)
        return found.text if found else None


def _state(conversation: ConversationMeta, known: Known, summary: str | None) -> ConversationState:
    state = known.state
    return ConversationState(
        conversation_id=conversation.id,
        status=state.status,
        active_topics=state.active_topics,
        pending_clarifications=tuple(map(_item, state.pending_clarifications)),
        open_loops=tuple(map(_item, state.open_loops)),
        active_job_refs=tuple(map(_item, state.active_job_refs)),
        resolved_entities=state.resolved_entities,
        rolling_summary=summary,
        last_intent=state.last_intent,
        last_response_type=state.last_response_type,
        turn_count=state.turn_count,
        covers=state.covers,
        provisional=not known.whole,
    )


def _item(item: Item) -> StateItem:
    return StateItem(
        kind=item.kind,
        text=item.text,
        message_id=item.message_id,
        turn_number=item.turn,
        owed_by=item.owed_by,
        ref=item.ref,
    )
