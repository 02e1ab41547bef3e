"""The port of extraction: what of somebody's own words is worth remembering.

Two kinds are behind it: one without a model, which never fails, and one that asks a model. Neither
stores anything: whoever reads checks its quotation (`palaver.memory.reading`), and the gate
(`palaver.memory.gate`) decides what becomes of it, whoever found it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

MemoryType = Literal["fact", "preference", "entity", "project", "decision"]
MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)
Sensitive = Literal["health", "credential", "identifier", "belief", "intimate"]
"""What is kept only when the owner asks for it. A credential is never kept at all."""
MAX_CONTENT = 2000
"""Characters of a memory."""
MAX_CATEGORY = 100
"""Characters of its category."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A message that the owner has written themselves."""

    message_id: str
    conversation_id: str
    text: str
    said: str
    """When, in UTC."""
    asked: str = ""
    """What the assistant said right before it: a short answer means nothing without."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be worth remembering."""

    type: MemoryType
    content: str
    """One or two sentences that can be understood by themselves, as far as possible in the owner's
    own words."""
    message_id: str
    quote: str
    """The words it stands on, exactly as they stand in the message."""
    category: str | None = None
    confidence: float = 1.0
    """How sure it is that this holds, and lasts."""
    explicit: bool = False
    """Whether the owner asked to have it remembered."""
    sensitive: Sensitive | None = None
    slot: str | None = None
    """What there is only one of at a time, such as `home` or `employer`: a later value of the same
    slot takes the place of the one before."""
    ends: str | None = None
    """The slot that is empty from now on: "I do not work there any more"."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was found."""

    by: str
    """`offline`, or the name of a model."""
    candidates: Sequence[Candidate]
    spent: dict[str, float] = field(default_factory=dict[str, float])
    """Tokens and US dollars, if it cost any: `input`, `output`, `cost`."""


class Extractor(Protocol):
    """Whoever finds what is worth remembering."""

    async def extract(self, sayings: Sequence[Saying]) -> Extracted:
        """What is worth remembering of some messages of one conversation, oldest first. Raises
        ModelError when a model fails, or answers what does not hold: then nothing of it is used."""
        ...
