"""The library says what is wrong with what it is given, whatever that is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from palaver.errors import BadValue, TooLarge
from tests.library import Clock, library

ANY: Any = object()
CALLS: dict[str, Callable[[Any], Awaitable[object]]] = {
    "text": lambda palaver: palaver.send(None),
    "key": lambda palaver: palaver.send("Hello", key=5),
    "channel": lambda palaver: palaver.start(ANY),
    "metadata": lambda palaver: palaver.start(metadata=[1]),
    "limit": lambda palaver: palaver.search("words", limit="5"),
    "limit of the list": lambda palaver: palaver.conversations(limit=1.5),
    "limit that is a flag": lambda palaver: palaver.conversations(limit=True),
    "query": lambda palaver: palaver.search(7),
    "recencyDays": lambda palaver: palaver.search_page("words", recency_days="5"),
    "ignoreTimePhrases": lambda palaver: palaver.search_messages("words", ignore_time_phrases=1),
    "chanel": lambda palaver: palaver.search("words", chanel="web"),
    "conversationId": lambda palaver: palaver.conversation(None),
    "messages": lambda palaver: palaver.append_many("conv-1", [{"role": "user"}]),
    "change": lambda palaver: palaver.update("conv-1", {"titel": "x"}),
    "around": lambda palaver: palaver.fetch("conv-1", around="3"),
}


@pytest.mark.parametrize("wrong", CALLS)
async def test_a_wrong_type_is_a_bad_value(tmp_path: Path, wrong: str):
    async with library(tmp_path, Clock()) as palaver:
        with pytest.raises(BadValue, match=wrong.split(maxsplit=1)[0]):
            await CALLS[wrong](palaver)
        assert palaver.health().status == "ok"
        assert (await palaver.conversations()).conversations == []


async def test_days_and_points_in_time_are_taken_as_they_are(tmp_path: Path):
    async with library(tmp_path, Clock()) as palaver:
        await palaver.send("The zeppelin leaves at noon.")
        noon = datetime(2026, 2, 14, 8, tzinfo=UTC)
        assert len(await palaver.search("zeppelin", from_=noon)) == 1
        assert len(await palaver.search("zeppelin", day=date(2026, 2, 14))) == 1
        assert await palaver.search("zeppelin", to="2026-02-13") == []


async def test_metadata_has_its_limit(tmp_path: Path):
    async with library(tmp_path, Clock()) as palaver:
        with pytest.raises(TooLarge, match="64 KiB"):
            await palaver.start(metadata={"a": "x" * 64 * 1024})
        assert (await palaver.conversations()).conversations == []
