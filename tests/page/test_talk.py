"""Talking, in a real browser: writing, reading back, finding one's place, and erasing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Error, Locator, Page, expect

from palaver.ledger.files import Home
from palaver.ledger.lines import event
from tests.page.elements import answered, box, conversations, own, replies, send, write
from tests.page.visits import PHONE, Visits
from tests.page.witness import REFUSED, UNREACHABLE
from tests.server.site import Site, running_site

Json = dict[str, Any]


def place(page: Page) -> str:
    """The conversation in the address."""
    expect(page).to_have_url(re.compile("/c/conv-"))
    return urlsplit(page.url).path.removeprefix("/c/")


def new(page: Page) -> None:
    page.get_by_role("button", name="New conversation", exact=True).first.click()
    expect(page).to_have_url(re.compile(r"/\?new"))


def brought(api: httpx.Client, count: int, **more: Any) -> tuple[str, list[Json]]:
    """A conversation with so many messages, and these."""
    name = api.post("/api/conversations", json=more).json()["id"]
    said: list[Json] = []
    for number in range(count):
        role = "assistant" if number % 2 else "user"
        body = {"role": role, "content": f"{role.title()} says number {number}."}
        said.append(api.post(f"/api/conversations/{name}/messages", json=body).json())
    return name, said


STANDS = """() => {
  const { messageId, offset } = history.state?.standing ?? {};
  const row = document.getElementById(messageId)?.closest(".talk-row");
  const scroller = document.querySelector(".talk-scroller");
  if (!row || scroller.scrollTop === window.before) return false;
  const top = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  return Math.abs(top - offset) < 2;
}"""
"""Where one stands is kept, after one has moved."""

BEFORE = "() => { window.before = document.querySelector('.talk-scroller').scrollTop; }"
MOVED = "() => document.querySelector('.talk-scroller').scrollTop !== window.before"

SETTLED = """() => new Promise((done) => {
  const scroller = document.querySelector(".talk-scroller");
  let last = NaN;
  const look = () => {
    if (scroller.scrollTop === last) return done();
    last = scroller.scrollTop;
    requestAnimationFrame(() => requestAnimationFrame(look));
  };
  look();
})"""
"""Waits until nothing scrolls."""

SEEN = """() => {
  const view = document.querySelector(".talk-scroller").getBoundingClientRect();
  const isSeen = ({ top, bottom }) => bottom > view.top && top < view.bottom;
  const all = [...document.querySelectorAll("article")];
  return all.filter((one) => isSeen(one.getBoundingClientRect())).map((one) => one.id);
}"""
"""The messages that are in sight."""

BELOW = """([id]) => {
  const top = (one) => one?.getBoundingClientRect().top ?? NaN;
  return top(document.getElementById(id)) - top(document.querySelector(".talk-scroller"));
}"""
"""How far a message is below the top of the messages."""


def top(message: Locator) -> float:
    found = message.bounding_box()
    assert found
    return found["y"]


# -- beginning and coming back --------------------------------------------------------------------


def test_a_conversation_begins_with_its_first_message(site: Site, page: Page):
    expect(box(page)).to_be_focused()
    assert site.stored() == {}
    page.keyboard.type("The retro moved to Friday.")
    page.keyboard.press("Enter")
    expect(own(page)).to_contain_text("The retro moved to Friday.")
    expect(replies(page)).to_contain_text("No model is connected")
    expect(page).to_have_url(re.compile("/c/conv-"))
    expect(box(page)).to_be_focused()
    expect(conversations(page)).to_have_count(1)
    page.reload()
    expect(own(page)).to_have_count(1)
    answered(page)


def test_a_whole_conversation_from_opening_to_returning(site: Site, page: Page, api: httpx.Client):
    """S1, flow 1: nothing is there; it begins, gets its title by itself, and is there again."""
    for number in range(5):
        write(page, f"The zeppelin needs part number {number} for its engine.")
        answered(page, number + 1)
    here = place(page)
    link = conversations(page)
    expect(link).to_have_count(1)
    expect(link).not_to_contain_text("New conversation")
    title = api.get(f"/api/conversations/{here}").json()["conversation"]["title"]
    assert title
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    page.goto("about:blank")
    page.goto(f"{site.url}/")
    expect(page).to_have_url(f"{site.url}/c/{here}")
    expect(own(page)).to_have_count(5)
    write(page, "And a last one.")
    answered(page, 6)


def test_switching_and_coming_back(site: Site, page: Page, api: httpx.Client):
    """S1, flow 2: nothing is stored before the first message, and the old one can be taken up."""
    write(page, "The first conversation is about the garden.")
    answered(page)
    first = place(page)
    stored = site.stored().keys()
    new(page)
    expect(own(page)).to_have_count(0)
    assert site.stored().keys() == stored
    write(page, "The second one is about the cellar.")
    answered(page)
    assert place(page) != first
    page.wait_for_function(
        "name => fetch(`/api/conversations/${name}`)"
        ".then(found => found.json()).then(found => found.conversation.abbreviation !== null)",
        arg=first,
    )
    page.get_by_role("navigation", name="Conversations").locator(f"a[href='/c/{first}']").click()
    expect(own(page)).to_contain_text("garden")
    write(page, "Go on with the garden.")
    expect(own(page)).to_have_count(2)
    answered(page, 2)
    assert api.get(f"/api/conversations/{first}").json()["conversation"]["turnCount"] == 2


def test_it_opens_with_the_latest_of_the_web(site: Site, page: Page, api: httpx.Client):
    mine, _ = brought(api, 2, title="Mine")
    brought(api, 2, title="From elsewhere", channel="cli")
    page.goto(f"{site.url}/")
    expect(page).to_have_url(f"{site.url}/c/{mine}")


def test_a_missing_conversation_is_told(site: Site, page: Page, visits: Visits):
    visits.witness(page).allow(REFUSED, UNREACHABLE)
    page.goto(f"{site.url}/c/conv-01HQXK5J7G8M3N4P5R6S7T8V9W")
    expect(page.get_by_role("heading", name="This conversation is not here")).to_be_visible()
    page.get_by_role("link", name="Begin a new one").click()
    expect(box(page)).to_be_focused()


def test_a_broken_index_is_told_and_one_can_still_write(visits: Visits, home: Path):
    Home(home).create()
    Home(home).index.mkdir()
    with running_site(home) as site:
        page = visits.tab(site)
        visits.witness(page).allow(REFUSED, UNREACHABLE)
        write(page, "Keep this, please.")
        expect(own(page)).to_contain_text("Keep this, please.")
        expect(replies(page)).to_be_visible()
        assert b"Keep this, please." in b"".join(site.stored().values())


# -- writing --------------------------------------------------------------------------------------


def test_enter_sends_and_shift_enter_begins_a_line(page: Page):
    box(page).press_sequentially("one")
    box(page).press("Shift+Enter")
    box(page).press_sequentially("two")
    box(page).press("Enter")
    expect(own(page).locator(".talk-plain")).to_have_text("one\ntwo")
    expect(box(page)).to_have_value("")


def test_nothing_blank_can_be_sent(page: Page):
    expect(send(page)).to_be_disabled()
    write(page, "Something.")
    expect(replies(page)).to_be_visible()
    expect(send(page)).to_be_disabled()
    box(page).fill("  \n ")
    expect(send(page)).to_be_disabled()
    box(page).fill("x")
    expect(send(page)).to_be_enabled()


def test_a_draft_survives_switching_and_reloading(page: Page):
    write(page, "The first conversation.")
    expect(replies(page)).to_be_visible()
    box(page).fill("half a thou")
    new(page)
    expect(box(page)).to_have_value("")
    box(page).fill("something new")
    conversations(page).first.click()
    expect(box(page)).to_have_value("half a thou")
    page.reload()
    expect(box(page)).to_have_value("half a thou")
    new(page)
    expect(box(page)).to_have_value("something new")
    page.reload()
    expect(box(page)).to_have_value("something new")


def test_a_large_paste_does_not_hang(page: Page):
    text = "The quick brown fox jumps over the lazy dog.\n" * 2300
    box(page).focus()
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.evaluate(
        "() => { window.longest = 0; new PerformanceObserver((list) => {"
        " for (const one of list.getEntries()) longest = Math.max(longest, one.duration);"
        " }).observe({ type: 'longtask' }); }"
    )
    page.keyboard.press("Control+v")
    page.keyboard.type(" and so on")
    expect(box(page)).to_have_value(re.compile(r"and so on$"))
    height = box(page).bounding_box()
    assert height
    assert height["height"] <= 0.41 * 800
    page.keyboard.press("Enter")
    expect(own(page).get_by_role("button", name=re.compile("^Show all 103,"))).to_be_visible()
    expect(replies(page)).to_be_visible()
    assert page.evaluate("longest") < 1000
    page.reload()
    expect(own(page)).to_have_count(1)


def test_commands_are_offered_and_answered(page: Page):
    box(page).press_sequentially("/t")
    expect(page.get_by_role("option")).to_contain_text(["/title text"])
    box(page).press("Tab")
    box(page).press_sequentially("Zeppelins")
    box(page).press("Enter")
    expect(page.get_by_role("heading", name="Zeppelins", level=1)).to_be_visible()
    expect(own(page)).to_contain_text("/title Zeppelins")
    first = place(page)
    write(page, "/new And another thing.")
    expect(page).not_to_have_url(re.compile(first))
    expect(own(page)).to_have_count(1)
    expect(own(page)).to_contain_text("And another thing.")
    answered(page)


def test_what_other_programs_write_appears(page: Page, api: httpx.Client):
    write(page, "I am here.")
    answered(page)
    here = place(page)
    body = {"role": "assistant", "content": "Written **elsewhere**."}
    api.post(f"/api/conversations/{here}/messages", json=body)
    answered(page, 2)
    expect(replies(page).last.locator("strong")).to_have_text("elsewhere")
    heard = page.locator("[aria-live=polite]").filter(has_text="Assistant: Written elsewhere.")
    expect(heard).to_have_count(1)


def test_a_name_that_was_given_stays(page: Page, api: httpx.Client, site: Site):
    write(page, "Something about the garden.")
    answered(page)
    here = place(page)
    page.get_by_role("button", name="Rename").first.click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("My own name")
    title.press("Enter")
    expect(conversations(page).first).to_contain_text("My own name")
    for number in range(5):
        write(page, f"The zeppelin needs part number {number}.")
        answered(page, number + 2)
    site.append(event(here, "title_assigned", title="Zeppelins", by="offline", turn=6))
    write(page, "One more.")
    answered(page, 7)
    expect(page.get_by_role("heading", name="My own name", level=1)).to_be_visible()
    assert api.get(f"/api/conversations/{here}").json()["conversation"]["title"] == "My own name"


# -- reading --------------------------------------------------------------------------------------


def test_earlier_messages_come_in_without_moving_what_is_read(
    site: Site, page: Page, api: httpx.Client
):
    name, said = brought(api, 160)
    page.goto(f"{site.url}/c/{name}")
    expect(page.locator(f"#{said[-1]['id']}")).to_be_in_viewport()
    page.mouse.move(700, 400)
    seen: list[str] = page.evaluate(SEEN)
    while said[0]["id"] not in seen:
        page.evaluate(BEFORE)
        page.mouse.wheel(0, -300)
        page.wait_for_function(MOVED)  # by the wheel, or by earlier ones that came in
        page.evaluate(SETTLED)
        seen += page.evaluate(SEEN)
    assert set(seen) == {one["id"] for one in said}  # none was jumped over
    page.mouse.wheel(0, -5000)
    expect(page.locator(f"#{said[0]['id']}")).to_be_in_viewport()
    page.get_by_role("button", name="Jump to the latest").click()
    expect(page.locator(f"#{said[-1]['id']}")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Jump to the latest")).to_have_count(0)


def test_who_reads_above_is_told_of_what_comes(site: Site, page: Page, api: httpx.Client):
    name, said = brought(api, 40)
    page.goto(f"{site.url}/c/{name}")
    expect(page.locator(f"#{said[-1]['id']}")).to_be_in_viewport()
    page.mouse.move(700, 400)
    page.mouse.wheel(0, -900)
    page.wait_for_function(STANDS)
    read = page.locator(f"#{page.evaluate('history.state.standing.messageId')}")
    before = top(read)
    for number in range(2):
        body = {"role": "assistant", "content": f"News {number}."}
        api.post(f"/api/conversations/{name}/messages", json=body)
    jump = page.get_by_role("button", name="Jump to the latest")
    expect(jump).to_contain_text("2 new messages")
    assert top(read) == pytest.approx(before, abs=1)
    jump.click()
    expect(replies(page).last).to_contain_text("News 1.")
    expect(replies(page).last).to_be_in_viewport()


def test_a_link_opens_at_the_message_and_back_returns(site: Site, page: Page, api: httpx.Client):
    name, said = brought(api, 120)
    page.goto(f"{site.url}/c/{name}#{said[10]['id']}")
    lit = page.locator("article.lit")
    expect(lit).to_contain_text("number 10.")
    expect(lit).to_have_count(0)  # it was only for a moment
    expect(page.locator(f"#{said[10]['id']}")).to_be_in_viewport()
    expect(page.locator(f"#{said[10]['id']}")).to_be_focused()
    page.evaluate("before = document.querySelector('.talk-scroller').scrollTop")
    page.mouse.move(700, 400)
    page.mouse.wheel(0, 300)
    page.wait_for_function(STANDS)
    stands = [page.evaluate(SEEN)[4]]
    stands.append(page.evaluate(BELOW, stands))
    new(page)
    page.go_back()
    page.wait_for_function(f"stands => Math.abs(({BELOW})(stands) - stands[1]) < 2", arg=stands)
    page.reload()
    page.wait_for_function(f"stands => Math.abs(({BELOW})(stands) - stands[1]) < 2", arg=stands)
    page.get_by_role("button", name="Jump to the latest").click()
    expect(page.locator(f"#{said[-1]['id']}")).to_be_in_viewport()


def test_back_leads_to_the_conversation_one_came_from(site: Site, page: Page, api: httpx.Client):
    older, _ = brought(api, 2, title="Older")
    brought(api, 2, title="Newer")
    page.goto(f"{site.url}/c/{older}")
    expect(own(page)).to_have_count(1)
    new(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Older", level=1)).to_be_visible()
    expect(own(page)).to_have_count(1)
    expect(page).to_have_url(f"{site.url}/c/{older}")


def test_search_leads_to_the_message_lit_up(page: Page, api: httpx.Client):
    made = api.post("/api/conversations", json={"title": "Long one"}).json()["id"]
    for number in range(70):
        text = "The zeppelin leaves at noon." if number == 5 else f"Filler number {number}."
        api.post(f"/api/conversations/{made}/messages", json={"role": "user", "content": text})
    page.get_by_role("searchbox", name="Search").fill("zeppelin")
    result = page.get_by_role("main").get_by_role("link").filter(has_text="zeppelin").first
    result.click()
    lit = page.locator("article.lit")
    expect(lit).to_contain_text("The zeppelin leaves at noon.")
    expect(lit).to_be_in_viewport()
    page.go_back()
    expect(result).to_be_visible()


def test_a_quotation_leads_to_what_was_said(page: Page):
    write(page, "The plumber comes on Tuesday at nine.")
    expect(replies(page)).to_be_visible()
    first = urlsplit(page.url).path
    new(page)
    write(page, "When does the plumber come?")
    source = replies(page).locator(".talk-body a").first
    expect(replies(page).locator("blockquote")).to_contain_text("plumber")
    second = page.url
    source.click()
    expect(page.locator("article.lit")).to_contain_text("The plumber comes on Tuesday")
    assert urlsplit(page.url).path == first
    page.go_back()
    expect(page).to_have_url(second)
    expect(own(page)).to_contain_text("When does the plumber come?")


def test_invisible_characters_are_shown_and_keep_their_place(page: Page):
    write(page, "Is \u202egnp.exe\u202c safe? zero\u200bwidth 👩\u200d🚀 می\u200cخواهم")
    expect(own(page).locator(".hidden-character")).to_have_text(["RLO", "PDF", "ZWSP"])
    assert own(page).locator(".talk-body").get_attribute("dir") == "auto"


def test_a_message_shows_all_that_came_with_it(site: Site, page: Page, api: httpx.Client):
    name, _ = brought(api, 1)
    rich = {
        "role": "assistant",
        "content": "Which one?",
        "model": "sonnet",
        "thinkingText": "Two of them fit.",
        "toolCalls": [{"toolName": "timetable", "input": {"to": "Bern"}, "output": "12:00"}],
        "usage": {"input": 1200, "output": 34},
        "cost": 0.0042,
        "suggestedValues": ["The first one"],
        "suggestedActions": ["Neither"],
        "customPayload": {"seat": 7},
    }
    api.post(f"/api/conversations/{name}/messages", json=rich)
    page.goto(f"{site.url}/c/{name}")
    reply = replies(page)
    for fold, inside in (
        ("Thought for a moment", "Two of them fit."),
        ("Used timetable", '"to": "Bern"'),
        ("Data that came with it", '"seat": 7'),
    ):
        expect(reply.get_by_text(inside)).to_have_count(0)
        reply.get_by_text(fold).click()
        expect(reply.get_by_text(inside)).to_be_visible()
    reply.hover()
    reply.get_by_role("button", name="Details").click()
    expect(reply.get_by_role("definition")).to_contain_text(["sonnet", "1,200", "34", "$0.0042"])
    reply.get_by_role("button", name="The first one").click()
    expect(box(page)).to_have_value("The first one")
    reply.get_by_role("button", name="Neither").click()
    expect(own(page).last).to_contain_text("Neither")


def test_a_conversation_of_a_channel_says_why_it_is_read_only(
    site: Site, page: Page, api: httpx.Client
):
    name, _ = brought(api, 2, channel="whatsapp")
    api.patch(f"/api/conversations/{name}", json={"pinned": True})
    page.goto(f"{site.url}/c/{name}")
    expect(page.get_by_role("note")).to_contain_text("goes on in WhatsApp")
    expect(box(page)).to_have_count(0)


# -- doing something with a message ---------------------------------------------------------------


def test_a_message_is_copied_quoted_and_linked(page: Page):
    write(page, "The canary sings.")
    expect(replies(page)).to_be_visible()
    own(page).hover()
    own(page).get_by_role("button", name="Copy", exact=True).click()
    assert page.evaluate("navigator.clipboard.readText()") == "The canary sings."
    own(page).get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{page.url}#{own(page).get_attribute('id')}"
    own(page).get_by_role("button", name="Quote").click()
    expect(box(page)).to_have_value("> The canary sings.\n\n")
    expect(box(page)).to_be_focused()
    box(page).fill("")
    own(page).get_by_text("The canary sings.").dblclick(position={"x": 60, "y": 10})
    own(page).get_by_role("button", name="Quote").click()
    expect(box(page)).to_have_value("> canary\n\n")


def test_the_last_message_is_said_otherwise(page: Page, api: httpx.Client):
    write(page, "The first thing.")
    answered(page)
    write(page, "The secnd thing.")
    answered(page, 2)
    expect(own(page).first.get_by_role("button", name="Edit")).to_have_count(0)
    box(page).press("ArrowUp")
    edited = page.get_by_role("textbox", name="Edited text")
    expect(edited).to_be_focused()
    expect(edited).to_have_value("The secnd thing.")
    edited.fill("The second")
    edited.press("Escape")
    expect(own(page).last).to_contain_text("The secnd thing.")
    own(page).last.hover()
    own(page).last.get_by_role("button", name="Edit").click()
    expect(edited).to_have_value("The second")
    edited.fill("The second thing.")
    edited.press("Enter")
    expect(own(page).last).to_contain_text("The second thing.")
    expect(edited).to_have_count(0)
    expect(own(page)).to_have_count(2)
    answered(page, 2)
    said = api.get(f"/api/conversations/{place(page)}").json()["messages"]
    assert [one["content"] for one in said if one["role"] == "user"] == [
        "The first thing.",
        "The second thing.",
    ]


def erase(page: Page) -> None:
    own(page).hover()
    own(page).get_by_role("button", name="Erase").click()
    dialog = page.get_by_role("dialog", name="Erase this message?")
    expect(dialog).to_contain_text("“The albatross flies.”")
    expect(dialog).to_contain_text("You can undo it for a few seconds.")
    dialog.get_by_role("button", name=re.compile("^Erase 1 message")).click()


def test_one_message_is_erased_after_undo_and_gives_a_receipt(site: Site, page: Page):
    write(page, "The albatross flies.")
    expect(replies(page)).to_be_visible()
    notices = page.get_by_role("region", name="Notices")
    erase(page)
    expect(own(page)).to_contain_text("This message is being erased.")
    expect(own(page)).to_be_focused()  # the button that was clicked is gone
    expect(own(page)).not_to_contain_text("albatross")
    expect(own(page).get_by_role("button", name="Erase")).to_have_count(0)
    expect(notices).to_contain_text("“The albatross flies.” is being erased.")
    assert b"albatross" in b"".join(site.stored().values())
    notices.get_by_role("button", name="Undo").click()
    expect(own(page)).to_contain_text("The albatross flies.")
    expect(notices).not_to_contain_text("albatross")
    erase(page)
    expect(own(page)).to_contain_text("This message has been erased.")
    expect(notices).to_contain_text("Erased 1 message.")
    expect(page.get_by_text("The albatross flies.")).to_have_count(0)
    assert b"albatross" not in b"".join(site.stored().values())


def test_who_leaves_does_not_wait_for_a_message_to_be_erased(site: Site, page: Page):
    write(page, "The albatross flies.")
    expect(replies(page)).to_be_visible()
    erase(page)
    expect(own(page)).to_contain_text("This message is being erased.")
    page.reload()
    expect(own(page)).to_contain_text("This message has been erased.")
    assert b"albatross" not in b"".join(site.stored().values())


def test_all_by_keyboard(page: Page):
    expect(box(page)).to_be_focused()
    for number in range(3):
        page.keyboard.type(f"Thing {number}.")
        page.keyboard.press("Enter")
        answered(page, number + 1)
    expect(box(page)).to_be_focused()
    while not page.evaluate("document.activeElement.matches('article')"):
        page.keyboard.press("Shift+Tab")
    expect(replies(page).last).to_be_focused()
    page.keyboard.press("k")
    expect(own(page).last).to_be_focused()
    page.keyboard.press("Home")
    expect(own(page).first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(replies(page).first).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="Edited text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box(page)).to_be_focused()
    while not page.evaluate("document.activeElement.matches('article')"):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("q")
    expect(box(page)).to_be_focused()
    expect(box(page)).to_have_value(re.compile("^> "))


# -- a phone --------------------------------------------------------------------------------------


def tap_until(shown: Locator, button: Locator) -> None:
    """Taps until something is shown: what still moves when it is touched is missed."""
    for _ in range(5):
        button.scroll_into_view_if_needed()
        button.page.evaluate(SETTLED)
        button.tap()
        try:
            shown.wait_for(timeout=2_000)
        except Error:
            continue
        return


def test_it_fits_a_phone(phone: Page):
    write(phone, "word " * 40 + "x" * 300)
    answered(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    expect(box(phone)).to_be_in_viewport(ratio=1)
    expect(own(phone).get_by_role("button", name="Copy", exact=True)).to_have_count(0)
    button = own(phone).get_by_role("button", name="What can be done")
    menu = phone.get_by_role("menu", name="What can be done")
    tap_until(menu, button)
    expect(menu).to_be_in_viewport(ratio=1)
    size = button.bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= 40
    menu.get_by_role("menuitem", name="Erase").tap()
    expect(phone.get_by_role("dialog", name="Erase this message?")).to_be_visible()
