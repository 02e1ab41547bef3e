"""The transcript: what a model is shown of what the owner said, each message under a number.

Every line that somebody wrote begins with `> `, so that nothing in a message can end its quotation.
What the assistant said before it has no number: nothing can be taken from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from palaver.digest.condensing import Count
from palaver.digest.model.sheet import clipped
from palaver.memory.port import Saying
from palaver.text import quoted

_ASKED = 200
"""So many tokens are shown of what the assistant said before."""
_AROUND = 40
"""About so many tokens stand around a message."""
_CONTEXT = "The assistant had said, only for you to understand the answer:"
_SAID = "The user wrote:"


@dataclass(frozen=True)
class Transcript:
    """Messages of the owner; the first one has the number 1."""

    sayings: Sequence[Saying]
    room: int
    """So many tokens there are for all of it. A single message has half of them at most."""
    count: Count

    def saying(self, number: int) -> Saying | None:
        return self.sayings[number - 1] if 0 < number <= len(self.sayings) else None

    def cost(self, saying: Saying) -> int:
        """How many tokens of the room a message takes."""
        said = min(self.count(saying.text), self._cap)
        return said + min(self.count(saying.asked), _ASKED) + _AROUND

    @cached_property
    def text(self) -> str:
        """Everything as the model is shown it."""
        shown = enumerate(self.sayings, start=1)
        return "\n\n".join("\n".join(self._shown(number, one)) for number, one in shown)

    def _shown(self, number: int, saying: Saying) -> Iterator[str]:
        yield f"[{number}] {saying.said[:10]}"
        if saying.asked.strip():
            yield _CONTEXT
            yield quoted(clipped(saying.asked, _ASKED, self.count))
        yield _SAID
        yield quoted(clipped(saying.text, self._cap, self.count))

    @property
    def _cap(self) -> int:
        return self.room // 2
