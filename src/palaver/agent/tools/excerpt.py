"""Excerpts: whole turns of a conversation, word for word, in an answer that stays readable."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.agent.tools.shapes import Turn
from palaver.index.records import Message

MAX_SIZE = 150_000
"""How much one answer holds, in characters: a model has to read all of it."""
_FRAME = 300
"""What a message costs besides its words."""


class Excerpt:
    """Turns, until there is no room for another."""

    def __init__(self, size: int = MAX_SIZE) -> None:
        self._room = size
        self._taken: list[tuple[int, Turn]] = []
        self.cut = False
        """Whether a turn was too long even alone, so that a part of it is left out."""

    @property
    def turns(self) -> list[Turn]:
        """What was taken, oldest first."""
        return [turn for _, turn in sorted(self._taken, key=lambda taken: taken[0])]

    def take(self, messages: Sequence[Message]) -> bool:
        """Adds the messages of one turn, unless they do not fit; the first turn is cut to fit."""
        size = sum(len(message.content) + _FRAME for message in messages)
        if size <= self._room:
            self._add(messages, longest=size)
        elif self._taken:
            return False
        else:
            self.cut = True
            kept = messages[: max(self._room // (2 * _FRAME), 1)]
            self._add(kept, longest=max(self._room // len(kept) - _FRAME, 1))
        self._room -= size
        return True

    def _add(self, messages: Sequence[Message], *, longest: int) -> None:
        self._taken += [(message.seq, _quoted(message, longest)) for message in messages]


def _quoted(message: Message, longest: int) -> Turn:
    return Turn(
        role="user" if message.role == "user" else "assistant",
        content=message.content[:longest],
        timestamp=message.timestamp,
        turn_number=message.turn_number,
        message_id=message.id,
        sender=message.sender,
        author=message.author,
        model=message.model,
        truncated=len(message.content) > longest,
    )
