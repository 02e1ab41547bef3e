"""Finding what was said: the search as one types, and the insights as a way into the past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from palaver.ledger.lines import Draft, meta, new_id, turn
from tests.page.visits import Visits
from tests.page.witness import REFUSED
from tests.server.site import Site

NOW = datetime.now(UTC)
RECENTLY = max(NOW - timedelta(minutes=30), NOW.replace(hour=0, minute=0, second=0))
"""On the same day."""
LONG_AGO = NOW - timedelta(days=40)
SUBJECTS = ("login", "invoice", "bicycle", "harbour")


def search_box(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Search", exact=True)


def hits(page: Page) -> Locator:
    return page.get_by_role("list", name="Results").get_by_role("link")


def narrowed(page: Page) -> Locator:
    return page.get_by_role("list", name="What narrows the search")


def conversation(subject: str, channel: str, when: datetime, rounds: int) -> Iterator[Draft]:
    name = new_id("conv")

    def at(minutes: int) -> str:
        return (when + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.000Z")

    yield meta(name, user="local", channel=channel, created=at(0), title=f"About the {subject}")
    for number in range(rounds):
        words = f"What became of the {subject}, question {number}?"
        yield turn(name, "user", words, channel=channel, timestamp=at(2 * number))
        reply = f"The **{subject}** is in order. " + "It takes a while to tell. " * 20
        yield turn(
            name,
            "assistant",
            reply,
            channel=channel,
            timestamp=at(2 * number + 1),
            model="grand",
            usage={"input": 1200, "output": 80},
            cost=0.0042,
        )


@pytest.fixture
def told(site: Site) -> Site:
    """A home in which something was said, today and long ago, here and by email."""
    drafts: list[Draft] = []
    for subject in SUBJECTS:
        drafts += conversation(subject, "web", RECENTLY, 2)
    drafts += conversation("login", "email", LONG_AGO, 30)
    site.append(*drafts)
    return site


@pytest.fixture
def found(told: Site, visits: Visits) -> Page:
    return visits.tab(told, path="/search")


def test_results_come_as_one_types(found: Page):
    expect(found.get_by_role("heading", name="What was said, found again")).to_be_visible()
    search_box(found).press_sequentially("invo")
    search_box(found).press_sequentially("ice")
    expect(found).to_have_url(re.compile(r"/search\?q=invoice$"))
    expect(hits(found).first).to_contain_text("About the invoice")
    expect(found.locator("mark").first).to_have_text("invoice")
    search_box(found).fill("harbour")
    expect(hits(found).first).to_contain_text("About the harbour")
    expect(search_box(found)).to_be_focused()
    expect(found.get_by_role("status").filter(has_text="with some of the words")).to_be_visible()


def test_filters_are_in_the_address_and_can_be_taken_away(found: Page):
    search_box(found).fill("login")
    expect(hits(found)).to_have_count(2)
    found.get_by_label("Channel").select_option("email")
    expect(hits(found)).to_have_count(1)
    expect(found).to_have_url(re.compile("channel=email"))
    found.get_by_role("radio", name="Messages").check()
    expect(hits(found)).not_to_have_count(1)
    found.reload()
    expect(found.get_by_role("radio", name="Messages")).to_be_checked()
    found.get_by_label("From").fill(RECENTLY.date().isoformat())
    expect(found.get_by_role("heading", name="Nothing was found")).to_be_visible()
    narrowed(found).get_by_role("button", name="Search all channels").click()
    expect(hits(found).first).to_be_visible()
    narrowed(found).get_by_role("button", name="Search all days").click()
    expect(narrowed(found)).to_have_count(0)
    expect(found).to_have_url(re.compile(r"/search\?q=login&kind=message$"))


def test_the_time_in_the_words_is_shown_and_can_be_removed(found: Page):
    search_box(found).fill(f"login {RECENTLY:%-d %B %Y}")
    expect(narrowed(found)).to_contain_text("Understood: on ")
    expect(hits(found)).to_have_count(1)
    narrowed(found).get_by_role("button", name="Search all time").click()
    expect(hits(found)).to_have_count(2)
    expect(narrowed(found)).to_contain_text("All time is searched")
    narrowed(found).get_by_role("button", name="Go by the time in the words again").click()
    expect(hits(found)).to_have_count(1)


def test_a_time_at_which_nothing_was_said_is_told(found: Page):
    search_box(found).fill("harbour three years ago")
    expect(
        found.get_by_text(re.compile("Nothing was found .* All time was searched"))
    ).to_be_visible()
    expect(hits(found).first).to_contain_text("About the harbour")


def test_the_keyboard_walks_the_results_and_opens_the_very_turn(found: Page):
    search_box(found).fill("login question 7")
    found.get_by_role("radio", name="Messages").check()
    expect(hits(found).nth(3)).to_be_visible()
    search_box(found).focus()
    found.keyboard.press("ArrowDown")
    expect(hits(found).nth(0)).to_be_focused()
    found.keyboard.press("j")
    expect(hits(found).nth(1)).to_be_focused()
    found.keyboard.press("End")
    expect(hits(found).last).to_be_focused()
    found.keyboard.press("Home")
    found.keyboard.press("k")
    expect(search_box(found)).to_be_focused()
    found.keyboard.press("ArrowDown")
    where = hits(found).first.get_attribute("href") or ""
    found.keyboard.press("Enter")
    expect(found).to_have_url(re.compile(f"{re.escape(where)}$"))
    message = found.locator(f"[id='{where.partition('#')[2]}']")
    expect(message).to_be_in_viewport()
    expect(message).to_contain_text("login")


def test_back_returns_to_the_same_results_at_the_same_place(found: Page):
    search_box(found).fill("login")
    found.get_by_role("radio", name="Messages").check()
    found.get_by_role("button", name="More results").click()
    expect(hits(found)).to_have_count(32)
    last = hits(found).last
    last.scroll_into_view_if_needed()
    before = last.bounding_box()
    last.click()
    expect(found).to_have_url(re.compile("/c/conv-"))
    found.go_back()
    expect(hits(found)).to_have_count(32)
    expect(hits(found).last).to_be_focused()
    assert hits(found).last.bounding_box() == before


def test_a_result_says_why_it_was_found(found: Page, api: httpx.Client):
    search_box(found).fill("harbour")
    expect(hits(found).first).to_contain_text("About the harbour")
    found.get_by_text("Why it was found").first.click()
    row = found.get_by_role("row", name=re.compile("Score, between 0 and 1"))
    best = api.get("/api/search", params={"q": "harbour"}).json()["results"][0]
    expect(row).to_contain_text(f"{best['score']:.3f}")
    expect(found.get_by_role("row").filter(has_text="The words")).not_to_have_count(0)


def test_a_search_that_fails_says_what_to_do(told: Site, visits: Visits):
    page = visits.tab(told, path="/search")
    visits.witness(page).allow(REFUSED)
    problem = {"code": "index_degraded", "detail": "It is broken.", "remedy": "Mend it."}
    asked = re.compile(r"/api/search\?")
    page.route(asked, lambda route: route.fulfill(status=503, json=problem))
    search_box(page).fill("login")
    expect(page.get_by_role("main").get_by_role("alert")).to_have_text(
        re.compile("It is broken. Mend it.")
    )
    page.unroute(asked)
    page.get_by_role("button", name="Search again").click()
    expect(hits(page)).to_have_count(2)


def test_search_on_a_phone(told: Site, visits: Visits):
    page = visits.phone(told, path="/search?q=login")
    expect(search_box(page)).to_have_count(1)
    expect(search_box(page)).to_have_value("login")
    expect(hits(page)).to_have_count(2)
    search_box(page).fill("harbour")
    expect(hits(page).first).to_contain_text("About the harbour")
    assert _overflow(page) == 0
    expect(page.get_by_role("combobox")).to_have_count(0)  # the results come first
    page.get_by_role("button", name="Channel and days").click()
    page.get_by_role("combobox").select_option("email")
    expect(narrowed(page)).to_contain_text("Email")
    assert _overflow(page) == 0


def test_the_insights_are_those_of_the_api(told: Site, visits: Visits, api: httpx.Client):
    page = visits.tab(told, path="/insights?days=90")
    of = api.get("/api/insights").json()
    expect(_fact(page, "Messages")).to_have_text(_count(sum(day["messages"] for day in of["days"])))
    read = sum(day["inputTokens"] for day in of["days"])
    assert read > 0
    expect(_fact(page, "Tokens read")).to_have_text(_count(read))
    expect(_fact(page, "Conversations")).to_have_text(str(of["storage"]["conversations"]))
    by_model = page.get_by_role("table", name="Messages by model").get_by_role("row")
    expect(by_model).to_have_text(f"grand{_count(of['models'][0]['messages'])} messages")
    page.get_by_role("radio", name="Cost").check()
    by_channel = page.get_by_role("table", name="Cost by channel").get_by_role("row")
    expect(by_channel).to_have_count(len(of["channels"]))
    page.get_by_text("Show the numbers").click()
    numbers = page.get_by_role("region", name="Numbers by day").locator("tbody").get_by_role("row")
    expect(numbers).to_have_count(len(of["days"]))


def test_the_calendar_is_walked_by_keys_and_leads_to_a_day(told: Site, visits: Visits):
    page = visits.tab(told, path="/insights")
    grid = page.get_by_role("grid", name="Messages by day")
    today = grid.locator("[tabindex='0']")
    expect(today).to_have_accessible_name(re.compile(r"^\d+ messages on "))
    today.focus()
    for _ in range(LONG_AGO.date().toordinal() - NOW.date().toordinal(), 0):
        page.keyboard.press("ArrowUp")
    there = grid.locator(":focus")
    expect(there).to_have_accessible_name(re.compile(f"{LONG_AGO:%-d %B %Y}$"))
    expect(grid.locator("[tabindex='0']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/search\\?q={LONG_AGO:%-d}\\+{LONG_AGO:%B}"))
    expect(narrowed(page)).to_contain_text(f"{LONG_AGO:%-d %B %Y}")
    expect(hits(page)).to_have_count(1)
    expect(hits(page)).to_contain_text("About the login")


def test_the_chosen_days_stay_in_the_address(told: Site, visits: Visits):
    page = visits.tab(told, path="/insights")
    page.get_by_role("radio", name="30 days").check()
    expect(page).to_have_url(re.compile(r"\?days=30$"))
    expect(page.get_by_role("heading", name="Messages by day")).to_be_visible()
    expect(_fact(page, "Days with messages")).to_have_text("1")
    chart = page.get_by_role("slider", name="Messages over time")
    chart.press("End")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("^16 messages, "))
    page.get_by_role("radio", name="Other days").check()
    page.get_by_label("From").fill((LONG_AGO - timedelta(days=1)).date().isoformat())
    expect(_fact(page, "Days with messages")).to_have_text(re.compile("[23]"))
    page.reload()
    expect(page.get_by_role("radio", name="Other days")).to_be_checked()


def test_insights_on_a_phone_and_in_an_empty_home(site: Site, visits: Visits):
    page = visits.phone(site, path="/insights")
    expect(page.get_by_role("link", name="Begin a conversation")).to_be_visible()
    site.append(*conversation("login", "web", NOW, 3))
    page.reload()
    expect(page.get_by_role("grid", name="Messages by day")).to_be_visible()
    assert _overflow(page) == 0


def _fact(page: Page, name: str) -> Locator:
    return page.locator(
        "dl > div", has=page.locator("dt", has_text=re.compile(f"^{name}$"))
    ).locator("dd")


def _count(number: int) -> str:
    return f"{number:,}"


def _overflow(page: Page) -> Any:
    """How far the room can be pushed sideways."""
    return page.locator("main").evaluate("main => main.scrollWidth - main.clientWidth")
