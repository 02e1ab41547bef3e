"""The sign-in page in a real browser: with a link, and with a name and a password."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.server.site import Site
from tests.server.test_page import box, chromium, site, tab

__all__ = ["chromium", "site", "tab"]

PASSWORD = "correct horse"


@pytest.fixture
def ann(site: Site) -> str:
    return site.accounts.add_user("ann", PASSWORD).id


def sign_in(tab: Page, name: str, password: str) -> None:
    tab.get_by_role("textbox", name="Name").fill(name)
    tab.get_by_role("textbox", name="Password").fill(password)
    tab.keyboard.press("Enter")


def test_nobody_is_asked_for_a_password_that_nobody_has(site: Site, tab: Page):
    tab.goto(f"{site.url}/login")
    expect(tab.get_by_text("Palaver prints a link when it starts.")).to_be_visible()
    expect(tab.get_by_role("textbox")).to_have_count(0)


def test_somebody_signs_in_and_out_by_keyboard(site: Site, ann: str, tab: Page):
    tab.goto(site.url)
    expect(tab.get_by_role("textbox", name="Name")).to_be_focused()
    sign_in(tab, "Ann", PASSWORD)
    expect(box(tab)).to_be_visible()
    assert tab.evaluate("fetch('/api/me').then((answer) => answer.json())")["user"] == ann
    tab.get_by_role("button", name="Sign out").click()
    tab.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(tab.get_by_role("button", name="Sign in")).to_be_visible()


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
def test_a_link_signs_in_without_asking_and_an_old_one_leads_to_the_form(site: Site, tab: Page):
    tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
    expect(box(tab)).to_be_visible()
    tab.context.clear_cookies()
    tab.goto(f"{site.url}/login?code=old")
    expect(tab.get_by_role("heading", name="This link does not work")).to_be_visible()
    sign_in(tab, "ann", PASSWORD)
    expect(box(tab)).to_be_visible()


@pytest.mark.usefixtures("ann")
def test_it_fits_a_telephone(site: Site, tab: Page):
    tab.set_viewport_size({"width": 320, "height": 568})
    tab.goto(f"{site.url}/login")
    expect(tab.get_by_role("button", name="Sign in")).to_be_in_viewport()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
