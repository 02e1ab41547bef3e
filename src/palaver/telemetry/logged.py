"""Telemetry as log records: an event by name, with a field for everything that is told.

They go to Python's own `logging`, which shows none of them unless somebody asks it to: a program
that uses the library sets up its logs as it likes, and the server as `telemetry.logs` does.
"""

from __future__ import annotations

import logging
from dataclasses import fields

from palaver.telemetry.port import (
    Compressed,
    ContextLoaded,
    Digested,
    Event,
    ModelAnswered,
    Started,
    TurnEnded,
)
from palaver.telemetry.trace import trace_id

log = logging.getLogger(__name__)

_NAMES: dict[type[Event], str] = {
    ContextLoaded: "conversation_context_loaded",
    ModelAnswered: "model_answered",
    TurnEnded: "turn_ended",
    Compressed: "conversation_compressed",
    Digested: "conversation_digested",
    Started: "palaver_started",
}


class Logged:
    """Logs every event."""

    def tell(self, event: Event) -> None:
        if log.isEnabledFor(logging.INFO):
            told = {one.name: getattr(event, one.name) for one in fields(event)}
            log.info(_NAMES[type(event)], extra={"trace_id": trace_id(), **told})
