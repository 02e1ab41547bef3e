"""The answer of a model: what it found, in the shape it is to have."""

from __future__ import annotations

from typing import get_args

from pydantic import BaseModel

from palaver.digest.model.answer import shape
from palaver.index.records import Json
from palaver.memory.port import MEMORY_TYPES, Sensitive

SENSITIVE: tuple[Sensitive, ...] = get_args(Sensitive)
NOTHING = "none"
"""What is not sensitive."""


class Noted(BaseModel):
    """Something that is worth remembering, as a model tells it."""

    message: int
    type: str
    content: str
    quote: str
    confidence: float
    category: str | None = None
    explicit: bool = False
    sensitive: str | None = None
    slot: str | None = None
    ends: str | None = None


class Answer(BaseModel):
    """Everything that was found: without the list it is no answer, for "nothing" is one."""

    memories: list[Noted]


_TEXT: Json = {"type": "string"}
_MEMORY = shape(
    message={"type": "integer"},
    type={"type": "string", "enum": list(MEMORY_TYPES)},
    content=_TEXT,
    quote=_TEXT,
    category=_TEXT,
    confidence={"type": "number"},
    explicit={"type": "boolean"},
    sensitive={"type": "string", "enum": [NOTHING, *SENSITIVE]},
    slot=_TEXT,
    ends=_TEXT,
)
SCHEMA = shape(memories={"type": "array", "items": _MEMORY})
"""Everything in it is required: not every provider knows parts that may be missing."""
