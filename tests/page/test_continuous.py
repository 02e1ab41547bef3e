"""The continuous conversation: a page for every day, walked through like a diary."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.diary import Diary, label
from tests.page.elements import answered, box, conversations, own, replies, write
from tests.page.served import Served
from tests.page.visits import Visits
from tests.page.witness import REFUSED
from tests.server.site import Site
from tests.server.speaker import Model

SUMMARY = """## Summary
We spoke about the roof.

## Decisions
- The roofer comes on Thursday.

## Next steps
- Measure the gutter."""
SEVERAL = [f"Sentence {number} about the roof." for number in range(6)]


@pytest.fixture
def diary(site: Site) -> Diary:
    """Nine days ago, three, yesterday and today; today's summary covers its first two turns."""
    diary = Diary(site)
    diary.day(9, "The harbour was quiet.", summary="## Summary\nThe harbour was quiet.")
    diary.day(3, *SEVERAL, summary=SUMMARY)
    diary.day(1, "The ladder is at the neighbour's.", "It rained.", summary=SUMMARY)
    diary.day(0, *SEVERAL, summary=SUMMARY, covers=2)
    return diary.write()


def days(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Days", exact=True)


def older(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Older messages"))


def summary(page: Page) -> Locator:
    return page.get_by_role("region", name="Day summary", exact=True)


def finder(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Search the days", exact=True)


def hits(page: Page) -> Locator:
    return page.get_by_role("list", name="Results").get_by_role("link")


def lit(page: Page, message: str) -> None:
    """One came to see it."""
    shown = page.locator(f"[id='{message}']")
    expect(shown).to_be_in_viewport()
    expect(shown).to_be_focused()


def go_to(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1, name=re.compile(f"^{name}"))).to_be_visible()


# -- today ------------------------------------------------------------------------------------


def test_today_begins_with_its_first_message(page: Page, api: httpx.Client):
    page.get_by_role("link", name="Today", exact=True).first.click()
    expect(page).to_have_url(re.compile("/continuous$"))
    expect(page.get_by_text("No messages yet today.")).to_be_visible()
    expect(box(page)).to_be_focused()
    write(page, "Good morning.")
    expect(own(page)).to_have_count(1)
    answered(page)
    write(page, "And good evening.")
    answered(page, 2)
    expect(page.get_by_text("No messages yet today.")).to_have_count(0)
    expect(page).to_have_url(re.compile("/continuous$"))
    expect(conversations(page)).to_have_count(0)
    page.reload()
    expect(own(page)).to_have_text([re.compile("Good morning."), re.compile("And good evening.")])
    today = api.get("/api/continuous").json()
    assert (today["messageCount"], today["day"]) == (4, today["today"])


def test_a_reply_streams_and_can_be_stopped(model: Model, site: Site, visits: Visits):
    model.words = ["It ", "is ", "…", "blue."]
    page = visits.tab(site, path="/continuous")
    write(page, "What colour is it?")
    expect(replies(page)).to_contain_text("It is")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(replies(page)).to_contain_text("Interrupted")
    model.go_on.set()
    model.words = ["Green."]
    replies(page).hover()
    replies(page).get_by_role("button", name="Regenerate").click()
    expect(replies(page)).to_contain_text("Green.")
    answered(page)


def test_the_first_words_outlive_the_server(served: Served, tab: Page):
    page = served.open(tab)
    page.goto(f"{served.url}/continuous")
    expect(page.get_by_text("No messages yet today.")).to_be_visible()
    served.kill()
    write(page, "Into the void.")
    expect(own(page)).to_have_count(1)
    page.goto("about:blank")
    served.start()
    page.goto(f"{served.url}/continuous")
    expect(own(page)).to_have_count(1)
    answered(page)
    expect(page).to_have_url(re.compile("/continuous$"))


def test_another_tab_sees_what_is_said(diary: Diary, visits: Visits):
    context = visits.profile()
    one = visits.tab(diary.site, into=context, path="/continuous")
    other = visits.tab(diary.site, into=context, path="/continuous")
    write(one, "Do you hear me?")
    expect(own(other).last).to_contain_text("Do you hear me?")
    expect(replies(other).last).to_contain_text(re.compile(r"\S"))


def test_it_has_no_title_and_cannot_be_deleted(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    expect(summary(page)).to_be_visible()
    for name in ("Rename", "Archive", "Delete"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Context", exact=True)).to_be_visible()
    expect(conversations(page)).to_have_count(0)


# -- the summary ------------------------------------------------------------------------------


def test_every_line_leads_to_what_it_stands_on(diary: Diary, visits: Visits):
    here = label(3)
    page = visits.tab(diary.site, path=f"/continuous/{here}")
    decisions = page.get_by_role("region", name="Decisions")
    expect(decisions).to_contain_text("The roofer comes on Thursday.")
    for name in ("Summary", "Decisions", "Next steps"):
        part = page.get_by_role("region", name=name, exact=True)
        expect(part.get_by_role("link", name=re.compile("^Source"))).to_have_count(1)
    mark = decisions.get_by_role("link", name=re.compile("^Source"))
    mark.hover()
    expect(page.get_by_role("note")).to_contain_text(SEVERAL[0])
    older(page).click()
    expect(older(page)).to_have_attribute("aria-expanded", "false")
    mark.click()
    expect(page).to_have_url(re.compile(f"/continuous/{here}#msg-"))
    lit(page, diary.messages[here][0])
    expect(older(page)).to_have_attribute("aria-expanded", "true")
    page.go_back()
    expect(summary(page).get_by_role("heading", name="Day summary")).to_be_in_viewport()


def test_it_is_made_again_and_told_in_the_timeline(page: Page, site: Site):
    page.goto(f"{site.url}/continuous")
    write(page, "We decided to take the early train. I will buy the tickets tomorrow.")
    answered(page)
    expect(summary(page)).to_contain_text("There is no summary yet.")
    page.get_by_role("button", name="Regenerate summary").click()
    expect(summary(page)).to_contain_text("Made offline")
    expect(page.locator(".day-updated")).to_contain_text("Day summary updated")
    expect(page.get_by_role("button", name="Regenerate summary")).to_be_enabled()
    expect(summary(page).get_by_role("link", name=re.compile("^Source")).first).to_be_visible()


def test_own_words_are_kept_saved_and_not_lost(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path=f"/continuous/{label(1)}")
    page.get_by_role("button", name="Edit", exact=True).click()
    area = page.get_by_role("textbox", name="Summary as Markdown")
    expect(area).to_have_value(re.compile("The roofer comes on Thursday."))
    area.fill("## Summary\n\n- A day of *rain*, in my own words.\n")
    page.reload()
    expect(area).to_have_value(re.compile("in my own words"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(summary(page)).to_contain_text("A day of rain, in my own words.")
    expect(summary(page)).to_contain_text("Written by you")
    expect(area).to_have_count(0)
    page.get_by_role("button", name="Regenerate summary").click()
    expect(summary(page)).to_contain_text("with your own words in it. Your own lines stay")
    expect(summary(page)).to_contain_text("A day of rain, in my own words.")
    expect(summary(page)).not_to_contain_text("The roofer comes on Thursday.")


def test_nothing_floats_over_the_editor(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    jump = page.get_by_role("button", name="Jump to the latest")
    older(page).click()
    page.get_by_role("button", name="Summary", exact=True).click()
    expect(jump).to_be_visible()
    summary(page).get_by_role("button", name="Edit", exact=True).click()
    area = page.get_by_role("textbox", name="Summary as Markdown")
    expect(area).to_be_focused()
    expect(jump).to_be_hidden()
    area.press("Escape")
    expect(area).to_have_count(0)
    expect(jump).to_be_visible()


def test_own_words_stay_when_more_is_told(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    page.get_by_role("button", name="Edit", exact=True).first.click()
    page.get_by_role("textbox", name="Summary as Markdown").fill("## Summary\n- Mine alone.\n")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(summary(page)).to_contain_text("Mine alone.")
    write(page, "We decided to take the early train to Faro.")
    expect(replies(page).last).to_contain_text(re.compile(r"\S"))
    page.get_by_role("button", name="Regenerate summary").click()
    expect(summary(page)).to_contain_text("with your own words in it")
    expect(summary(page)).to_contain_text("Mine alone.")
    expect(summary(page)).to_contain_text("early train")


def test_a_refusal_says_what_to_do(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    visits.witness(page).allow(REFUSED)
    problem = {"code": "model_busy", "detail": "It is busy.", "remedy": "Wait a little."}
    asked = re.compile(r"/summary$")
    page.route(asked, lambda route: route.fulfill(status=503, json=problem))
    page.get_by_role("button", name="Regenerate summary").click()
    expect(summary(page).get_by_role("alert")).to_contain_text("It is busy. Wait a little.")
    expect(summary(page)).to_contain_text("The roofer comes on Thursday.")


def test_a_loop_is_told_on_both_days(site: Site, visits: Visits, api: httpx.Client):
    diary = Diary(site)
    opened = diary.day(4, "I will call the harbour office tomorrow.")
    diary.write()
    page = visits.tab(site, path="/continuous")
    page.get_by_role("button", name="Previous day").click()
    go_to(page, "")
    page.get_by_role("button", name="Regenerate summary").click()
    expect(summary(page)).to_contain_text("harbour office")
    page.goto(f"{site.url}/continuous")
    write(page, "I have called the harbour office.")
    answered(page)
    page.get_by_role("button", name="Regenerate summary").click()
    expect(summary(page)).to_contain_text("Made offline")
    loops = api.get("/api/continuous").json()["loops"]
    assert [loop["since"] for loop in loops] == [opened]
    since = summary(page).get_by_role("link", name=re.compile("^since"))
    expect(since).to_have_attribute("href", re.compile(f"/continuous/{opened}#msg-"))
    expect(summary(page).get_by_role("link", name="done today")).to_be_visible()
    since.click()
    expect(page).to_have_url(re.compile(f"/continuous/{opened}#msg-"))
    done = summary(page).get_by_role("link", name="done today")
    done.click()
    expect(page).to_have_url(re.compile(f"/continuous/{label(0)}#msg-"))
    expect(own(page).last).to_be_in_viewport()


# -- the days ---------------------------------------------------------------------------------


def test_days_are_walked_like_pages(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    go_to(page, "Today")
    box(page).press("ArrowLeft")  # whoever writes keeps these keys
    box(page).press("[")
    expect(box(page)).to_have_value("[")
    box(page).fill("")
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("[")
    go_to(page, "Yesterday")
    expect(page).to_have_url(re.compile(f"/continuous/{label(1)}$"))
    expect(page.get_by_role("button", name="Previous day")).to_be_enabled()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(f"/continuous/{label(3)}$"))
    page.get_by_role("button", name="Previous day").click()
    expect(page).to_have_url(re.compile(f"/continuous/{label(9)}$"))
    expect(page.get_by_role("button", name="Previous day")).to_be_disabled()
    page.get_by_role("button", name="Next day").click()
    expect(page).to_have_url(re.compile(f"/continuous/{label(3)}$"))
    days(page).get_by_role("link", name="Yesterday").click()
    go_to(page, "Yesterday")
    expect(page.get_by_role("button", name="Next day")).to_be_enabled()
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("]")
    go_to(page, "Today")
    expect(page).to_have_url(re.compile("/continuous$"))
    expect(page.get_by_role("button", name="Previous day")).to_be_enabled()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("[")  # it goes on from there
    go_to(page, "Yesterday")
    expect(page.get_by_role("button", name="Next day")).to_be_enabled()
    page.keyboard.press("]")
    go_to(page, "Today")
    page.get_by_label("Pick a date").fill(label(9))
    expect(page).to_have_url(re.compile(f"/continuous/{label(9)}$"))
    expect(summary(page)).to_contain_text("The harbour was quiet.")
    page.go_back()
    go_to(page, "Today")


def test_what_the_summary_covers_is_folded(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    expect(own(page)).to_have_count(4)
    expect(older(page)).to_have_accessible_name(re.compile(r"^Older messages \(4\)"))
    page.get_by_role("button", name="Summary", exact=True).click()
    older(page).click()
    expect(own(page).first).to_contain_text(SEVERAL[0])
    expect(older(page)).to_be_in_viewport()
    page.goto(f"{diary.site.url}/continuous/{label(3)}")
    expect(older(page)).to_have_accessible_name(re.compile(r"^Older messages \(12\)"))
    expect(own(page).first).to_contain_text(SEVERAL[0])  # the day is over
    expect(summary(page)).to_be_in_viewport()
    older(page).click()
    expect(own(page)).to_have_count(0)


def test_writing_always_goes_to_today(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path=f"/continuous/{label(3)}")
    expect(page.get_by_text("What you write goes to today.")).to_be_visible()
    write(page, "I think of that day.")
    go_to(page, "Today")
    expect(page).to_have_url(re.compile("/continuous$"))
    expect(own(page).last).to_contain_text("I think of that day.")
    expect(replies(page).last).to_be_visible()
    page.go_back()
    expect(older(page)).to_have_accessible_name(re.compile(r"^Older messages \(12\)"))
    expect(own(page)).to_have_count(6)


def test_a_day_without_a_word_says_so(diary: Diary, visits: Visits):
    page = visits.profile().new_page()
    visits.witness(page).allow(REFUSED)
    page = visits.tab(diary.site, into=page.context, path=f"/continuous/{label(5)}")
    expect(page.get_by_role("heading", name=re.compile("^Nothing was said on"))).to_be_visible()
    page.get_by_role("button", name="Next day").click()
    expect(page).to_have_url(re.compile(f"/continuous/{label(3)}$"))


def test_what_is_not_a_day_says_so(diary: Diary, visits: Visits):
    page = visits.profile().new_page()
    visits.witness(page).allow(REFUSED)
    page = visits.tab(diary.site, into=page.context, path="/continuous/2026-13-45")
    expect(page.get_by_role("heading", name="2026-13-45 is not a day")).to_be_visible()
    page.get_by_role("link", name="Go to Today").click()
    go_to(page, "Today")


def test_all_days_are_a_calendar_and_a_list(site: Site, visits: Visits):
    diary = Diary(site)
    for ago in range(36, 1, -1):
        diary.day(ago, f"It is {ago} days ago.", summary=f"## Summary\nOf {ago} days ago.")
    diary.write()
    page = visits.tab(site, path="/continuous")
    page.get_by_role("button", name="All days").click()
    dialog = page.get_by_role("dialog", name="Days")
    entries = dialog.get_by_role("list").get_by_role("link")
    expect(entries).to_have_count(30)
    dialog.get_by_role("button", name="Load more").click()
    expect(entries).to_have_count(35)
    expect(dialog.get_by_role("button", name="Load more")).to_have_count(0)
    grid = dialog.get_by_role("grid", name="Messages by day")
    expect(grid.get_by_role("link")).to_have_count(35)
    grid.get_by_role("link").first.click()
    expect(dialog).to_have_count(0)
    expect(summary(page)).to_be_visible()
    assert re.search(r"/continuous/\d{4}-\d{2}-\d{2}$", page.url)


def test_the_palette_goes_to_days(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    for words, there in (("go to yest", label(1)), (label(3), label(3)), ("9 days ago", label(9))):
        page.keyboard.press("Control+k")
        page.keyboard.type(words)
        expect(page.get_by_role("dialog").get_by_role("option").first).to_be_visible()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"/continuous/{there}$"))
    page.keyboard.press("Alt+t")
    go_to(page, "Today")


def test_the_conversation_leads_to_the_day_of_a_message(diary: Diary, visits: Visits):
    message = diary.messages[label(3)][4]
    page = visits.tab(diary.site, path=f"/c/{diary.id}#{message}")
    expect(page).to_have_url(re.compile(f"/continuous/{label(3)}#{message}$"))
    lit(page, message)
    page.goto(f"{diary.site.url}/continuous/{label(9)}#{message}")
    expect(page).to_have_url(re.compile(f"/continuous/{label(3)}#{message}$"))
    page.goto(f"{diary.site.url}/c/{diary.id}")
    expect(page).to_have_url(re.compile("/continuous$"))
    go_to(page, "Today")


# -- the search -------------------------------------------------------------------------------


def test_the_search_looks_as_far_as_it_is_told(diary: Diary, visits: Visits):
    page = visits.tab(diary.site, path="/continuous")
    finder(page).fill("harbour")
    expect(page.get_by_text("Nothing was found.")).to_be_visible()
    page.get_by_label("Scope").select_option("Recent (14 days)")
    expect(hits(page).first).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?q=harbour&scope=recent$"))
    expect(page.locator("mark").first).to_have_text(re.compile("harbour", re.I))
    message = hits(page).filter(has_text="Message").first
    expect(message).to_contain_text("covered by the summary")
    expect(message).to_contain_text(re.compile(r"score 0\.\d\d|score 1\.00"))
    where = message.get_attribute("href") or ""
    message.click()
    expect(page).to_have_url(re.compile(f"{re.escape(where)}$"))
    lit(page, where.partition("#")[2])
    page.go_back()
    expect(hits(page).first).to_be_visible()
    hits(page).filter(has_text="Summary").first.click()
    expect(page).to_have_url(re.compile(f"/continuous/{label(9)}#day-summary$"))
    expect(summary(page)).to_be_focused()


def test_everything_is_searched_by_the_keyboard_alone(site: Site, visits: Visits):
    diary = Diary(site)
    long_ago = diary.day(200, "The password of the shed is walnut.")
    diary.day(0, "Where is the shed?")
    diary.write()
    page = visits.tab(site, path="/continuous?q=walnut&scope=recent")
    expect(page.get_by_text("Nothing was found.")).to_be_visible()
    page.get_by_role("link", name="Search everything").press("Enter")
    expect(hits(page).first).to_be_visible()
    finder(page).focus()
    page.keyboard.press("ArrowDown")
    expect(hits(page).first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/continuous/{long_ago}#"))


# -- on a phone -------------------------------------------------------------------------------


def test_it_fits_a_phone(diary: Diary, visits: Visits):
    page = visits.phone(diary.site, path="/continuous")
    expect(own(page).last).to_be_visible()
    assert _overflow(page) == 0
    page.get_by_role("button", name="Search the days").click()
    finder(page).fill("roof")
    expect(hits(page).first).to_be_visible()
    assert _overflow(page) == 0
    page.get_by_role("link", name="Close the search").click()
    page.get_by_role("button", name="Days", exact=True).click()
    expect(page.get_by_role("dialog", name="Days")).to_be_visible()
    page.get_by_role("dialog").get_by_role("link", name="Yesterday").first.click()
    go_to(page, "Yesterday")
    assert _overflow(page) == 0
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="Previous day").click()
    expect(page).to_have_url(re.compile(f"/continuous/{label(3)}$"))
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text(re.compile(r"^\w{3} \d+ \w{3,4}( \d{4})?$"))
    assert title.evaluate("it => it.scrollWidth <= it.clientWidth")
    assert _overflow(page) == 0
    page.set_viewport_size({"width": 360, "height": 400})  # the summary alone is higher
    expect(summary(page)).to_be_attached()
    assert page.locator("main").evaluate("it => it.scrollHeight <= it.clientHeight")


def _overflow(page: Page) -> Any:
    """How far the page can be pushed sideways."""
    return page.evaluate(
        "Math.max(document.documentElement.scrollWidth - innerWidth,"
        " document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth)"
    )
