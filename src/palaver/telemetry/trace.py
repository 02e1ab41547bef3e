"""Traces: one id for everything that is told about one request or one turn."""

from __future__ import annotations

import secrets
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("trace", default="")


def trace_id() -> str:
    """The id of the trace that is under way; a new one if there is none."""
    return _current.get() or _new()


@contextmanager
def traced() -> Generator[None]:
    """Whatever is told in the block, and in tasks begun there, has one id: that of the trace which
    is under way, if there is one."""
    token = _current.set(trace_id())
    try:
        yield
    finally:
        _current.reset(token)


def _new() -> str:
    return secrets.token_hex(16)
