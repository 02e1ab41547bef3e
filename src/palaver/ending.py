"""Ending: at once, or within a time, whatever hangs. What was stored stays either way."""

from __future__ import annotations

import logging
import os
import signal
from threading import Timer

LAST_SECONDS = 9.0
"""How long a process may take that was told to end."""

log = logging.getLogger(__name__)


def end_within(seconds: float = LAST_SECONDS) -> None:
    """Has the process broken off that has not ended by then."""
    ending = Timer(seconds, _break_off)
    ending.daemon = True
    ending.start()


def end_at_once(number: int) -> None:
    """Ends as somebody who never heard of the signal."""
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _break_off() -> None:
    log.error("stopped_late: something did not end in time and was broken off")
    os._exit(1)
