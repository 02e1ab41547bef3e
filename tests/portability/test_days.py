"""Days as files: every message in exactly one of them, whatever it says."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import UTC
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.conversation.records import Choices
from palaver.index.port import Day
from palaver.index.records import StoredSummary
from palaver.ledger.lines import event
from palaver.portability import (
    Format,
    all_conversations,
    export_conversations,
    export_everything,
    export_folder,
    html,
    markdown,
)
from palaver.settings import Settings
from tests.library import Clock
from tests.portability.test_formats import HOSTILE, Outline, blocks

SATURDAY = "2026-02-14"


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as opened:
        yield opened


async def live(palaver: Palaver, clock: Clock) -> str:
    """Five days, the last two in Tokyo; a summary of the first one."""
    conversation = (await palaver.continuous.ensure()).id
    await palaver.append(conversation, "system", "word-0")
    for number in range(1, 12):
        if number == 9:
            await palaver.set_me(Choices(timezone="Asia/Tokyo"))
        await palaver.append(conversation, "user", f"word-{number}")
        await palaver.append(conversation, "assistant", f"word-{number} too")
        if number % 3 == 0:
            clock.advance(days=1, hours=3)
    told = {"summary": "## Summary\nWords.\n\n## Decisions\n- Tea.", "through": 3, "covers": 8}
    drafts = [event(conversation, "day_summary", day=SATURDAY, by="offline", **told)]
    await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]
    return conversation


def day(summary: str) -> Day:
    told = StoredSummary(seq=1, kind="x", text=summary, through=1, made="", sources=[])
    return Day(SATURDAY, "day-1", "Europe/Berlin", "", 1, 1, True, 3, told)


@pytest.mark.parametrize("form", ["markdown", "html"])
async def test_each_day_has_a_file(
    palaver: Palaver, clock: Clock, tmp_path: Path, form: Format
) -> None:
    other = await palaver.start(title="Another")
    await palaver.append(other.id, "user", "elsewhere")
    await live(palaver, clock)
    target = tmp_path / "out"
    await export_folder(palaver, await all_conversations(palaver), form, target)
    ending = {"markdown": ".md", "html": ".html"}[form]
    files = written(target)
    labels = [f"2026-02-{number}" for number in range(14, 19)]
    named = {f"continuous/{label}{ending}" for label in labels}
    assert set(files) == {*named, f"{other.id}{ending}", f"index{ending}"}
    found = [re.findall(r"word-\d+", files[f"continuous/{label}{ending}"]) for label in labels]
    every = ["word-0", *(f"word-{number}" for number in range(1, 12) for _ in "ab")]
    assert [word for one in found for word in one] == every
    assert [len(set(one)) for one in found] == [4, 3, 2, 1, 2]
    index = files[f"index{ending}"]
    assert "Saturday, 14 February 2026" in index
    assert index.count("continuous/") == 5
    assert "Asia/Tokyo" in files[f"continuous/2026-02-17{ending}"]
    assert "Decisions" in files[f"continuous/{SATURDAY}{ending}"]


def written(folder: Path) -> dict[str, str]:
    every = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in every}


async def test_the_lines_of_it_are_one_file(palaver: Palaver, clock: Clock, tmp_path: Path) -> None:
    conversation = await live(palaver, clock)
    target = tmp_path / "out"
    await export_folder(palaver, await all_conversations(palaver), "jsonl", target)
    assert set(written(target)) == {f"{conversation}.jsonl", "index.jsonl"}


async def test_one_document_tells_it_day_by_day(palaver: Palaver, clock: Clock) -> None:
    conversation = await live(palaver, clock)
    alone = export_conversations(palaver, [conversation], "markdown", UTC)
    whole = b"".join([piece async for piece in alone]).decode()
    headings = [line for line in whole.split("\n") if line.startswith("#")]
    assert headings[:5] == [
        "# Continuous conversation",
        "## Saturday, 14 February 2026",
        "### Summary",
        "### Decisions",
        "### Messages",
    ]
    assert len(re.findall(r"word-\d+", whole)) == 23
    everything = b"".join([piece async for piece in export_everything(palaver, "markdown", UTC)])
    assert everything.decode() == whole


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_summary_says_stays_in_it(text: str) -> None:
    for told in (text, f"- {text}", f"## {text}"):
        tags = set(Outline(html.day(day(told), 1)).tags)
        assert tags <= {"h1", "h2", "dl", "dt", "dd", "ul", "li", "p", "strong", "code"}
        tokens = blocks(markdown.day(day(told), 1))
        types = {child.type for token in tokens for child in token.children or ()}
        assert not {"html_inline", "image", "link_open"} & types
        assert not {"html_block", "fence", "code_block", "hr"} & {token.type for token in tokens}
        assert all(token.level == 0 for token in tokens if token.type == "heading_open")


def test_a_day_looks_like_this() -> None:
    text = "## Summary\nWe spoke of **tea**.\n\n## Open loops\n- Buy `milk`.\n- Ask Ann."
    assert markdown.day(day(text), 1) == (
        "# Saturday, 14 February 2026\n\n"
        "- Day: 2026-02-14\n- Time zone: Europe/Berlin\n- Messages: 3\n\n"
        "## Summary\n\nWe spoke of **tea**.\n\n"
        "## Open loops\n\n- Buy `milk`.\n- Ask Ann.\n\n"
        "## Messages\n\n"
    )
