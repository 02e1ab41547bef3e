"""The port of a model that writes: asked once, it answers in a given shape.

The room of the agent knows models and implements it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from palaver.index.records import Json


@dataclass(frozen=True, slots=True)
class Written:
    """What a model has written, and what it cost."""

    text: str
    """JSON, if the model does as it is told."""
    input: int = 0
    output: int = 0
    """The tokens that the model counted."""
    cost: float | None = None
    """In US dollars; None when the prices are not known."""


class Writer(Protocol):
    """A model that is ready to be asked."""

    @property
    def name(self) -> str:
        """As events record it."""
        ...

    async def write(self, system: str, text: str, schema: Json) -> Written:
        """One answer, which is to be JSON as `schema` has it. It ends within a minute or so.

        Raises ModelError.
        """
        ...
