"""The reference of the API in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.visits import Visits
from tests.page.witness import REFUSED
from tests.server.site import Site
from tests.server.test_openapi import PROMISED

REGENERATE = "/api/conversations/{conversationId}/messages/{messageId}/regenerate"


@pytest.fixture
def docs(site: Site, visits: Visits) -> Page:
    return visits.tab(site, path="/docs")


def test_it_lists_every_route(docs: Page):
    expect(docs.get_by_text(REGENERATE, exact=True)).to_be_visible()
    expect(docs.locator("details.docs-route")).to_have_count(len(PROMISED))
    expect(docs.get_by_role("status")).to_have_text(f"{len(PROMISED)} routes")


def test_routes_are_found_by_address_scope_and_field(docs: Page):
    routes, search = docs.locator("details.docs-route"), docs.get_by_role("searchbox")
    search.fill("post regenerate")
    expect(routes).to_have_count(1)
    expect(routes).to_contain_text(REGENERATE)
    search.fill("ignoreTimePhrases")
    expect(routes).to_contain_text("/api/search")
    expect(routes).to_have_count(1)
    search.fill("xylophone")
    expect(routes).to_have_count(0)
    docs.get_by_role("button", name="Show all routes").click()
    expect(routes).to_have_count(len(PROMISED))


def test_a_route_tells_its_scope_fields_and_shapes(docs: Page):
    route = docs.locator("[id='POST-/api/chat']")
    route.locator("summary").click()
    expect(route).to_contain_text("Scope chat")
    expect(route.get_by_role("region", name="Parameters and fields")).to_contain_text("message")
    expect(route.get_by_role("region", name="Answers")).to_contain_text("event reply_delta")
    route.get_by_role("link", name="Reply", exact=True).click()
    shape = docs.locator("#Reply")
    expect(shape).to_have_attribute("open", "")
    expect(shape).to_be_in_viewport()


def test_an_address_with_a_route_opens_it(site: Site, visits: Visits):
    docs = visits.tab(site, path="/docs#GET-/api/search")
    expect(docs.locator("[id='GET-/api/search']")).to_have_attribute("open", "")


def test_whoever_is_not_signed_in_is_told_how(site: Site, tab: Page, visits: Visits):
    visits.witness(tab).allow(REFUSED)
    tab.goto(f"{site.url}/docs")
    expect(tab.get_by_role("alert")).to_be_visible()
    tab.get_by_role("link", name="Sign in to read it.").click()
    expect(tab.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()


def test_it_fits_a_phone(site: Site, visits: Visits):
    docs = visits.phone(site, path="/docs#POST-/api/chat")
    expect(docs.get_by_text(REGENERATE, exact=True)).to_be_visible()
    assert docs.evaluate("document.documentElement.scrollWidth") <= 360
