"""The window: as much of a history as fits into a budget.

The first message and the newest ones stay; the oldest of the others go first, and a marker stands
where something is missing. Before anything goes, the output of tools is shown head and tail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from palaver.context.blocks import Block, grouped
from palaver.context.scales import LEAST, Kept, Scales
from palaver.context.tokens import EstimatedTokens, TokenCounter
from palaver.index.records import Json

MARKER: Json = {"role": "system", "content": "[Earlier messages truncated]"}
_SHARE = 4
"""A message of the past takes at most one part in so many of the window, if that is full."""


@dataclass(frozen=True, slots=True)
class Window:
    """What of a history a model sees, in order."""

    opening: Block | None
    """The first message, if it stands apart from the others."""
    marked: bool
    """Whether the marker stands after the opening: something is missing there."""
    recent: tuple[Block, ...]
    tokens: int

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (self.opening, *self.recent) if self.opening else self.recent

    @property
    def messages(self) -> list[Json]:
        return list(self._messages())

    def _messages(self) -> Iterator[Json]:
        if self.opening:
            yield from self.opening.messages
        if self.marked:
            yield MARKER
        for block in self.recent:
            yield from block.messages


def fit(
    blocks: Sequence[Block],
    budget: int,
    scales: Scales,
    *,
    keep_first: bool = True,
    gap: bool = False,
) -> Window:
    """The window on `blocks`, whose last one is the newest; it costs at most `budget`, which is
    not above that of the scales.

    With `gap`, something is missing already: behind the first block, or before it if it is not to
    be kept or is the newest.
    """
    if not blocks:
        return Window(None, False, (), 0)
    marker = scales.message(MARKER)
    room = budget - marker if gap else budget
    if scales.total(blocks) <= room:
        return _window(blocks, scales, apart=keep_first and len(blocks) > 1, marked=gap)
    kept = [scales.least(block) for block in blocks]
    if scales.total(one.small for one in kept) > room:
        room = budget - marker
        kept = _newest(kept, room, scales, keep_first=keep_first)
    if not kept:  # the newest alone may still fit where it does not with a marker
        alone = scales.shrunk(scales.least(blocks[-1]), budget)
        return _window([alone.small] if alone else [], scales, apart=False, marked=False)
    apart = keep_first and len(kept) > 1 and kept[0].whole is blocks[0]
    marked = gap or len(kept) < len(blocks)
    return _window(scales.widest(kept, room), scales, apart=apart, marked=marked)


def apply_context_window(
    messages: Sequence[dict[str, Any]],
    max_tokens: int,
    reserved_tokens: int = 4500,
    counter: TokenCounter | None = None,
) -> list[dict[str, Any]]:
    """The messages, in the form of OpenAI's API, that fit into a model's window.

    `max_tokens` is the whole window; `reserved_tokens` of it are for the system prompt, the tools
    and the reply.
    """
    budget = max_tokens - reserved_tokens
    scales = Scales(counter or EstimatedTokens(), budget)
    return fit(grouped(messages), budget, scales).messages


def _newest(blocks: Sequence[Kept], room: int, scales: Scales, *, keep_first: bool) -> list[Kept]:
    """The first block and the newest ones, as many as there is room for, each small enough."""
    share = room // _SHARE
    last, past = blocks[-1], blocks[:-1]
    first, opening = None, 0
    if keep_first and past:
        spare = room - scales.cost(last.small)
        first, past = scales.shrunk(past[0], max(min(share, spare), LEAST)), past[1:]
        opening = scales.cost(first.small) if first else 0
    newest = scales.shrunk(last, room - opening)
    if newest is None:
        first, opening, newest = None, 0, scales.shrunk(last, room)
    if newest is None:
        return []
    left = room - opening - scales.cost(newest.small)
    kept = [newest]
    for block in reversed(past):
        small = scales.shrunk(block, share)
        if small is None or (cost := scales.cost(small.small)) > left:
            break
        left -= cost
        kept.append(small)
    return [*([first] if first else ()), *reversed(kept)]


def _window(shown: Sequence[Block], scales: Scales, *, apart: bool, marked: bool) -> Window:
    """`apart` says that the first block is the first of all, which the marker follows."""
    tokens = scales.total(shown) + (scales.message(MARKER) if marked else 0)
    if apart and marked:
        return Window(shown[0], marked, tuple(shown[1:]), tokens)
    return Window(None, marked, tuple(shown), tokens)
