"""Logs as lines of JSON on standard error, for a process that serves.

Everything that is logged comes out in one form, whoever logs it. Of an error its kind and the
places are told, never its text, which may quote what somebody said.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, Literal

import orjson
from structlog import stdlib
from structlog.processors import JSONRenderer, TimeStamper
from structlog.typing import EventDict, Processor

Level = Literal["debug", "info", "warning", "error"]

_COLLECTED: list[Processor] = [
    stdlib.add_log_level,
    stdlib.add_logger_name,
    stdlib.ExtraAdder(),
    TimeStamper(fmt="iso", utc=True),
]


@contextmanager
def json_logs(level: Level | None) -> Generator[None]:
    """In the block this process logs in JSON: what Palaver has to tell from `level` on, and the
    warnings of others."""
    level = level or ("warning" if sys.stderr.isatty() else "info")
    handler = logging.StreamHandler()
    handler.setFormatter(formatter())
    root, ours = logging.getLogger(), logging.getLogger("palaver")
    before = root.handlers, root.level, ours.level
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    ours.setLevel(level.upper())
    try:
        yield
    finally:
        root.handlers = before[0]
        root.setLevel(before[1])
        ours.setLevel(before[2])


def formatter() -> logging.Formatter:
    """Makes a line of JSON of a log record."""
    return stdlib.ProcessorFormatter(
        foreign_pre_chain=_COLLECTED,
        processors=[
            _without_words,
            stdlib.ProcessorFormatter.remove_processors_meta,
            JSONRenderer(serializer=_json),
        ],
    )


def _without_words(logger: Any, method: str, told: EventDict) -> EventDict:
    """Where an error happened, without what it happened to."""
    if failed := told.pop("exc_info", None):
        kind, _, trace = failed
        told["error"] = kind.__name__
        told["places"] = [
            f"{PurePath(one.filename).name}:{one.lineno} {one.name}"
            for one in traceback.extract_tb(trace)
        ]
    return told


def _json(told: Any, **_: Any) -> str:
    return orjson.dumps(told, default=str).decode()
