"""Every text that the page is told is a payload, in every room: it stays text."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from palaver import Palaver
from palaver.channels.connection import Connection
from palaver.channels.directory import Directory
from palaver.channels.external.records import ExternalChange
from palaver.channels.port import Place, Received
from palaver.conversation.records import NewMessage
from palaver.errors import ChannelRefused
from tests.page.payloads import EVIL
from tests.page.post import OTHER, OWNER
from tests.page.trap import Trap, trapped
from tests.page.walls import full_message, walled
from tests.server.dove import Dove, connected
from tests.server.exchange import exchanged

ROOMS = {
    "/search?q=roses": "Search",
    "/search?q=roses&kind=external": "Search",
    "/external": "External communications",
    "/insights": "Insights",
    "/settings": "Settings",
}


@pytest.fixture
def conversation(home: Path) -> str:
    """One of the two conversations of a home, in which something was said today as well."""

    async def tell() -> str:
        by = connected(Dove())
        channels = Directory([by])
        async with Palaver.open(home, index_vectors=False, channels=channels) as palaver:
            asked = NewMessage(role="user", content="Which roses? I will ask Ann tomorrow.")
            answer = full_message("The red roses. What colour is the wall?")
            conversations = [await palaver.start(title="The garden") for _ in range(2)]
            for conversation in conversations:
                await palaver.append_many(conversation.id, [asked, answer])
            continuous = await palaver.continuous.ensure()
            await palaver.append_many(continuous.id, [asked, answer])
            today = (await palaver.continuous.today()).day
            await palaver.continuous.edit(today, "## Summary\nRoses.\n\n## Decisions\n- Red ones.")
            made = await exchanged(palaver, "red roses")
            known = ExternalChange(trust="known", policy="draft", scope="Roses alone.")
            await palaver.external.change(made.id, known)
            await _sing(palaver, by)
            return conversations[0].id

    with ThreadPoolExecutor(1) as another:  # the browser has a loop in this one
        return another.submit(lambda: asyncio.run(tell())).result()


async def _sing(palaver: Palaver, by: Connection) -> None:
    """Somebody answers in a group, in which others read along."""
    choir = Place("group", "choir", "The choir")
    asked = Received("m1", choir, OWNER, "Who sings?", others=[OTHER])
    told = Received("m2", choir, OTHER, "Me.", others=[OWNER], addressed=False)
    for one in (asked, told):
        await palaver.correspondence.take(by, one)
        await palaver.correspondence.settle()
        await palaver.finish_replies()
        await palaver.correspondence.deliver()


def _failing() -> Connection:
    """A channel that says what is wrong."""
    return connected(Dove(trouble=[ChannelRefused("The roses are red.", remedy="Cut them.")]))


pytestmark = pytest.mark.timeout(180)
"""Hundreds of payloads in each field are slow to lay out."""


@pytest.mark.parametrize("has_policy", [True, False], ids=["both walls", "no policy"])
def test_it_stays_text(chromium: Browser, home: Path, conversation: str, has_policy: bool):
    with (
        walled(home, has_policy=has_policy, channels=[_failing()]) as site,
        trapped(chromium, site) as trap,
    ):
        _look_everywhere(trap, conversation)
    assert (trap.ran, trap.tried, trap.violations) == ([], [], [])


def test_the_policy_alone_holds(
    chromium: Browser, home: Path, conversation: str, unsanitised: Path
):
    with (
        walled(home, built=unsanitised, channels=[_failing()]) as site,
        trapped(chromium, site) as trap,
    ):
        _look_everywhere(trap, conversation)
    assert (trap.ran, trap.asked) == ([], [])
    assert trap.violations, "The policy had something to do."


def _look_everywhere(trap: Trap, conversation: str) -> None:
    trap.poisons = True
    page = trap.open(f"/c/{conversation}")
    expect(page.locator("article[id^=msg-]")).to_have_count(2)
    _unfold(page)
    listed = page.get_by_role("navigation", name="Conversations").get_by_role("link")
    expect(listed).to_have_count(3)
    for one in listed.all():
        expect(one).to_contain_text(EVIL)
    page.get_by_role("button", name="Context", exact=True).click()
    expect(page.get_by_role("heading", name="What the model")).to_be_visible()
    expect(page.locator(".inspector details").first).to_contain_text(EVIL)
    page = trap.open("/continuous")
    summary = page.get_by_role("region", name="Day summary", exact=True)
    expect(summary.get_by_role("listitem").first).to_contain_text(EVIL)
    expect(page.locator("article[id^=msg-]")).to_have_count(2)
    _unfold(page)
    page = trap.open("/external")
    page.get_by_role("region", name="Need you").get_by_role("link").click()
    said = page.get_by_role("article")
    expect(said).to_have_count(3)
    for article in said.all():
        expect(article).to_contain_text(EVIL)
    expect(page.get_by_role("heading", level=1)).to_contain_text(EVIL)
    expect(page.get_by_role("region", name="When they write")).to_contain_text(EVIL)
    expect(page.get_by_role("status").first).to_contain_text(EVIL)  # the channel that fails
    page = trap.open("/")
    page.get_by_role("region", name="Channels", exact=True).get_by_role("link").click()
    expect(page.get_by_role("note").filter(has_text="along.")).to_contain_text(EVIL)
    for path, heading in ROOMS.items():
        page = trap.open(path)
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text(EVIL)


def _unfold(page: Page) -> None:
    page.evaluate("for (const fold of document.querySelectorAll('.talk-fold')) fold.open = true")
    expect(page.locator(".talk-fold:has(> .talk-fold-inside)").first).to_be_attached()
    expect(page.locator(".talk-fold:not(:has(> .talk-fold-inside))")).to_have_count(0)
