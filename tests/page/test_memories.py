"""Memories: what was learned, with the words it came from, under its owner's control."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.elements import box, own
from tests.page.visits import Visits
from tests.page.witness import REFUSED
from tests.server.site import Site

SAID = "Good morning! Please remember that I am allergic to walnuts. How are you?"
QUOTE = "I am allergic to walnuts"
MARKED = "() => [...(CSS.highlights.get('quoted') ?? [])].map(String)"


@dataclass(frozen=True, slots=True)
class Told:
    """Two memories: one of a message, one that was added by hand."""

    site: Site
    api: httpx.Client
    conversation: str
    message: str

    def add(self, content: str, **more: Any) -> dict[str, Any]:
        body = {"type": "fact", "content": content, **more}
        added: dict[str, Any] = self.api.post("/api/memories", json=body).raise_for_status().json()
        return added

    def all(self, **filters: str) -> list[str]:
        page = self.api.get("/api/memories", params=filters).raise_for_status().json()
        return [memory["content"] for memory in page["memories"]]


@pytest.fixture
def told(site: Site, api: httpx.Client) -> Told:
    here: str = api.post("/api/conversations", json={"title": "Nuts"}).json()["id"]
    path = f"/api/conversations/{here}/messages"
    message: str = api.post(path, json={"role": "user", "content": SAID}).json()["id"]
    api.post(path, json={"role": "assistant", "content": "Noted."}).raise_for_status()
    told = Told(site, api, here, message)
    told.add("Likes green tea.", type="preference", category="food")
    told.add(
        "Allergic to walnuts.",
        category="health",
        sourceConversationId=here,
        sourceMessageId=message,
        quote=QUOTE,
    )
    return told


@pytest.fixture
def memories(told: Told, visits: Visits) -> Page:
    return visits.tab(told.site, path="/memories")


def rows(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("article")


def row(page: Page, content: str) -> Locator:
    return page.get_by_role("article", name=content, exact=True)


def content(page: Page) -> Locator:
    return page.get_by_role("textbox", name="What to remember", exact=True)


def more(page: Page, name: str, item: str) -> None:
    row(page, name).get_by_role("button", name=f"More for “{name}”").click()
    page.get_by_role("menuitem", name=item).click()


# -- the list ---------------------------------------------------------------------------------


def test_the_way_there_and_an_empty_store(page: Page):
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Memories").click()
    expect(page).to_have_url(re.compile("/memories$"))
    page.get_by_role("button", name="Add the first memory").click()
    content(page).fill("The bicycle is in the cellar.")
    page.get_by_role("button", name="Remember", exact=True).click()
    expect(row(page, "The bicycle is in the cellar.")).to_be_visible()
    page.goto(page.url.replace("/memories", "/"))
    expect(box(page)).to_be_focused()
    page.keyboard.press("Alt+m")
    expect(page).to_have_url(re.compile("/memories$"))


def test_they_stand_by_type_and_are_found_as_one_types(memories: Page):
    page = memories
    headings = page.get_by_role("main").get_by_role("heading", level=2)
    expect(headings).to_have_text(["Facts", "Preferences"])
    page.get_by_role("searchbox", name="Search the memories").fill("walnuts")
    expect(rows(page)).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=walnuts$"))
    page.reload()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("searchbox", name="Search the memories").fill("")
    page.get_by_role("combobox", name="Type", exact=True).select_option(label="Preferences")
    expect(rows(page)).to_have_count(1)
    expect(row(page, "Likes green tea.")).to_be_visible()


def test_a_source_leads_to_the_marked_words(memories: Page, told: Told):
    page = memories
    mark = row(page, "Allergic to walnuts.").get_by_role("link", name="Source 1")
    mark.hover()
    expect(page.get_by_role("note").locator("mark")).to_have_text(QUOTE)
    mark.click()
    expect(page).to_have_url(re.compile(f"/c/{told.conversation}#{told.message}$"))
    expect(own(page)).to_be_focused()
    page.wait_for_function(f"({MARKED})().length > 0")
    assert page.evaluate(MARKED) == [QUOTE]
    page.go_back()
    expect(row(page, "Allergic to walnuts.")).to_be_visible()


def test_one_is_edited_pinned_and_archived_by_keys(memories: Page, told: Told):
    page = memories
    row(page, "Likes green tea.").focus()
    page.keyboard.press("e")
    content(page).fill("Likes black tea.")
    page.keyboard.press("Enter")
    changed = row(page, "Likes black tea.")
    expect(changed).to_be_focused()
    page.keyboard.press("p")
    pin = changed.get_by_role("button", name=re.compile("^Pin "))
    expect(pin).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("x")
    expect(changed).to_have_count(0)
    assert told.all(archived="true") == ["Likes black tea."]
    page.get_by_role("button", name="Undo").click()
    expect(changed).to_be_visible()
    page.get_by_role("link", name="Pinned", exact=True).click()
    expect(rows(page)).to_have_count(1)


def test_another_tab_shows_it_at_once(memories: Page, told: Told):
    told.add("The car is blue.")
    expect(row(memories, "The car is blue.")).to_be_visible()


def test_a_password_is_refused_in_the_form(memories: Page, visits: Visits):
    page = memories
    visits.witness(page).allow(REFUSED)
    page.get_by_role("button", name="Add", exact=True).click()
    content(page).fill("My password is hunter2-Correct-Horse.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("form", name="Add a memory").get_by_role("alert")).to_be_visible()
    expect(content(page)).to_have_value("My password is hunter2-Correct-Horse.")
    page.keyboard.press("Escape")
    expect(content(page)).to_have_count(0)


# -- forgetting -------------------------------------------------------------------------------


def test_forgetting_can_be_undone_and_gives_a_receipt(memories: Page, told: Told):
    page = memories
    more(page, "Likes green tea.", "Forget…")
    page.get_by_role("button", name="Forget 1 memory", exact=True).click()
    expect(row(page, "Likes green tea.")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "Likes green tea.")).to_be_visible()
    assert len(told.all()) == 2
    more(page, "Likes green tea.", "Forget…")
    page.get_by_role("button", name="Forget 1 memory", exact=True).click()
    expect(page.get_by_text("Forgot 1 memory.")).to_be_visible()
    assert told.all() == ["Allergic to walnuts."]


def test_the_messages_it_came_from_go_too(memories: Page, told: Told):
    page = memories
    row(page, "Allergic to walnuts.").focus()
    page.keyboard.press("Delete")
    page.get_by_label(re.compile("Also erase the messages")).check()
    page.get_by_role("button", name="Forget 1 memory and erase 1 message").click()
    expect(page.get_by_text("Forgot 1 memory and erased 1 message.")).to_be_visible()
    page.goto(f"{told.site.url}/c/{told.conversation}")
    expect(own(page)).to_contain_text("This message has been erased.")


def test_everything_about_a_word(memories: Page, told: Told):
    page = memories
    page.get_by_role("button", name="More for memories").click()
    page.get_by_role("menuitem", name="Forget everything about a word…").click()
    page.get_by_label("A word, a name, a place").fill("tea")
    goes = page.get_by_role("list", name="What will go")
    expect(goes).to_contain_text("Likes green tea.")
    page.get_by_role("button", name="Forget 1 memory", exact=True).click()
    expect(row(page, "Likes green tea.")).to_have_count(0)
    expect(row(page, "Allergic to walnuts.")).to_be_visible()


def test_everything_from_a_conversation(memories: Page):
    page = memories
    page.get_by_role("button", name="More for memories").click()
    page.get_by_role("menuitem", name="Forget everything from a conversation…").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Nuts")).click()
    page.get_by_role("button", name="Forget 1 memory", exact=True).click()
    expect(rows(page)).to_have_count(1)


# -- learning ---------------------------------------------------------------------------------


def test_extraction_shows_first_what_it_would_add(told: Told, visits: Visits):
    path = f"/api/conversations/{told.conversation}/messages"
    said = {"role": "user", "content": "Please remember that the bins go out on Tuesdays."}
    told.api.post(path, json=said).raise_for_status()
    page = visits.tab(told.site, path=f"/c/{told.conversation}")
    page.get_by_role("button", name="Extract memories", exact=True).click()
    dialog = page.get_by_role("dialog", name="Extract memories")
    expect(dialog).to_contain_text(re.compile("bins", re.IGNORECASE))
    before = len(told.all())
    dialog.get_by_role("button", name=re.compile("^Add ")).click()
    expect(page.get_by_text(re.compile("^Added "))).to_be_visible()
    assert len(told.all()) > before


def test_remember_this(told: Told, visits: Visits):
    page = visits.tab(told.site, path=f"/c/{told.conversation}")
    own(page).focus()
    page.keyboard.press("m")
    expect(content(page)).to_have_value(SAID)
    content(page).fill("Says good morning.")
    page.get_by_role("combobox", name="Type", exact=True).select_option(label="Preference")
    page.get_by_role("button", name="Remember", exact=True).click()
    expect(page.get_by_text("Remembered: “Says good morning.”.")).to_be_visible()
    [memory] = told.api.get("/api/memories", params={"q": "good morning"}).json()["memories"][:1]
    assert (memory["sourceMessageId"], memory["type"]) == (told.message, "preference")


def test_remember_what_is_selected(told: Told, visits: Visits):
    page = visits.tab(told.site, path=f"/c/{told.conversation}")
    expect(own(page)).to_be_visible()
    page.evaluate(
        """words => {
          const text = document.querySelector("article .talk-body").firstChild;
          const at = text.data.indexOf(words);
          getSelection().setBaseAndExtent(text, at, text, at + words.length);
        }""",
        "How are you?",
    )
    page.locator(".talk-selected").get_by_role("button", name="Remember this").click()
    expect(content(page)).to_have_value("How are you?")
    page.keyboard.press("Escape")
    expect(content(page)).to_have_count(0)


# -- for everybody ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "?show=waiting", "?show=audit", "?show=superseded"])
def test_nothing_is_wider_than_a_phone(told: Told, visits: Visits, path: str):
    page = visits.phone(told.site, path=f"/memories{path}")
    expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0


def test_the_palette_finds_them(memories: Page):
    page = memories
    page.keyboard.press("Control+k")
    page.keyboard.type("walnuts")
    page.get_by_role("option", name=re.compile("Allergic to walnuts")).click()
    expect(page).to_have_url(re.compile(r"\?memory=mem-"))
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("region", name="History")).to_be_visible()
