"""How many statements a message takes in a database: each of them costs, in either process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.conversation.nodes import opened
from tests.conversation.scripted import Scripted, answer_by

REPLY_TAKES, FOLLOWING_TAKES = 75, 48
"""The most that a message and its reply take, and what follows them. Whoever asks for more should
see first whether another question can answer it, too."""
MEASURED = 5


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Those that the library sends, from now on."""
    found: list[str] = []
    execute: Any = psycopg.Connection[Any].execute

    def noted(self: psycopg.Connection[Any], query: Any, *given: Any, **options: Any) -> Any:
        found.append(query if isinstance(query, str) else bytes(query).decode())
        return execute(self, query, *given, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", noted)
    return found


async def test_a_message_takes_few_statements(
    tmp_path: Path, database_url: str, statements: list[str]
) -> None:
    async with opened(tmp_path, database_url) as palaver:
        answer_by(palaver, Scripted(["Yes, that is what was said."]))
        conversation = (await palaver.send("What is to be done?", new=True)).conversation_id
        replied = followed = 0
        for number in range(MEASURED + 1):
            before = len(statements)
            await palaver.send(f"And about matter {number}?", conversation_id=conversation)
            made = len(statements)
            await palaver._context.follow_up.settle()  # pyright: ignore[reportPrivateUsage]
            if number:  # before that, much is asked for the first time
                replied += made - before
                followed += len(statements) - made
    told = replied / MEASURED, followed / MEASURED
    assert 1 < told[0] <= REPLY_TAKES, told
    assert 1 < told[1] <= FOLLOWING_TAKES, told
