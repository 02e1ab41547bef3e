"""Turns in one line each, so that the last ones can be told at a glance."""

from __future__ import annotations

from collections.abc import Iterable

from palaver.context.packet import TurnSummary
from palaver.context.wire import is_said
from palaver.index.records import Message
from palaver.index.rows import SPEAKING_ROLES
from palaver.text import whole_character

_TOLD = 5
_LONGEST = 120


def recent_turns(messages: Iterable[Message]) -> tuple[TurnSummary, ...]:
    """How each of the last turns begins: what was asked, and what was answered."""
    turns: dict[int, list[Message]] = {}
    for message in messages:
        if message.role in SPEAKING_ROLES and is_said(message):
            turns.setdefault(message.turn_number, []).append(message)
    last = list(turns.items())[-_TOLD:]
    return tuple(TurnSummary(turn_number=turn, text=_summary(said)) for turn, said in last)


def _summary(messages: Iterable[Message]) -> str:
    texts = (" ".join(one.content[: _LONGEST * 4].split()) for one in messages)
    return " → ".join([_short(text) for text in texts if text][:2])


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: whole_character(text, _LONGEST)].rstrip()}…"
