"""Nothing that was said is lost, or said twice, whatever becomes of server, page and tabs."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.models.script import Hold, Text
from tests.models.server import ModelServer
from tests.page.elements import answered, box, conversations, own, replies, write
from tests.page.served import Served
from tests.page.visits import Visits
from tests.page.witness import UNREACHABLE
from tests.server.site import Site
from tests.server.speaker import Model

pytestmark = pytest.mark.timeout(150)
"""Servers are started twice, beside a browser."""

BEGUN = re.compile("/c/conv-")


def stored(page: Page) -> list[str]:
    """Everything that people have said, in all conversations, as the server has it."""
    return page.evaluate(
        """async () => {
            const ask = (path) => fetch(path).then((answer) => answer.json());
            const { conversations } = await ask('/api/conversations');
            const found = await Promise.all(
                conversations.map(({ id }) => ask(`/api/conversations/${id}/messages`)));
            return found.flatMap(({ messages }) => messages)
                .filter(({ role }) => role === 'user').map(({ content }) => content);
        }"""
    )


def kept(page: Page) -> int:
    """How many unsent messages the browser keeps."""
    return page.evaluate(
        "Object.keys(localStorage).filter(name => name.startsWith('palaver.outbox.')).length"
    )


# -- the server is away -----------------------------------------------------------------------


def test_what_is_said_to_nobody_is_sent_when_somebody_is_there(served: Served, tab: Page):
    page = served.open(tab)
    write(page, "The first words.")
    answered(page)
    served.kill()
    write(page, "Into the void.")
    write(page, "And again.")
    expect(own(page)).to_have_count(3)
    assert kept(page) == 2
    served.start()
    answered(page, 3)
    expect(own(page)).to_have_count(3)
    assert stored(page) == ["The first words.", "Into the void.", "And again."]
    assert kept(page) == 0


def test_it_outlives_the_page(served: Served, tab: Page):
    page = served.open(tab)
    write(page, "The first words.")
    answered(page)
    expect(page).to_have_url(BEGUN)
    here = page.url
    served.kill()
    write(page, "Into the void.")
    expect(own(page)).to_have_count(2)
    page.goto("about:blank")
    served.start()
    page.goto(here)
    expect(own(page)).to_have_count(2)
    answered(page, 2)
    assert stored(page) == ["The first words.", "Into the void."]
    assert kept(page) == 0


def test_a_conversation_that_could_not_begin_begins_later(served: Served, tab: Page):
    page = served.open(tab)
    expect(box(page)).to_be_focused()
    served.kill()
    write(page, "Nobody hears this yet.")
    write(page, "Nor this.")
    expect(own(page)).to_have_count(2)
    page.goto("about:blank")
    served.start()
    page.goto(f"{served.url}/")
    expect(page).to_have_url(BEGUN)
    answered(page, 2)
    assert stored(page) == ["Nobody hears this yet.", "Nor this."]
    expect(conversations(page)).to_have_count(1)


def test_a_server_that_is_killed_in_mid_reply_answers_when_it_is_back(
    provider: ModelServer, served: Served, tab: Page
):
    provider.script(Text("It is "), hold := Hold(), Text("lost."))
    page = served.open(tab)
    write(page, "What colour is it?")
    expect(replies(page)).to_contain_text("It is")
    assert hold.reached.wait(20)
    served.kill()
    provider.script(Text("It is blue."))
    served.start()
    expect(replies(page)).to_have_text(re.compile("It is blue"))
    answered(page)
    expect(own(page)).to_have_count(1)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    assert stored(page) == ["What colour is it?"]
    hold.release()


# -- the page is left -------------------------------------------------------------------------


def test_a_reply_goes_on_after_a_reload(model: Model, page: Page):
    model.words = ["It ", "is ", "…", "blue."]
    write(page, "What colour is it?")
    expect(page).to_have_url(BEGUN)
    expect(replies(page)).to_contain_text("It is")
    page.reload()
    expect(replies(page)).to_contain_text("It is")
    expect(replies(page)).not_to_contain_text("blue")
    model.go_on.set()
    expect(replies(page)).to_contain_text("It is blue.")
    answered(page)
    expect(own(page)).to_have_count(1)


def test_another_conversation_and_back_in_mid_reply(model: Model, page: Page):
    model.words = ["It ", "is ", "…", "blue."]
    write(page, "What colour is it?")
    expect(page).to_have_url(BEGUN)
    here = page.url
    expect(replies(page)).to_contain_text("It is")
    page.keyboard.press("Alt+n")
    expect(own(page)).to_have_count(0)
    model.go_on.set()
    page.goto(here)
    expect(replies(page)).to_contain_text("It is blue.")
    answered(page)


# -- several tabs -----------------------------------------------------------------------------


def test_two_tabs_are_in_step(site: Site, visits: Visits, model: Model, api: httpx.Client):
    first = visits.tab(site)
    write(first, "What colour is it?")
    answered(first)
    expect(first).to_have_url(BEGUN)
    here = first.url.removeprefix(site.url)
    second = visits.tab(site, into=first.context, path=here)
    answered(second)
    model.words = ["It ", "…", "changes."]
    write(second, "And now?")
    for tab in (first, second):
        expect(own(tab)).to_have_count(2)
        expect(replies(tab).last).to_contain_text("It")
    model.go_on.set()
    for tab in (first, second):
        expect(replies(tab).last).to_contain_text("It changes.")
        answered(tab, 2)
    api.patch(f"/api/conversations/{here.removeprefix('/c/')}", json={"title": "Colours"})
    for tab in (first, second):
        expect(conversations(tab)).to_contain_text("Colours")


def test_what_a_closed_tab_left_is_sent_by_another(served: Served, tab: Page, visits: Visits):
    first = served.open(tab)
    write(first, "The first words.")
    answered(first)
    expect(first).to_have_url(BEGUN)
    second = first.context.new_page()
    visits.witness(second).allow(UNREACHABLE)
    second.goto(first.url)
    expect(own(second)).to_have_count(1)
    served.kill()
    write(first, "Into the void.")
    expect(own(first)).to_have_count(2)
    first.close()
    served.start()
    expect(own(second)).to_have_count(2)
    answered(second, 2)
    assert stored(second) == ["The first words.", "Into the void."]


def test_a_tab_sends_only_its_own(served: Served, tab: Page):
    first = served.open(tab)
    write(first, "The first words.")
    answered(first)
    expect(first).to_have_url(BEGUN)
    second = first.context.new_page()
    second.goto(first.url)
    expect(own(second)).to_have_count(1)
    served.kill()
    write(first, "From the first.")
    write(second, "From the second.")
    served.start()
    for one in (first, second):
        expect(own(one)).to_have_count(3)
        answered(one, 3)
    assert sorted(stored(first)) == ["From the first.", "From the second.", "The first words."]
    assert kept(first) == 0
