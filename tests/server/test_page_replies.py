"""Replies on the page, in a real browser: as they come, stopped, failed, and made again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.server.site import Site, running_site
from tests.server.speaker import Model
from tests.server.test_page import chromium, page, tab

__all__ = ["chromium", "page", "tab"]


@pytest.fixture
def site(tmp_path: Path, model: Model) -> Iterator[Site]:
    with running_site(tmp_path / "home") as site:
        yield site
        model.go_on.set()


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()


def replies(page: Page) -> Locator:
    return page.get_by_role("article", name="Assistant")


def stop(page: Page) -> Locator:
    return page.get_by_role("button", name="Stop")


def test_a_reply_is_shown_as_it_comes(page: Page, model: Model):
    model.words = ["It **is** ", "…", "blue."]
    say(page, "What colour?")
    expect(replies(page)).to_contain_text("It is")
    expect(replies(page)).to_have_attribute("aria-busy", "true")
    say(page, "And why?")
    expect(page.get_by_role("article", name="You")).to_have_count(2)
    expect(page.locator("article.pending")).to_have_count(0)  # it is stored already
    expect(stop(page)).to_be_visible()
    assert re.search("/c/conv-", page.url)
    model.go_on.set()
    expect(replies(page)).to_have_count(2)
    for number in range(2):
        expect(replies(page).nth(number)).to_contain_text("It is blue.")
    expect(stop(page)).to_be_hidden()


def test_a_reply_is_stopped_and_made_again(page: Page, model: Model):
    model.words = ["It is ", "…", "blue."]
    say(page, "What colour?")
    model.reached.wait(10)
    stop(page).click()
    expect(replies(page)).to_contain_text("Interrupted.")
    expect(replies(page)).to_contain_text("It is")
    expect(stop(page)).to_be_hidden()
    model.words = ["Green."]
    page.get_by_role("button", name="Regenerate").click()
    expect(replies(page)).to_contain_text("Green.")
    expect(replies(page)).to_have_count(1)
    expect(page.get_by_text("Interrupted.")).to_have_count(0)


def test_a_failure_is_told_and_can_be_tried_again(page: Page, model: Model):
    model.words = ["busy"]
    say(page, "What colour?")
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    expect(page.get_by_role("article", name="You")).to_contain_text("What colour?")
    model.words = ["It is blue."]
    again.click()
    expect(replies(page)).to_contain_text("It is blue.")
    expect(again).to_have_count(0)
    expect(replies(page)).to_have_count(1)


def test_a_reload_joins_the_reply(page: Page, model: Model):
    model.words = ["It is ", "…", "blue."]
    say(page, "What colour?")
    expect(replies(page)).to_contain_text("It is")
    page.reload()
    expect(replies(page)).to_contain_text("It is")
    model.go_on.set()
    expect(replies(page)).to_contain_text("It is blue.")
    expect(replies(page)).to_have_count(1)


def test_another_conversation_is_left_alone(page: Page, model: Model):
    """What is written in a new conversation stays there while another one is answered."""
    say(page, "Hello")
    expect(replies(page)).to_contain_text("blue.")
    here, model.words = page.url, ["…", "Green."]
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/chat", hold)
    say(page, "Slowly")
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("textbox", name="Message").fill("A draft for later")
    held[0].continue_()
    model.reached.wait(10)
    expect(page.get_by_role("textbox", name="Message")).to_have_value("A draft for later")
    page.goto(here)
    expect(page.get_by_text("Slowly")).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")


def test_two_conversations_are_answered_at_once(page: Page, model: Model):
    model.words = ["It is ", "…", "blue."]
    say(page, "First")
    expect(replies(page)).to_contain_text("It is")
    first = page.url
    page.get_by_role("button", name="New conversation").click()
    expect(replies(page)).to_have_count(0)
    say(page, "Second")
    expect(replies(page)).to_contain_text("It is")
    assert page.url != first
    page.go_back()
    expect(page.get_by_text("First")).to_be_visible()
    expect(replies(page)).to_contain_text("It is")
    model.go_on.set()
    expect(replies(page)).to_contain_text("It is blue.")
