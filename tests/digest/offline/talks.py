"""Conversations to be said in fewer words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palaver.context.tokens import EstimatedTokens
from palaver.digest.offline.making import made
from palaver.digest.offline.task import Task
from palaver.digest.port import Abbreviation, Naming, Point, Want
from palaver.digest.state import Item
from palaver.index.evidence import Vector
from palaver.index.records import Message

count = EstimatedTokens().count
BOTH: frozenset[Want] = frozenset({"abbreviation", "title"})
ROLES = ("user", "assistant")


def talk(*texts: str, roles: Sequence[str] = ROLES) -> list[Message]:
    """A conversation in which user and assistant take turns."""
    return [
        message(f"msg-{number}", text, role=roles[number % len(roles)], turn=number // 2 + 1)
        for number, text in enumerate(texts)
    ]


def message(name: str, text: str, *, role: str = "user", turn: int = 1) -> Message:
    return Message.model_validate(
        {
            "id": name,
            "conversationId": "conv-1",
            "seq": int(name.rpartition("-")[2]) + 1,
            "role": role,
            "content": text,
            "timestamp": "2026-03-14T09:30:00.000Z",
            "turnNumber": turn,
        }
    )


def digest(
    messages: Sequence[Message],
    *,
    before: Sequence[Point] = (),
    left_open: Sequence[Item] = (),
    vectors: Mapping[str, Vector] | None = None,
) -> tuple[Abbreviation, Naming]:
    """Both that can be made of a conversation."""
    task = Task(messages, before, left_open, vectors or {}, BOTH)
    result = made(task, count)
    assert result.by == "offline"
    assert result.abbreviation is not None
    assert result.naming is not None
    return result.abbreviation, result.naming


def abbreviation(*texts: str) -> str:
    return digest(talk(*texts))[0].text


def naming(*texts: str) -> Naming:
    return digest(talk(*texts))[1]


def title(*texts: str) -> str:
    return naming(*texts).titles[0]
