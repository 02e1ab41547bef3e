"""The port of the relay: replies in the making, for whoever follows them on another node.

It knows nothing of replies: a part is a text that the makers and the followers understand. A part
may get lost; what was said is in the ledger once the reply is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from palaver.events.port import Heard

Stop = Callable[[str], Awaitable[bool]]
"""Ends the reply in a conversation, if one is made here; returns when it is stored."""


@dataclass(frozen=True, slots=True)
class Question:
    """The message that a reply answers."""

    id: str
    conversation_id: str
    seq: int


@dataclass(frozen=True, slots=True)
class Making:
    """A reply that somebody makes."""

    id: str
    """Another one for every attempt of whatever process."""
    question: Question


class Part(NamedTuple):
    """Some of what there is of a reply."""

    number: int
    """Each has a greater one than those before it."""
    text: str


class Shown(NamedTuple):
    """A reply that another node makes now, and what there is of it that was not read yet."""

    making: Making
    parts: Sequence[Part]


class Asked(Protocol):
    """Somebody asks for a reply to be stopped."""

    answer: asyncio.Future[bool]
    """Whether it was; there is none until the reply is stored."""

    def again(self) -> None:
        """Asks, or asks once more: a question may get lost. Neither waits nor raises."""
        ...


class Relay(Protocol):
    """Carries the replies of one user between nodes. Use it from the event loop it is made in."""

    # -- for whoever makes replies -----------------------------------------------------------

    async def wanted(self) -> None:
        """Returns when somebody follows the user's replies on another node."""
        ...

    def publish(self, making: Making, part: str, *, anew: bool = False) -> None:
        """Adds a part; with `anew`, those before it are taken away. Neither waits nor raises."""
        ...

    def end(self, making: Making) -> None:
        """Takes away all parts. Neither waits nor raises."""
        ...

    def obey(self, stop: Stop) -> AbstractContextManager[None]:
        """Until the block ends, `stop` is called when another node asks for it."""
        ...

    # -- for whoever follows them ------------------------------------------------------------

    def follow(self) -> AbstractContextManager[Heard]:
        """Until the block ends, other nodes share their replies, and there is a hint when there is
        more of one."""
        ...

    async def look(self, seen: Mapping[str, int]) -> Sequence[Shown]:
        """All replies that other nodes make now, in the order in which they were begun; of those in
        `seen`, the parts behind that number. One whose maker has died is not among them. Raises
        StorageError."""
        ...

    def ask_to_stop(self, conversation_id: str) -> AbstractContextManager[Asked]:
        """Whoever makes a reply in the conversation is to stop it. Nothing is asked before
        `again` is called."""
        ...
