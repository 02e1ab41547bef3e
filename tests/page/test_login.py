"""The sign-in page in a real browser: with a link, and with a name and a password."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.elements import box
from tests.page.visits import PHONE, Visits
from tests.page.witness import REFUSED
from tests.server.site import Site

PASSWORD = "correct horse"


@pytest.fixture
def ann(site: Site) -> str:
    return site.accounts.add_user("ann", PASSWORD).id


@pytest.fixture(autouse=True)
def refusals_are_meant(tab: Page, visits: Visits) -> None:
    """Somebody who is not signed in is refused; Chromium writes that to the console."""
    visits.witness(tab).allow(REFUSED)


def sign_in(tab: Page, name: str, password: str) -> None:
    tab.get_by_role("textbox", name="Name").fill(name)
    tab.get_by_role("textbox", name="Password").fill(password)
    tab.keyboard.press("Enter")


def test_nobody_is_asked_for_a_password_that_nobody_has(site: Site, tab: Page):
    tab.goto(f"{site.url}/login")
    expect(tab.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()
    expect(tab.get_by_text("Palaver prints a link when it starts.")).to_be_visible()
    expect(tab.get_by_text("The link works once.")).to_be_visible()
    expect(tab.get_by_role("textbox")).to_have_count(0)


def test_without_signing_in_the_page_says_how(site: Site, tab: Page):
    tab.goto(f"{site.url}/")
    expect(tab.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()


def test_a_link_signs_in_and_leaves_no_code_behind(site: Site, tab: Page):
    tab.goto(f"{site.url}/docs")
    tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
    expect(box(tab)).to_be_visible()
    assert "code" not in tab.url
    tab.go_back()
    expect(tab).to_have_url(f"{site.url}/docs")


def test_a_used_link_says_so_unless_the_browser_is_signed_in(site: Site, tab: Page, visits: Visits):
    used = site.accounts.create_link("local")
    site.accounts.sign_in_by_link(used)
    tab.goto(f"{site.url}/login?code={used}")
    expect(tab.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(tab.get_by_text("prints a new link")).to_be_visible()
    signed_in = visits.tab(site)
    visits.witness(signed_in).allow(REFUSED)
    signed_in.goto(f"{site.url}/login?code={used}")
    expect(box(signed_in)).to_be_visible()


def test_a_link_that_fails_for_another_reason_can_be_tried_again(site: Site, tab: Page):
    busy = {"code": "storage_busy", "title": "", "detail": "Busy.", "remedy": ""}
    tab.route("**/api/login", lambda route: route.fulfill(status=503, json=busy), times=1)
    tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
    expect(tab.get_by_role("heading", name="That did not work")).to_be_visible()
    expect(tab.get_by_text("Busy.")).to_be_visible()
    tab.get_by_role("button", name="Try again").click()
    expect(box(tab)).to_be_visible()


def test_whoever_is_signed_in_is_not_asked_again(site: Site, visits: Visits):
    tab = visits.tab(site)
    tab.goto(f"{site.url}/login")
    expect(box(tab)).to_be_visible()


def test_somebody_signs_in_by_keyboard(site: Site, ann: str, tab: Page):
    tab.goto(site.url)
    expect(tab.get_by_role("textbox", name="Name")).to_be_focused()
    sign_in(tab, "Ann", PASSWORD)
    expect(box(tab)).to_be_visible()
    assert tab.evaluate("fetch('/api/me').then((answer) => answer.json())")["user"] == ann


@pytest.mark.usefixtures("ann")
def test_signing_in_leads_to_what_was_asked_for(site: Site, tab: Page):
    tab.goto(f"{site.url}/search?q=zeppelin")
    sign_in(tab, "ann", PASSWORD)
    expect(tab).to_have_url(f"{site.url}/search?q=zeppelin")


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "%5c%5ce",
    ],
)
@pytest.mark.usefixtures("ann")
def test_signing_in_leads_to_no_other_site(site: Site, tab: Page, elsewhere: str):
    tab.goto(f"{site.url}/login?to={elsewhere}")
    sign_in(tab, "ann", PASSWORD)
    expect(tab).to_have_url(re.compile(f"^{re.escape(site.url)}/"))
    tab.wait_for_url(lambda address: "/login" not in address)


@pytest.mark.usefixtures("ann")
def test_a_wrong_password_is_told_in_the_server_s_words_and_can_be_mended(site: Site, tab: Page):
    tab.goto(f"{site.url}/login")
    sign_in(tab, "ann", "wrong horse")
    expect(tab.get_by_role("alert")).to_contain_text("The name or the password is wrong.")
    expect(tab.get_by_role("textbox", name="Password")).to_be_focused()
    tab.keyboard.type(PASSWORD)
    tab.keyboard.press("Enter")
    expect(box(tab)).to_be_visible()


@pytest.mark.usefixtures("ann")
def test_somebody_who_has_to_wait_is_told_how_long(site: Site, tab: Page):
    tab.clock.install()
    headers = {"Retry-After": "30"}
    body = {"code": "limit_reached", "title": "", "detail": "Too often.", "remedy": "Wait."}
    tab.route("**/api/login", lambda route: route.fulfill(status=429, headers=headers, json=body))
    tab.goto(f"{site.url}/login")
    sign_in(tab, "ann", "wrong horse")
    expect(tab.get_by_role("alert")).to_contain_text("Too often. Wait.")
    expect(tab.get_by_role("button", name="Sign in (in")).to_be_disabled()
    tab.clock.run_for(31_000)
    expect(tab.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()


@pytest.mark.usefixtures("ann")
def test_a_link_signs_in_without_asking_and_an_old_one_leads_to_the_form(site: Site, tab: Page):
    tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
    expect(box(tab)).to_be_visible()
    tab.context.clear_cookies()
    tab.goto(f"{site.url}/login?code=old")
    expect(tab.get_by_role("heading", name="This link does not work")).to_be_visible()
    sign_in(tab, "ann", PASSWORD)
    expect(box(tab)).to_be_visible()


@pytest.mark.usefixtures("ann")
def test_it_fits_a_telephone(site: Site, visits: Visits):
    for width in (320, PHONE[0]):
        tab = visits.profile(size=(width, 568), touch=True).new_page()
        visits.witness(tab).allow(REFUSED)
        tab.goto(f"{site.url}/login")
        expect(tab.get_by_role("button", name="Sign in")).to_be_in_viewport()
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_signing_out_leads_to_the_sign_in_page_and_ends_the_way_in(
    site: Site, tab: Page, visits: Visits
):
    visits.tab(site, into=tab.context, path="/settings").close()
    tab.goto(f"{site.url}/settings")
    out = tab.get_by_role("button", name="Sign out")
    out.focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()
    expect(tab.get_by_text("The link works once.")).to_be_visible()
    tab.goto(f"{site.url}/")
    expect(tab.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()
    assert tab.evaluate("fetch('/api/me').then((answer) => answer.status)") == 401
