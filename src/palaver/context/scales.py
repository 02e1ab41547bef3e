"""Scales: what blocks cost, and how they are made to cost less."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from palaver.context.blocks import Block, text_of
from palaver.context.clipping import longest_cut
from palaver.context.tokens import CHARACTERS, PER_MESSAGE, TokenCounter, count_message
from palaver.index.records import Json

LEAST = 48
"""Of the output of a tool at least so many tokens are shown."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A block that a model sees."""

    whole: Block
    small: Block
    """As little of it as may be shown."""

    @property
    def grows(self) -> bool:
        """Whether it is short of nothing but the output of tools."""
        messages = self.small.messages
        return not self.small.bare and all(messages[n]["role"] == "tool" for n in self.small.cuts)


class Scales:
    """Weighs blocks for one packet. What cannot fit into `budget` by its length is not read."""

    def __init__(self, counter: TokenCounter, budget: int) -> None:
        self.counter = counter
        self._budget = budget
        self._costs: dict[int, tuple[Block, int]] = {}
        """What blocks cost, by their identity; it holds them so that nothing else takes it."""

    def count(self, text: str) -> int:
        if len(text) > self._budget * CHARACTERS:
            return ceil(len(text) / CHARACTERS)
        return self.counter.count(text)

    def message(self, message: Json) -> int:
        return count_message(self, message)

    def cost(self, block: Block) -> int:
        known = self._costs.get(id(block))
        if known is None:
            known = block, sum(self.message(message) for message in block.messages)
            self._costs[id(block)] = known
        return known[1]

    def total(self, blocks: Iterable[Block]) -> int:
        return sum(self.cost(block) for block in blocks)

    # -- less of it --------------------------------------------------------------------------

    def trimmed(self, block: Block, most: int) -> Block:
        """The block with at most `most` tokens of each tool's output."""
        for number, message in enumerate(block.messages):
            if message["role"] == "tool" and self.count(text_of(message)) > most:
                cut = longest_cut(text_of(message), most, self.counter)
                block = block.cut(number, cut) if cut else block
        return block

    def least(self, block: Block) -> Kept:
        return Kept(block, self.trimmed(block, LEAST))

    def shrunk(self, kept: Kept, most: int) -> Kept | None:
        """The block at a cost of at most `most`: first without most of its tools' output, then
        without its tools, then head and tail of what is said; None if that is not enough."""
        if self.cost(kept.small) <= most:
            return kept
        bare = kept.whole.only_said()
        if self.cost(bare) <= most:
            return Kept(kept.whole, bare)
        (said,) = bare.messages
        cut = longest_cut(text_of(said), most - PER_MESSAGE, self.counter)
        return Kept(kept.whole, bare.cut(0, cut)) if cut else None

    def widest(self, kept: Sequence[Kept], room: int) -> list[Block]:
        """The blocks with as much of their tools' output as there is room for."""
        outputs = [count for one in kept if one.grows for count in self._outputs(one.whole)]
        said = sum(self._without_outputs(one) for one in kept)
        least, most = LEAST, self._budget
        while least < most:
            middle = (least + most + 1) // 2
            if said + sum(min(output, middle) for output in outputs) <= room:
                least = middle
            else:
                most = middle - 1
        return [self.trimmed(one.whole, least) if one.grows else one.small for one in kept]

    def _outputs(self, block: Block) -> list[int]:
        return [self.count(text_of(one)) for one in block.messages if one["role"] == "tool"]

    def _without_outputs(self, kept: Kept) -> int:
        if not kept.grows:
            return self.cost(kept.small)
        return self.cost(kept.whole) - sum(self._outputs(kept.whole))
