"""Models that write in a given shape: what they are scripted to answer, and what they were told."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from palaver.agent.models import Patience
from tests.models.asking import no_sleep
from tests.models.script import Text, Used
from tests.models.server import ModelServer

QUICK = Patience(connect=5, first=20, silence=20, whole=20, pauses=(), sleep=no_sleep)
NONSENSE = "I am sorry, I would rather talk about the weather."


def clock() -> datetime:
    """A moment that stays."""
    return datetime(2026, 2, 14, tzinfo=UTC)


def answers(server: ModelServer, *given: dict[str, Any] | str) -> None:
    """The next answers, each for 900 tokens read and 150 written."""
    for one in given:
        text = one if isinstance(one, str) else json.dumps(one)
        server.script(Text(text[:20], text[20:]), Used(900, 150))


def told(server: ModelServer, which: int = -1) -> str:
    """What the model was given to read, without the rules."""
    content = server.asked[which].body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)
