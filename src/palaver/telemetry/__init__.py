"""Telemetry: what is told about the work that is done, and never what was said."""

import logging

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

# Whoever wants to read logs says so: a command prints none among its answers.
logging.getLogger("palaver").addHandler(logging.NullHandler())

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
