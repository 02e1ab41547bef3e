"""The fixtures themselves: a witness that sees, and a server that comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.page.served import Served
from tests.page.visits import Visits
from tests.page.witness import REFUSED
from tests.server.site import Site


@pytest.mark.parametrize(
    "deed",
    [
        "console.error('Oh')",
        "setTimeout(() => { throw new Error('Oh') })",
        "eval('1')",
        "fetch('http://127.0.0.1:9/').catch(() => 0)",
        "document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png' }))",
    ],
)
def test_a_witness_sees_what_must_not_happen(site: Site, visits: Visits, deed: str):
    page = visits.tab(site, path="/docs")
    witness = visits.witness(page)
    witness.check()
    with page.expect_event("console" if "Error" not in deed else "pageerror"):
        page.evaluate(f"() => {{ setTimeout(() => {{ {deed} }}) }}")
    with pytest.raises(AssertionError):
        witness.check()
    witness.allow("Oh", "Content Security Policy", "")


def test_a_tab_is_signed_in(site: Site, visits: Visits):
    page = visits.tab(site, path="/docs")
    assert page.evaluate("fetch('/api/me').then((answer) => answer.status)") == 200


def test_a_profile_of_its_own_is_not(site: Site, tab: Page, visits: Visits):
    visits.witness(tab).allow(REFUSED)
    tab.goto(f"{site.url}/docs")
    assert tab.evaluate("fetch('/api/me').then((answer) => answer.status)") == 401


def test_a_server_is_killed_and_comes_back_at_its_address(served: Served, tab: Page):
    served.open(tab)
    tab.goto(f"{served.url}/docs")
    served.kill()
    failed = "fetch('/healthz').then(() => 'there', () => 'gone')"
    assert tab.evaluate(failed) == "gone"
    served.start()
    assert tab.evaluate(failed) == "there"
