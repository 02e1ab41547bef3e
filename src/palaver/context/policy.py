"""Policies: what a packet is made of in each kind of conversation, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from palaver.index.records import ConversationMeta

SectionName = Literal["memories", "yesterday", "today", "summary", "state", "rounds", "history"]


@dataclass(frozen=True, slots=True)
class SectionPolicy:
    """A section before the history, and what it may take of the tokens."""

    name: SectionName
    share: float
    """Of what the message to be answered leaves. What is not used goes to the history."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What is shown before the history, in this order, and how the history is shown."""

    sections: tuple[SectionPolicy, ...]
    keep_first: bool
    """Whether the first message of the conversation is always shown."""
    by_day: bool = False
    """Whether the history is that of one day, told by its summary and that of the day before."""


STANDARD = Policy(
    sections=(
        SectionPolicy("memories", 0.1),
        SectionPolicy("summary", 0.15),
        SectionPolicy("state", 0.05),
        SectionPolicy("rounds", 0.15),
    ),
    keep_first=True,
)
CONTINUOUS = Policy(
    sections=(
        SectionPolicy("memories", 0.1),
        SectionPolicy("yesterday", 0.1),
        SectionPolicy("today", 0.15),
        SectionPolicy("state", 0.05),
    ),
    keep_first=False,
    by_day=True,
)
_POLICIES = {"standard": STANDARD, "continuous": CONTINUOUS}


def policy_of(conversation: ConversationMeta) -> Policy:
    """Only the user reads along in a conversation of either kind. One that others read needs a
    policy of its own, without `memories`: what has no share is neither looked for nor shown."""
    return _POLICIES[conversation.mode]
