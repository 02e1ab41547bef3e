"""Channels on the page: conversations that are held elsewhere, and what others write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from palaver.channels.port import Person, Place
from palaver.errors import ChannelRefused
from tests.page.elements import box, conversations, own, replies, write
from tests.page.post import OTHER, OWNER, Post, posted
from tests.page.visits import Visits

WORDS = "a **flat** for rent"


@pytest.fixture
def post(home: Path) -> Iterator[Post]:
    with posted(home) as post:
        yield post


@pytest.fixture
def api(post: Post) -> Iterator[httpx.Client]:
    with post.site.program() as client:
        yield client


@pytest.fixture
def page(post: Post, visits: Visits) -> Page:
    return visits.tab(post.site)


def link(page: Page) -> Locator:
    pages = page.get_by_role("navigation", name="Pages")
    return pages.get_by_role("link", name=re.compile("^External communications"))


def told(api: httpx.Client) -> dict[str, Any]:
    """The only exchange."""
    (one,) = api.get("/api/external").raise_for_status().json()["external"]
    return one


def draft(page: Page) -> Locator:
    return page.get_by_role("article", name=re.compile("^Draft to"))


def opened(post: Post, page: Page) -> None:
    """The page shows an exchange with a draft and with a reply that could not be delivered."""
    made = post.exchange(WORDS)
    page.goto(f"{post.site.url}/external/{made.id}")
    expect(draft(page)).to_be_focused()


# -- what others write --------------------------------------------------------------------------


def test_who_writes_is_counted_at_once_and_seen_when_it_is_opened(page: Page, post: Post):
    expect(link(page)).to_have_accessible_name("External communications")
    post.write("Is the <b>flat</b> **free**?\n\n![x](https://stranger.invalid/x.png)")
    expect(link(page)).to_have_accessible_name("External communications 1 needs you")
    link(page).click()
    needing = page.get_by_role("region", name="Need you")
    needing.get_by_role("link", name="Bob", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/external/ext-"))
    theirs = page.get_by_role("article", name="Bob", exact=True)
    expect(theirs).to_contain_text("Is the <b>flat</b> **free**?")
    expect(theirs.locator("img, b, strong")).to_have_count(0)
    expect(page.get_by_text("You have seen it.")).to_be_visible()
    expect(link(page)).to_have_accessible_name("External communications")
    page.go_back()
    expect(page.get_by_role("region", name="All", exact=True)).to_contain_text("Bob")


def test_an_empty_page_leads_to_the_channels(page: Page):
    page.keyboard.press("Control+k")
    page.keyboard.type("external comm")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="See your channels").click()
    expect(page.get_by_role("region", name="Channels", exact=True)).to_be_in_viewport()


def test_a_list_changes_live(page: Page, post: Post):
    page.goto(f"{post.site.url}/external")
    expect(page.get_by_role("link", name="See your channels")).to_be_visible()
    post.write("Hello?")
    expect(page.get_by_role("region", name="Need you")).to_contain_text("Bob")
    page.get_by_role("region", name="Need you").get_by_role("link").click()
    expect(page.get_by_role("article", name="Bob", exact=True)).to_have_count(1)
    expect(page.get_by_text("You have seen it.")).to_be_visible()
    post.write("Still there?")
    expect(page.get_by_role("article", name="Bob", exact=True)).to_have_count(2)
    page.get_by_role("button", name="I have seen it").click()
    expect(page.get_by_role("button", name="I have seen it")).to_have_count(0)


# -- answering -----------------------------------------------------------------------------------


def test_the_owner_answers_in_their_own_words(page: Page, post: Post):
    post.write("Is the flat free?")
    page.goto(f"{post.site.url}/external")
    page.get_by_role("region", name="Need you").get_by_role("link").click()
    answer = page.get_by_role("textbox", name="Answer", exact=True)
    answer.fill("Come on Monday.")
    page.reload()
    expect(answer).to_have_value("Come on Monday.")
    page.get_by_role("button", name="Send answer").click()
    mine = page.get_by_role("article", name="You", exact=True)
    expect(mine).to_contain_text("Come on Monday.")
    expect(mine.get_by_text("Sent", exact=True)).to_be_visible()
    expect(answer).to_have_value("")
    assert post.sent[-1] == "Come on Monday."


# -- finding -------------------------------------------------------------------------------------


def test_what_they_wrote_is_found_and_leads_to_the_message(page: Page, post: Post):
    post.write("Is the <b>flat</b> free?\n\n![x](https://stranger.invalid/x.png)")
    page.goto(f"{post.site.url}/search?q=flat")
    expect(page.get_by_role("heading", name="Nothing was found")).to_be_visible()
    page.get_by_role("radio", name="External").check()
    result = page.get_by_role("list", name="Results").get_by_role("link")
    expect(result).to_contain_text("Bob wrote")
    expect(result).to_contain_text("Not trusted")
    expect(result).to_contain_text("Is the <b>flat</b> free?")
    expect(result.locator("img, b")).to_have_count(0)
    result.click()
    expect(page).to_have_url(re.compile("/external/ext-.*#msg-"))
    expect(page.get_by_role("article", name="Bob", exact=True)).to_be_focused()
    page.go_back()
    expect(result).to_be_focused()


# -- drafts --------------------------------------------------------------------------------------


def test_a_draft_is_approved_by_a_key(page: Page, post: Post):
    opened(post, page)
    page.keyboard.press("a")
    expect(draft(page)).to_have_count(0)
    sent = page.get_by_role("article", name="Reply", exact=True).last
    expect(sent).to_contain_text(f"Yes, {WORDS}.")
    expect(sent.get_by_text("Sent", exact=True)).to_be_visible()
    assert post.sent == [f"Yes, {WORDS}."]


def test_a_draft_is_edited_and_what_is_half_typed_is_kept(page: Page, post: Post):
    opened(post, page)
    page.keyboard.press("e")
    instead = page.get_by_role("textbox", name="What is sent instead")
    instead.fill("No, sorry.")
    page.reload()
    draft(page).get_by_role("button", name=re.compile("^Edit")).click()
    expect(instead).to_have_value("No, sorry.")
    page.keyboard.press("Control+Enter")
    expect(draft(page)).to_have_count(0)
    mine = page.get_by_role("article", name="You", exact=True)
    expect(mine).to_contain_text("No, sorry.")
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    assert post.sent == ["No, sorry."]


def test_a_draft_is_rejected_unless_that_is_undone(page: Page, post: Post, api: httpx.Client):
    opened(post, page)
    page.keyboard.press("r")
    expect(draft(page)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    draft(page).focus()
    page.keyboard.press("r")
    expect(page.get_by_text("Nothing was sent.")).to_be_visible()
    assert told(api)["drafts"] == 0
    assert post.sent == []


def test_what_was_not_delivered_says_why_and_is_sent_again(page: Page, post: Post):
    opened(post, page)
    failed = page.get_by_role("article", name="Reply", exact=True)
    expect(failed).to_contain_text("Not delivered.")
    failed.get_by_role("button", name="Send again").click()
    expect(failed.get_by_text("Sent", exact=True)).to_be_visible()
    assert post.sent == [f"No {WORDS}."]


# -- how they are treated -------------------------------------------------------------------------


def test_trust_policy_and_scope_are_changed_and_returned(page: Page, post: Post, api: httpx.Client):
    opened(post, page)
    page.get_by_role("button", name="Change…").click()
    form = page.get_by_role("form", name="How they are treated")
    expect(form.get_by_role("radio", name="Answer")).to_be_disabled()
    form.get_by_role("radio", name="Known").check()
    form.get_by_role("radio", name="Answer").check()
    form.get_by_role("textbox").fill("Opening hours.")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    expect(page.get_by_text("Opening hours.")).to_be_visible()
    one = told(api)
    assert (one["trust"], one["policy"], one["scope"]) == ("known", "answer", "Opening hours.")
    page.get_by_role("button", name="Change…").click()
    form.get_by_role("button", name="Follow the settings again").click()
    expect(page.get_by_text("As your settings say.")).to_be_visible()
    assert told(api)["decided"] == []


def test_an_exchange_is_erased_after_a_question_with_undo_and_receipt(
    page: Page, post: Post, api: httpx.Client
):
    opened(post, page)
    page.keyboard.press("Delete")
    page.get_by_role("dialog").get_by_role("button", name="Erase 2 messages").click()
    expect(page.get_by_role("link", name="See your channels")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("region", name="Need you").get_by_role("link").click()
    page.get_by_role("button", name="Erase this exchange").click()
    page.get_by_role("dialog").get_by_role("button", name="Erase 2 messages").click()
    expect(page.get_by_text(re.compile("^Erased 2 messages"))).to_be_visible()
    assert api.get("/api/external").json()["external"] == []


# -- conversations of a channel -------------------------------------------------------------------


def test_a_conversation_of_a_channel_is_shown_here_and_written_there(page: Page, post: Post):
    post.write("What is the capital of France?", OWNER)
    channels = page.get_by_role("region", name="Channels", exact=True)
    channels.get_by_role("link").click()
    expect(own(page)).to_contain_text("capital of France")
    expect(replies(page).get_by_text("Sent", exact=True)).to_be_visible()
    note = page.get_by_role("note")
    expect(note).to_contain_text("goes on in WhatsApp")
    expect(box(page)).to_have_count(0)
    post.write("/new", OWNER)
    expect(box(page)).to_be_visible()
    before = len(post.sent)
    write(page, "And of Spain?")
    expect(replies(page)).to_have_count(2)
    assert len(post.sent) == before
    expect(conversations(page)).to_have_count(2)


def test_a_reply_that_did_not_arrive_stands_with_its_reason(page: Page, post: Post):
    post.dove.fails.append(ChannelRefused("The number is gone.", remedy="Write to another one."))
    post.write("Hello", OWNER)
    page.get_by_role("region", name="Channels", exact=True).get_by_role("link").click()
    reply = replies(page)
    expect(reply).to_contain_text("The number is gone.")
    reply.get_by_role("button", name="Send again").click()
    expect(reply.get_by_text("Sent", exact=True)).to_be_visible()


def test_where_others_read_along_it_says_who_and_that_nothing_else_is_told(page: Page, post: Post):
    choir = Place("group", "choir", "The choir")
    everybody = [OTHER, Person("cem", "Cem")]
    post.write("Who sings?", OWNER, place=choir, others=everybody)
    post.write("Me!", OTHER, place=choir, others=[OWNER], addressed=False)
    page.get_by_role("link", name="The choir").click()
    note = page.get_by_role("note").filter(has_text="read along")
    expect(note).to_contain_text("Bob")
    expect(note).to_contain_text("no memories")
    expect(page.get_by_role("article", name="Bob", exact=True)).to_contain_text("Me!")


# -- settings -------------------------------------------------------------------------------------


def test_a_channel_tells_how_it_fares_and_is_tested(page: Page, post: Post):
    page.goto(f"{post.site.url}/settings#channels")
    section = page.get_by_role("region", name="Channels", exact=True).filter(has_text="WhatsApp")
    expect(section).to_contain_text("Connected since today")
    expect(section).to_contain_text(f"{post.site.url}/channels/whatsapp")
    section.get_by_role("button", name="Test WhatsApp").click()
    expect(section.get_by_text("It flies.")).to_be_visible()
    post.dove.trouble.append(ChannelRefused("The token is refused.", remedy="Set another one."))
    section.get_by_role("button", name="Test WhatsApp").click()
    expect(section.get_by_text("The token is refused. Set another one.")).to_be_visible()


# -- on a phone -----------------------------------------------------------------------------------


def test_everything_can_be_done_on_a_phone(post: Post, visits: Visits):
    made = post.exchange(WORDS)
    page = visits.phone(post.site, path=f"/external/{made.id}")
    draft(page).get_by_role("button", name=re.compile("^Approve")).tap()
    expect(draft(page)).to_have_count(0)
    page.get_by_role("link", name="External communications").tap()
    expect(page.get_by_role("heading", name="External communications")).to_be_visible()
    beyond = page.evaluate("document.documentElement.scrollWidth - screen.width")
    assert beyond <= 0
