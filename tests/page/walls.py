"""A server with and without its walls, and messages in which every field says the same."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from palaver.channels.connection import Connection
from palaver.conversation.records import NewMessage
from palaver.server import assets
from tests.server.site import Site, running_site


@contextmanager
def walled(
    root: Path,
    *,
    built: Path | None = None,
    has_policy: bool = True,
    channels: Sequence[Connection] = (),
) -> Generator[Site]:
    """A server of a home, of which a wall may be taken away: by another build, or no policy."""
    with pytest.MonkeyPatch.context() as patch:
        if built:
            patch.setattr(assets, "_built", lambda: built)
        if not has_policy:
            patch.setattr(assets, "POLICY", "")
        with running_site(root, channels=channels) as site:
            yield site


def full_message(payload: str) -> NewMessage:
    name = payload[:255]
    return NewMessage(
        role="assistant",
        content=payload,
        sender=name,
        model=name,
        thinking_text=payload,
        tool_calls=[{"id": "1", "name": payload, "input": {payload: payload}, "output": payload}],
        suggested_values=[payload, {"label": payload, "value": payload}],
        suggested_actions=[payload, {"label": payload, "name": payload, "message": payload}],
        custom_payload={payload: [payload]},
        parts=[{"type": "file", "name": payload, "text": payload}],
        intent=name,
        action_name=name,
        job_refs=[payload],
    )
