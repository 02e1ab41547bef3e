"""The port of telemetry: what can be told. No field holds a word that anybody said, or a secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

Outcome = Literal["complete", "interrupted", "failed"]


@dataclass(frozen=True, slots=True)
class ContextLoaded:
    """A packet was made for a model."""

    conversation_id: str
    total_messages_in_db: int
    messages_loaded: int
    messages_truncated: int
    estimated_tokens: int
    tokens_by_section: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """A model has spoken, once or between the tools that it called, or has failed to."""

    conversation_id: str
    model: str
    outcome: Outcome
    seconds: float
    """From the request to the end."""
    first_delta_seconds: float | None
    """From the request to the first piece of the reply; None if none came."""
    deltas: int
    input_tokens: int = 0
    output_tokens: int = 0
    error_code: str | None = None
    """The code of what went wrong."""


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A message was answered, or will not be."""

    conversation_id: str
    outcome: Outcome | Literal["command"]
    seconds: float


@dataclass(frozen=True, slots=True)
class Compressed:
    """Older turns became a summary, or did not because it was not good enough."""

    conversation_id: str
    kind: str
    """`compression`, or `rolling_summary`."""
    outcome: Literal["kept", "refused"]
    turns: int
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Digested:
    """A conversation was abbreviated, named or read for memories, or a day of it told; or not."""

    conversation_id: str
    what: Literal["abbreviation", "title", "topics", "day_summary", "memories"]
    by: str
    """`offline`, or the name of a model."""
    outcome: Literal["kept", "refused", "failed", "stood_in"]
    """Refused: it was not good enough. Stood in: a model failed, and it was made without one."""
    seconds: float
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """In US dollars, if it is known."""
    error_code: str | None = None
    """The code of what went wrong."""


@dataclass(frozen=True, slots=True)
class Started:
    """A server or a worker is there, and has brought into order what it found."""

    streams_read: int = 0
    lines_caught_up: int = 0
    torn_ends_mended: int = 0
    redactions_finished: int = 0
    streams_made_again: int = 0
    rebuild: str = "none"
    """Whether everything had to be indexed again: `none`, `running` or `done`."""
    messages_answered: int = 0
    digests_queued: int | None = None
    milliseconds: float = 0.0


Event = ContextLoaded | ModelAnswered | TurnEnded | Compressed | Digested | Started


class Telemetry(Protocol):
    """Somebody who is told what happens."""

    def tell(self, event: Event) -> None:
        """Returns at once, and raises nothing."""
        ...


class Several:
    """Tells several others."""

    def __init__(self, *others: Telemetry) -> None:
        self._others = others

    def tell(self, event: Event) -> None:
        for one in self._others:
            one.tell(event)
