"""The shell, in a real browser: the list and what can be done there, the palette, keys, themes."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.elements import box, conversations, own, write
from tests.page.served import Served
from tests.page.visits import PHONE, Visits
from tests.server.site import Site

Json = dict[str, Any]
HERE = re.compile("/c/conv-")
NAMED = """() => {
  const at = document.activeElement;
  const named = document.getElementById(at.getAttribute("aria-labelledby"));
  return at.getAttribute("aria-label") || (named ?? at).textContent.trim();
}"""
"""What has the focus, by its name."""


def begin(api: httpx.Client, title: str, *said: str, **more: str) -> str:
    """A conversation of that title, as a program writes it. Returns its id."""
    answer = api.post("/api/conversations", json={"title": title, **more})
    found: str = answer.raise_for_status().json()["id"]
    for words in said or ("Something was said.",):
        message = {"role": "user", "content": words}
        api.post(f"/api/conversations/{found}/messages", json=message).raise_for_status()
    return found


def change(api: httpx.Client, found: str, **what: object) -> None:
    api.patch(f"/api/conversations/{found}", json=what).raise_for_status()


def titles(page: Page) -> Locator:
    return conversations(page).locator(".shell-row-title")


def link(page: Page, title: str) -> Locator:
    return conversations(page).and_(page.get_by_role("link", name=title, exact=True))


def act(page: Page, title: str, action: str) -> None:
    """Chooses something from the menu of a row."""
    link(page, title).hover()
    page.get_by_role("button", name=f"Actions for {title}", exact=True).click()
    page.get_by_role("menuitem", name=action, exact=True).click()


def notices(page: Page) -> Locator:
    return page.get_by_role("region", name="Notices")


# --- the list ---


def test_the_list_is_in_groups_and_in_live_order_in_every_tab(
    api: httpx.Client, page: Page, site: Site, visits: Visits
):
    first = begin(api, "Boiler")
    begin(api, "Tickets")
    change(api, begin(api, "Hanan", channel="whatsapp"), pinned=True)
    old = {"role": "user", "content": "Long ago", "timestamp": "2020-05-01T10:00:00Z"}
    ancient = api.post("/api/conversations", json={"title": "Ancient"}).json()["id"]
    api.post(f"/api/conversations/{ancient}/messages", json=old).raise_for_status()
    other = visits.tab(site, into=page.context)
    for tab in (page, other):
        expect(conversations(tab)).to_have_count(4)
    groups = page.get_by_role("navigation", name="Conversations").get_by_role("heading")
    expect(groups.first).to_have_text("Channels")
    expect(titles(page).first).to_have_text("Hanan")
    message = {"role": "user", "content": "The pump is loud again."}
    api.post(f"/api/conversations/{first}/messages", json=message).raise_for_status()
    for tab in (page, other):
        active = tab.get_by_role("region", name="Active").get_by_role("link")
        expect(active.first).to_have_accessible_name("Boiler")


def test_a_message_that_was_not_looked_at_is_marked_until_it_is(api: httpx.Client, page: Page):
    begin(api, "Boiler")
    here = begin(api, "Tickets")
    link(page, "Boiler").click()
    message = {"role": "assistant", "content": "Two seats are left."}
    api.post(f"/api/conversations/{here}/messages", json=message).raise_for_status()
    expect(link(page, "Tickets")).to_have_accessible_description(re.compile("not read yet"))
    link(page, "Tickets").click()
    expect(link(page, "Tickets")).not_to_have_accessible_description(re.compile("not read yet"))
    expect(link(page, "Tickets")).to_have_attribute("aria-current", "page")


def test_a_name_is_typed_in_place_and_outlives_what_others_do(
    api: httpx.Client, page: Page, site: Site, visits: Visits
):
    here = begin(api, "Boiler")
    begin(api, "Tickets")
    other = visits.tab(site, into=page.context)
    act(page, "Boiler", "Rename")
    field = page.get_by_role("textbox", name="New name of")
    expect(field).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Loud")
    message = {"role": "user", "content": "It moves the row to the top."}
    api.post(f"/api/conversations/{here}/messages", json=message).raise_for_status()
    expect(titles(other).first).to_have_text("Boiler")
    expect(field).to_have_value("Loud")
    expect(field).to_be_focused()
    page.keyboard.type(" boiler")
    page.keyboard.press("Enter")
    expect(link(page, "Loud boiler")).to_be_focused()
    expect(link(other, "Loud boiler")).to_be_visible()
    meta = api.get(f"/api/conversations/{here}").json()["conversation"]
    assert (meta["title"], meta["manuallyNamed"]) == ("Loud boiler", True)


def test_a_half_typed_name_outlives_a_reload(api: httpx.Client, page: Page):
    begin(api, "Boiler")
    act(page, "Boiler", "Rename")
    page.get_by_role("textbox", name="New name of").fill("Half a na")
    page.reload()
    field = page.get_by_role("textbox", name="New name of")
    expect(field).to_have_value("Half a na")
    field.press("Escape")
    expect(link(page, "Boiler")).to_be_visible()


def test_archiving_can_be_undone_and_what_is_archived_is_found_again(api: httpx.Client, page: Page):
    here = begin(api, "Boiler")
    act(page, "Boiler", "Archive")
    expect(conversations(page)).to_have_count(0)
    notices(page).get_by_role("button", name="Undo").click()
    expect(link(page, "Boiler")).to_be_visible()
    act(page, "Boiler", "Archive")
    expect(conversations(page)).to_have_count(0)
    page.get_by_role("button", name="Archived").click()
    expect(link(page, "Boiler")).to_be_visible()
    assert api.get(f"/api/conversations/{here}").json()["conversation"]["archived"]
    act(page, "Boiler", "Unarchive")
    expect(page.get_by_text("Nothing is archived.")).to_be_visible()
    page.get_by_role("button", name="Archived").click()
    expect(link(page, "Boiler")).to_be_visible()


def test_deleting_shows_what_goes_then_offers_undo_then_gives_the_receipt(
    api: httpx.Client, page: Page
):
    here = begin(api, "Boiler", "One", "Two", "Three")
    begin(api, "Tickets")
    link(page, "Boiler").click()
    expect(own(page)).to_have_count(3)
    for keeps in (True, False):
        act(page, "Boiler", "Delete")
        dialog = page.get_by_role("dialog", name="Erase this conversation?")
        expect(dialog).to_contain_text("Boiler")
        dialog.get_by_role("button", name="Erase 3 messages").click()
        expect(link(page, "Boiler")).to_have_count(0)
        if keeps:
            notices(page).get_by_role("button", name="Undo").click()
            expect(link(page, "Boiler")).to_have_attribute("aria-current", "page")
            expect(own(page)).to_have_count(3)
    expect(notices(page)).to_contain_text("Erased 3 messages of “Boiler”.")
    assert api.get(f"/api/conversations/{here}").status_code in (404, 410)
    expect(conversations(page)).to_have_count(1)


def test_what_is_pinned_says_why_it_stays(api: httpx.Client, page: Page, visits: Visits):
    visits.witness(page).allow(r"status of 409")
    here = begin(api, "Hanan", channel="whatsapp")
    change(api, here, pinned=True)
    expect(page.get_by_role("region", name="Channels").get_by_role("link")).to_have_count(1)
    act(page, "Hanan", "Delete")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("pin")
    expect(dialog.get_by_role("button", name=re.compile("^Erase"))).to_have_count(0)
    dialog.get_by_role("button", name="Keep it").click()
    with page.expect_response(f"**/api/conversations/{here}"):  # it is shown before it is answered
        act(page, "Hanan", "Unpin")
    expect(page.get_by_role("region", name="Channels")).to_have_count(0)
    assert api.get(f"/api/conversations/{here}").json()["conversation"]["pinned"] is False


def test_more_of_a_long_list_comes_by_scrolling(api: httpx.Client, page: Page):
    for number in range(120):
        api.post("/api/conversations", json={"title": f"Number {number}"}).raise_for_status()
    page.reload()
    expect(conversations(page).first).to_be_visible()
    assert conversations(page).count() < 120
    page.locator(".shell-list").hover()
    while conversations(page).count() < 120:
        before = conversations(page).count()
        page.mouse.wheel(0, 100_000)
        expect(conversations(page).nth(before)).to_be_attached()
    expect(page.get_by_role("button", name="Load more")).to_have_count(0)


# --- the layout ---


def test_the_list_is_resized_by_mouse_and_keys_and_its_width_is_kept(page: Page):
    edge = page.get_by_role("separator", name="Width of the list")
    edge.focus()
    page.keyboard.press("ArrowRight")
    expect(edge).to_have_attribute("aria-valuenow", "304")
    side = page.locator("aside")
    where = edge.bounding_box()
    assert where
    page.mouse.move(where["x"] + 4, where["y"] + 200)
    page.mouse.down()
    page.mouse.move(400, 300, steps=4)
    page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", "400")
    page.reload()
    expect(side).to_have_css("width", "400px")


def test_the_list_is_hidden_and_stays_so(page: Page):
    page.get_by_role("button", name="Hide the list").click()
    expect(page.get_by_role("navigation", name="Conversations")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="New conversation")).to_have_count(1)
    page.get_by_role("button", name="Show the list").click()
    expect(page.get_by_role("navigation", name="Conversations")).to_be_visible()


def test_on_a_phone_the_list_is_a_drawer(api: httpx.Client, phone: Page):
    begin(api, "Boiler")
    begin(api, "Tickets")
    expect(box(phone)).to_be_visible()
    shows = phone.get_by_role("button", name="Show the list")
    expect(phone.get_by_role("navigation", name="Conversations")).to_have_count(0)
    shows.click()
    expect(conversations(phone)).to_have_count(2)
    focuses = "(one) => { one.focus(); return one === document.activeElement; }"
    assert not box(phone).evaluate(focuses)  # nothing under the drawer can be reached
    for _ in range(40):
        phone.keyboard.press("Tab")
        inside = "document.activeElement.closest('aside') || document.activeElement.tagName"
        assert phone.evaluate(f"() => {{ const at = {inside}; return at === 'BODY' || !!at }}")
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("navigation", name="Conversations")).to_have_count(0)
    expect(shows).to_be_focused()
    shows.click()
    link(phone, "Boiler").click()
    expect(phone).to_have_url(HERE)
    expect(phone.get_by_role("navigation", name="Conversations")).to_have_count(0)
    expect(own(phone)).to_contain_text("Something was said.")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_on_a_phone_the_search_box_stands_on_the_search_page(api: httpx.Client, phone: Page):
    begin(api, "Boiler", "The pump is loud.")
    phone.get_by_role("link", name="Search").click()
    search = phone.get_by_role("searchbox", name="Search")
    expect(search).to_be_focused()
    search.fill("pump")
    expect(phone).to_have_url(re.compile(r"/search\?q=pump"))
    expect(phone.get_by_role("main")).to_contain_text("The pump is loud.")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_systems_until_one_is_chosen(site: Site, visits: Visits, scheme: Any):
    page = visits.tab(site, into=visits.profile(scheme=scheme))
    paper = {"light": "rgb(251, 250, 247)", "dark": "rgb(25, 26, 26)"}
    expect(page.locator("html")).to_have_css("background-color", paper[scheme])
    other = {"light": "dark", "dark": "light"}[scheme]
    second = visits.tab(site, into=page.context)
    page.keyboard.press("Control+k")
    page.keyboard.type(f"{other} theme")
    page.keyboard.press("Enter")
    for tab in (page, second):
        expect(tab.locator("html")).to_have_css("background-color", paper[other])
    page.reload()
    expect(page.locator("html")).to_have_css("background-color", paper[other])


# --- keys ---


def test_the_palette_finds_conversations_messages_and_commands_by_keys_alone(
    api: httpx.Client, page: Page
):
    begin(api, "Boiler", "The pump is loud.")
    here = begin(api, "Tickets", "Two seats by the window.")
    expect(conversations(page)).to_have_count(2)
    page.keyboard.press("Control+k")
    finds = page.get_by_role("combobox", name="Find anything")
    expect(finds).to_be_focused()
    page.keyboard.type("boil")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Boiler")
    page.keyboard.press("Enter")
    expect(finds).to_have_count(0)
    expect(own(page)).to_contain_text("The pump is loud.")

    page.keyboard.press("Control+k")
    page.keyboard.type("window seats")
    message = page.get_by_role("option").filter(has_text="Two seats by the window.")
    expect(message).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/c/{here}#msg-"))
    expect(own(page)).to_contain_text("Two seats by the window.")

    page.keyboard.press("Control+k")
    page.keyboard.type("go to sett")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/settings"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("Alt+n")
    expect(page).to_have_url(re.compile(r"/\?new"))
    expect(box(page)).to_be_focused()


def test_the_palette_closes_and_gives_the_focus_back(page: Page):
    expect(box(page)).to_be_focused()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Find anything")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box(page)).to_be_focused()


def test_the_keys_are_shown(page: Page):
    page.keyboard.press("Control+/")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("Find anything, or do anything")
    expect(dialog).to_contain_text("New conversation")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_everything_of_the_list_is_reached_by_tab(api: httpx.Client, page: Page):
    begin(api, "Boiler")
    begin(api, "Tickets")
    expect(conversations(page)).to_have_count(2)
    page.get_by_role("link", name="Skip to the conversation").focus()
    reached: list[str] = []
    for _ in range(16):
        reached.append(page.evaluate(NAMED))
        page.keyboard.press("Tab")
    wanted = [
        "Skip to the conversation",
        "New conversation",
        "Hide the list",
        "Today",
        "Search",
        "Tickets",
        "Actions for Tickets",
        "Boiler",
        "Actions for Boiler",
        "Archived",
        "Commands",
        "External communications",
        "Memories",
        "Insights",
        "Settings",
        "Width of the list",
    ]
    assert reached == wanted


def test_a_row_is_renamed_and_deleted_by_keys_alone(api: httpx.Client, page: Page):
    begin(api, "Boiler")
    begin(api, "Tickets")
    page.get_by_role("button", name="Actions for Boiler").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("Pump\n")
    expect(link(page, "Pump")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(page.get_by_role("menuitem", name="Delete")).to_be_focused()
    page.keyboard.press("Enter")
    erase = page.get_by_role("button", name="Erase 1 message")
    expect(erase).to_be_visible()
    for _ in range(5):
        if erase.evaluate("(one) => one === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(link(page, "Pump")).to_have_count(0)
    expect(notices(page)).to_contain_text("Erased 1 message of “Pump”.")


# --- addresses, and how the page stands with the server ---


def test_an_unknown_address_leads_home(page: Page):
    page.evaluate("history.pushState({}, '', '/nowhere')")
    expect(page.get_by_role("heading", name="Nothing is here")).to_be_visible()
    page.get_by_role("link", name="Go to your conversations").click()
    expect(box(page)).to_be_visible()


def test_the_skip_link_leads_into_the_page(page: Page):
    page.get_by_role("link", name="Skip to the conversation").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_break_is_told_calmly_and_ends_by_itself_or_at_once(served: Served, tab: Page):
    served.open(tab)
    write(tab, "Before the break.")
    expect(own(tab)).to_have_count(1)
    served.kill()
    banner = tab.get_by_text("Reconnecting… What you write is kept.")
    expect(banner).to_be_visible()
    served.start()
    again = tab.get_by_role("button", name="Try now")
    if again.is_visible():
        again.click(timeout=2000, force=True)
    expect(banner).to_have_count(0)


def test_who_is_signed_out_is_led_to_the_door(page: Page, visits: Visits, site: Site):
    visits.witness(page).allow("401", "WebSocket")
    expect(box(page)).to_be_visible()
    status = page.evaluate("fetch('/api/logout', { method: 'POST' }).then((a) => a.status)")
    assert status < 400, status
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
