"""Echoes: replies of the offline assistant, which only repeat what was said elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palaver.index.port import Hit
from palaver.index.records import Message

OFFLINE = "offline"
"""The model's name on the replies of the offline assistant."""
_FAR_BELOW = 0.01


def is_echo(message: Message) -> bool:
    return message.role == "assistant" and message.model == OFFLINE


def echoes_last(hits: Sequence[Hit]) -> list[Hit]:
    """The hits in the same order, but echoes far below everything that was said."""
    said = [hit for hit in hits if not is_echo(hit.message)]
    least = min((hit.score for hit in said), default=float("inf"))
    echoes = [hit for hit in hits if is_echo(hit.message)]
    return said + [replace(hit, score=min(hit.score, least) * _FAR_BELOW) for hit in echoes]
