"""Telemetry: what is told about the work that is done, and never what was said."""

from palaver.telemetry.logged import Logged
from palaver.telemetry.port import (
    Compressed,
    ContextLoaded,
    Digested,
    Event,
    ModelAnswered,
    Outcome,
    Several,
    Started,
    Telemetry,
    TurnEnded,
)
from palaver.telemetry.trace import trace_id, traced

__all__ = [
    "Compressed",
    "ContextLoaded",
    "Digested",
    "Event",
    "Logged",
    "ModelAnswered",
    "Outcome",
    "Several",
    "Started",
    "Telemetry",
    "TurnEnded",
    "trace_id",
    "traced",
]
