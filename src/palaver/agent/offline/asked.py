"""What is asked: a message, where it was said, and what may be used to answer it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from palaver.agent.language import Request
from palaver.context.blocks import text_of
from palaver.context.packet import ContextPacket
from palaver.text import fold

_LONGEST = 200
"""A longer message is no order that rules could read."""


@dataclass(frozen=True)
class Asked:
    """The message that is to be answered."""

    text: str
    packet: ContextPacket
    tools: frozenset[str]
    ids: frozenset[str]
    """The message's own id, if it is stored."""

    @property
    def here(self) -> str:
        """The conversation it belongs to."""
        return self.packet.conversation_id

    @cached_property
    def low(self) -> str:
        """Its text without case and diacritics; nothing of a long one."""
        return " ".join(fold(self.text).split()) if len(self.text) <= _LONGEST else ""

    def says(self, pattern: re.Pattern[str]) -> bool:
        return pattern.search(self.low) is not None

    def offers(self, *tools: str) -> bool:
        return self.tools.issuperset(tools)


def asked_in(request: Request) -> Asked:
    """The message with which the conversation ends so far."""
    packet = request.packet
    return Asked(
        text=_last_of_user(packet.messages),
        packet=packet,
        tools=frozenset(spec.name for spec in request.tools),
        ids=frozenset(packet.references.history[-1].ids if packet.references.history else ()),
    )


def _last_of_user(messages: Iterable[dict[str, object]]) -> str:
    texts = [text_of(one) for one in messages if one["role"] == "user"]
    return texts[-1] if texts else ""
