"""Example conversations: read, written, and found again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from palaver.app import Palaver
from scripts.demo import QUESTION, fill
from scripts.talks import read_talks

NOW = datetime(2026, 11, 16, 10, 40, tzinfo=UTC)


def test_examples_are_of_several_channels_and_months():
    talks = read_talks(NOW)
    assert {talk.channel for talk in talks} >= {"web", "cli", "email", "whatsapp", "telegram"}
    assert len({(talk.began.year, talk.began.month) for talk in talks}) >= 4
    assert all(talk.began <= talk.ended < NOW for talk in talks)
    assert [talk.began for talk in talks] == sorted(talk.began for talk in talks)


def test_what_is_said_about_a_reply_is_not_in_its_words():
    replies = [said for talk in read_talks(NOW) for said in talk.messages if said.model]
    assert any(said.thinking_text for said in replies)
    assert any(said.tool_calls for said in replies)
    assert any(said.suggested_values for said in replies)
    assert not [said for said in replies if said.content.startswith(("thinking:", "tool:"))]


async def test_a_home_is_filled_and_its_last_question_answered(tmp_path: Path):
    written = await fill(tmp_path / "home", NOW, index_vectors=False)
    async with Palaver.open(tmp_path / "home", clock=lambda: NOW, index_vectors=False) as palaver:
        shown = (await palaver.conversations(limit=50)).conversations
        archived = (await palaver.conversations(archived=True)).conversations
        assert len(shown) + len(archived) == written - 1
        days = (await palaver.continuous.days()).days
        assert len(days) == 4
        assert all(day.summary_markdown for day in days)
        loops = [
            loop for day in days for loop in (await palaver.continuous.day(day.day_label)).loops
        ]
        assert any(loop.closed for loop in loops)
        assert all(one.title for one in shown)
        external = (await palaver.external.page()).external
        assert [one.escalated for one in external] == [True, True, False]
        said = await palaver.fetch(shown[0].id)
        assert await palaver.verify() == []
    assert QUESTION in [one.content for one in said]
    assert "Max-Age" in said[-1].content
    assert said[-1].sources


async def test_a_home_that_is_used_is_left_alone(tmp_path: Path):
    async with Palaver.open(tmp_path / "home", index_vectors=False) as palaver:
        await palaver.start()
    with pytest.raises(SystemExit, match="has conversations already"):
        await fill(tmp_path / "home", NOW, index_vectors=False)
