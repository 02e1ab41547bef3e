"""Blocks: what goes to a model together or not at all, in the form that models' APIs take.

A block is a message, with what a program tells about it, or a call of tools with all of its
results: a model refuses one without the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from palaver.context.clipping import Cut, clipped
from palaver.index.records import Json


@dataclass(frozen=True, slots=True)
class Block:
    """Messages for a model, and the stored messages they were made from."""

    messages: tuple[Json, ...]
    ids: tuple[str, ...] = ()
    turn: int = 0
    bare: bool = False
    """Whether its tool calls and their results, or what is told about it, are left out."""
    cuts: Mapping[int, Cut] = field(default_factory=dict[int, Cut])
    """Which of the messages are not shown in full."""

    def cut(self, number: int, cut: Cut) -> Block:
        """The block with less of one message."""
        message = self.messages[number]
        shown = {**message, "content": clipped(text_of(message), cut)}
        messages = (*self.messages[:number], shown, *self.messages[number + 1 :])
        return replace(self, messages=messages, cuts={**self.cuts, number: cut})

    def only_said(self) -> Block:
        """The block with nothing but what was said; itself if it is nothing else."""
        calls = sum(len(calls_of(message)) for message in self.messages)
        if len(self.messages) == 1 and not calls:
            return self
        if not calls:  # what is told about a message stands before it
            return replace(self, messages=self.messages[-1:], bare=True, cuts={})
        said = [text_of(one) for one in self.messages if one["role"] != "tool" and text_of(one)]
        text = "\n\n".join(said) or f"[Tool calls left out: {calls}]"
        return replace(self, messages=({"role": "assistant", "content": text},), bare=True, cuts={})


def text_of(message: Json) -> str:
    """What a message says: its text, or the texts among its parts."""
    content = message.get("content")
    if not isinstance(content, list):
        return content or ""
    parts = cast("list[object]", content)
    texts = [cast("Json", part).get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def calls_of(message: Json) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", message.get("tool_calls") or [])


def grouped(messages: Sequence[Json]) -> list[Block]:
    """The blocks of messages that are in a model's form already."""
    blocks: list[list[Json]] = []
    for message in messages:
        if blocks and message["role"] == "tool" and calls_of(blocks[-1][0]):
            blocks[-1].append(message)
        else:
            blocks.append([message])
    return [Block(tuple(block)) for block in blocks]
