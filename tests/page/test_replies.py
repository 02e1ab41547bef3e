"""Replies on the page, in a real browser: as they come, stopped, failed, and made again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.models.script import Hold, Text, Thinking, Used
from tests.models.server import ModelServer
from tests.page.elements import box, own, replies, stop, write
from tests.page.visits import Visits
from tests.page.witness import UNREACHABLE
from tests.server.site import Site
from tests.server.speaker import Model

SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) shifted += one.value;
  }).observe({ type: "layout-shift", buffered: false });
}"""

BELOW = """one => one.getBoundingClientRect().top
  - one.closest(".talk-scroller").getBoundingClientRect().top"""
"""How far something is below the top of the messages."""


def new(page: Page) -> None:
    page.get_by_role("button", name="New conversation", exact=True).first.click()
    expect(page).to_have_url(re.compile(r"/\?new"))


def test_a_reply_is_shown_as_it_comes(model: Model, page: Page):
    model.words = ["It **is** ", "…", "blue."]
    write(page, "What colour?")
    expect(replies(page)).to_contain_text("It is")
    expect(replies(page)).to_have_attribute("aria-busy", "true")
    write(page, "And why?")
    expect(own(page)).to_have_count(2)
    expect(page.locator("article.pending")).to_have_count(0)  # it is stored already
    expect(stop(page)).to_be_visible()
    expect(page).to_have_url(re.compile("/c/conv-"))
    model.go_on.set()
    expect(replies(page)).to_have_count(2)
    for number in range(2):
        expect(replies(page).nth(number)).to_contain_text("It is blue.")
    expect(stop(page)).to_have_count(0)


def test_a_reply_is_stopped_and_made_again(model: Model, page: Page):
    model.words = ["It is ", "…", "blue."]
    write(page, "What colour?")
    expect(replies(page)).to_contain_text("It is")
    stop(page).click()
    expect(replies(page)).to_contain_text("Interrupted.")
    expect(replies(page)).to_contain_text("It is")
    expect(stop(page)).to_have_count(0)
    expect(box(page)).to_be_focused()
    model.words = ["Green."]
    replies(page).hover()
    page.get_by_role("button", name="Regenerate").click()
    expect(replies(page)).to_contain_text("Green.")
    expect(replies(page)).to_have_count(1)
    expect(page.get_by_text("Interrupted.")).to_have_count(0)


CUTTABLE = """() => {
  const Real = window.WebSocket, open = new Set();
  window.WebSocket = function (address) {
    const socket = new Real(window.isCut ? `ws://${location.host}/nowhere` : address);
    open.add(socket);
    return socket;
  };
  window.cut = () => {
    window.isCut = true;
    for (const one of open) one.close();
  };
}"""
"""After `cut()` there is no socket any more, while all else answers."""


def test_a_reply_is_stopped_without_a_socket(model: Model, site: Site, visits: Visits):
    profile = visits.profile()
    profile.add_init_script(f"({CUTTABLE})()")
    page = visits.tab(site, into=profile)
    visits.witness(page).allow(UNREACHABLE)
    model.words = ["It is ", "…", "blue."]
    write(page, "What colour?")
    expect(replies(page)).to_contain_text("It is")
    page.evaluate("cut()")
    with page.expect_response(re.compile("/stop$")) as answer:
        stop(page).click()
    assert answer.value.json() == {"stopped": True}
    expect(replies(page)).to_contain_text("Interrupted.")
    expect(stop(page)).to_have_count(0)


def test_while_it_is_made_again_only_the_new_reply_is_seen(model: Model, page: Page):
    write(page, "What colour?")
    expect(replies(page)).to_contain_text("It is blue.")
    model.words = ["Gre", "…", "en."]
    replies(page).hover()
    page.get_by_role("button", name="Regenerate").click()
    expect(replies(page)).to_have_text(re.compile("Gre$"))
    expect(replies(page)).to_have_count(1)
    model.go_on.set()
    expect(replies(page)).to_contain_text("Green.")


def test_a_failure_is_told_and_can_be_tried_again(model: Model, page: Page):
    model.words = ["busy"]
    write(page, "What colour?")
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    expect(own(page)).to_contain_text("What colour?")
    model.words = ["It is blue."]
    again.click()
    expect(replies(page)).to_contain_text("It is blue.")
    expect(again).to_have_count(0)
    expect(replies(page)).to_have_count(1)


def test_a_reload_joins_the_reply(model: Model, page: Page):
    model.words = ["It is ", "…", "blue."]
    write(page, "What colour?")
    expect(replies(page)).to_contain_text("It is")
    page.reload()
    expect(replies(page)).to_contain_text("It is")
    model.go_on.set()
    expect(replies(page)).to_contain_text("It is blue.")
    expect(replies(page)).to_have_count(1)


def test_another_conversation_is_left_alone(model: Model, page: Page):
    """What is written in a new conversation stays there while another one is answered."""
    write(page, "Hello")
    expect(replies(page)).to_contain_text("blue.")
    here, model.words = page.url, ["…", "Green."]
    write(page, "Slowly")
    new(page)
    box(page).fill("A draft for later")
    model.reached.wait(10)
    expect(box(page)).to_have_value("A draft for later")
    model.go_on.set()
    page.goto(here)
    expect(own(page).last).to_contain_text("Slowly")
    expect(box(page)).to_have_value("")


def test_two_conversations_are_answered_at_once(model: Model, page: Page):
    model.words = ["It is ", "…", "blue."]
    write(page, "First")
    expect(replies(page)).to_contain_text("It is")
    first = page.url
    new(page)
    expect(replies(page)).to_have_count(0)
    write(page, "Second")
    expect(replies(page)).to_contain_text("It is")
    assert page.url != first
    page.go_back()
    expect(own(page)).to_contain_text("First")
    expect(replies(page)).to_contain_text("It is")
    model.go_on.set()
    expect(replies(page)).to_contain_text("It is blue.")


def test_a_long_reply_is_followed_and_moves_nothing(model: Model, page: Page):
    paragraphs = [f"Paragraph {number} of a long reply.\n\n" for number in range(60)]
    model.words = [*paragraphs[:30], "…", *paragraphs[30:]]
    write(page, "Tell me all.")
    expect(replies(page)).to_contain_text("Paragraph 29")
    page.evaluate(SHIFTS)
    model.go_on.set()
    last = replies(page).get_by_text("Paragraph 59 of")
    expect(last).to_be_in_viewport()
    expect(replies(page)).to_have_attribute("aria-busy", "false")
    assert page.evaluate("shifted") <= 0.05


def test_who_has_scrolled_up_is_left_there_while_a_reply_comes(model: Model, page: Page):
    paragraphs = [f"Paragraph {number} of a long reply.\n\n" for number in range(60)]
    model.words = [*paragraphs[:40], "…", *paragraphs[40:]]
    write(page, "Tell me all.")
    expect(replies(page).get_by_text("Paragraph 39 of")).to_be_in_viewport()
    page.mouse.move(700, 300)
    page.mouse.wheel(0, -1200)
    expect(page.get_by_role("button", name="Jump to the latest")).to_be_visible()
    read = replies(page).get_by_text("Paragraph 10 of")
    read.scroll_into_view_if_needed()
    before = read.evaluate(BELOW)
    model.go_on.set()
    expect(replies(page)).to_have_attribute("aria-busy", "false")
    assert read.evaluate(BELOW) == pytest.approx(before, abs=1)


def test_thinking_is_folded_and_what_it_cost_is_told(provider: ModelServer, page: Page):
    hold = Hold()
    provider.script(Thinking("Two colours fit."), hold, Text("It is blue."), Used(1200, 34))
    write(page, "What colour?")
    hold.reached.wait(10)
    expect(replies(page).get_by_text("Thinking…")).to_be_visible()
    hold.release()
    expect(replies(page)).to_contain_text("It is blue.")
    replies(page).get_by_text("Thought for a moment").click()
    expect(replies(page).get_by_text("Two colours fit.")).to_be_visible()
    replies(page).hover()
    replies(page).get_by_role("button", name="Details").click()
    expect(replies(page).get_by_role("definition").filter(has_text="1,200")).to_be_visible()
