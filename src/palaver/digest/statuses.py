"""Statuses: what a clock and a start can tell of a conversation, and its messages cannot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from datetime import timedelta

from palaver.digest.state import State, Status, with_status
from palaver.index.records import ConversationMeta
from palaver.times import Clock, before

_REMEMBERED = 4096
_NOTHING = -2
"""No line is so early: nothing is taken up any more."""
_LEFT_CLEANLY = 32
"""So many conversations, those that were used last, are noted as left cleanly."""


class Statuses:
    """Which conversations this process has taken up, and how long each has been silent."""

    def __init__(self, clock: Clock, idle_after: timedelta) -> None:
        self._clock = clock
        self._idle_after = idle_after
        self._used: OrderedDict[str, int] = OrderedDict()
        """The last line when it was first used here, by conversation; the last used one last."""

    def taken_up(self, conversation: ConversationMeta, state: State) -> State:
        """The state of a conversation that somebody goes on with now."""
        self._use(conversation.id, self._used.get(conversation.id, state.covers))
        return self.seen(conversation, state)

    def turned(self, conversation_id: str) -> None:
        """Notes that a turn was made in a conversation."""
        self._use(conversation_id, _NOTHING)

    def _use(self, conversation_id: str, first: int) -> None:
        self._used[conversation_id] = first
        self._used.move_to_end(conversation_id)
        while len(self._used) > _REMEMBERED:
            self._used.popitem(last=False)

    def seen(self, conversation: ConversationMeta, state: State) -> State:
        """The state of a conversation as it stands now."""
        status = self._status(conversation, state)
        return state if status == state.status else with_status(state, status)

    def last_used(self) -> Sequence[str]:
        return list(self._used)[-_LEFT_CLEANLY:]

    def _status(self, conversation: ConversationMeta, state: State) -> Status:
        first = self._used.get(conversation.id)
        if first is None and state.status == "shutdown_clean":
            return state.status
        if first is not None and 0 <= state.floor.replied <= first:
            return "resuming"  # nobody has replied since it was taken up here
        if state.status == "awaiting_clarification":
            return state.status
        return "paused" if self._is_idle(conversation) else "active"

    def _is_idle(self, conversation: ConversationMeta) -> bool:
        return conversation.updated < before(self._clock(), self._idle_after)
