"""The port of whoever answers a message: the offline assistant now, language models later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from palaver.index.records import Message, Source


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply, before it is stored."""

    content: str
    """Markdown; never empty."""
    model: str
    """Who made it: a model's name, or `offline`."""
    sources: tuple[Source, ...] = ()
    """The messages it stands on; each quote stands in its message, word for word."""


class Responder(Protocol):
    """Somebody who answers messages."""

    async def reply(self, message: Message) -> Answer:
        """The answer to `message`, which is stored already.

        Without an index it answers all the same, and says what it could not look up.
        """
        ...
