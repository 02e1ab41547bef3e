"""Settings and first run, in a real browser."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from palaver.portability import FORMATS
from tests.models.server import ModelServer
from tests.page.elements import box, conversations, own, replies, send
from tests.page.visits import Visits
from tests.page.witness import REFUSED
from tests.server.site import Site, running_site


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


@pytest.fixture
def settings(site: Site, visits: Visits) -> Page:
    return visits.tab(site, path="/settings")


# --- first run ---


def test_the_first_message_needs_no_reading(page: Page):
    """An empty home: the box has the focus, so whoever begins to write has written."""
    expect(page.get_by_role("heading", name="Welcome to Palaver")).to_be_visible()
    expect(box(page)).to_be_focused()
    page.keyboard.type("We moved the team lunch to Thursday.")
    page.keyboard.press("Enter")
    expect(own(page)).to_contain_text("team lunch")
    expect(replies(page)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/c/conv-"))
    expect(page.get_by_text("Welcome to Palaver")).to_have_count(0)
    expect(conversations(page)).to_have_count(1)


def test_a_used_home_is_greeted_in_one_line(page: Page, api: httpx.Client):
    api.post("/api/chat", json={"message": "Hello."})
    page.reload()
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("heading", name="What is on your mind?")).to_be_visible()
    expect(page.get_by_text("Welcome to Palaver")).to_have_count(0)


def test_a_suggestion_fills_the_box_and_is_not_sent(page: Page):
    page.get_by_role("button", name="Note a decision").click()
    expect(box(page)).to_have_value(re.compile("We decided"))
    expect(box(page)).to_be_focused()
    expect(own(page)).to_have_count(0)
    send(page).click()
    expect(own(page)).to_contain_text("We decided")


def test_on_a_phone_the_box_is_in_sight(phone: Page):
    expect(phone.get_by_role("heading", name="Welcome to Palaver")).to_be_visible()
    expect(box(phone)).to_be_in_viewport(ratio=1)
    expect(send(phone)).to_be_in_viewport(ratio=1)


def test_a_model_is_offered_and_how_to_connect_it_is_told(page: Page):
    page.get_by_role("link", name="Connect a model").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.get_by_text("How to connect a model")).to_be_in_viewport()
    expect(page.get_by_text("apiKey: sk-ant-")).to_be_visible()


# --- time zone and theme ---


def test_a_time_zone_is_found_and_kept(settings: Page, api: httpx.Client):
    zone = settings.get_by_role("combobox", name="Time zone")
    zone.fill("tokyo")
    settings.keyboard.press("Enter")
    expect(zone).to_have_value("Asia / Tokyo")
    expect(settings.get_by_role("button", name="Use the default")).to_be_visible()
    assert api.get("/api/me").json()["timezone"] == "Asia/Tokyo"
    settings.reload()
    expect(zone).to_have_value("Asia / Tokyo")
    settings.get_by_role("button", name="Use the default").click()
    expect(settings.get_by_role("button", name="Use the default")).to_have_count(0)
    assert "timezone" not in api.get("/api/me").json()["chosen"]


def test_a_theme_is_kept(settings: Page):
    settings.get_by_role("radio", name="Dark").check()
    dark = settings.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    settings.reload()
    expect(settings.get_by_role("radio", name="Dark")).to_be_checked()
    again = settings.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    settings.get_by_role("radio", name="Light").check()
    light = settings.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (dark, light != dark) == (again, True)


# --- models ---


def test_a_model_that_answers(provider: ModelServer, site: Site, visits: Visits):
    page = visits.tab(site, path="/settings")
    page.get_by_role("button", name="Test sonnet").click()
    answers = page.get_by_text(re.compile(r"It answers, after [\d.]+ m?s"))
    expect(answers).to_be_visible(timeout=60_000)  # the provider's library is loaded first
    assert len(provider.asked) == 1


def test_a_model_that_cannot_be_reached(tmp_path: Path, visits: Visits):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    where = f"{{apiKey: sk-a1b2c3d4e5, baseUrl: 'http://127.0.0.1:{port}'}}"
    home = tmp_path / "unreachable"
    home.mkdir()
    (home / "config.yaml").write_text(
        f"agent: {{model: sonnet, providers: {{anthropic: {where}}}}}"
    )
    with running_site(home) as site:
        page = visits.tab(site, path="/settings")
        page.get_by_role("button", name="Test sonnet").click()
        told = section(page, "Models").get_by_role("status").filter(has_text=re.compile(r"\w"))
        expect(told).not_to_contain_text("Asking", timeout=40_000)
        expect(told).to_contain_text("baseUrl")


def test_one_that_is_not_connected_says_what_to_set(settings: Page):
    settings.get_by_role("button", name="Test opus").click()
    expect(settings.get_by_text("agent.providers.anthropic.apiKey")).to_be_visible()
    expect(settings.get_by_role("radio", name="opus")).to_be_disabled()


def test_the_usual_model_is_chosen(provider: ModelServer, site: Site, visits: Visits):
    page = visits.tab(site, path="/settings")
    expect(page.get_by_role("radio", name=re.compile("sonnet"))).to_be_checked()
    page.get_by_role("radio", name=re.compile("offline")).check()
    expect(page.get_by_role("button", name="Use the default model")).to_be_visible()
    with site.program() as api:
        assert api.get("/api/me").json()["model"] == "offline"


# --- tokens ---


def test_a_token_is_shown_once_works_and_is_revoked(settings: Page, site: Site):
    settings.get_by_role("button", name="New token…").click()
    settings.get_by_label("Name, so that").fill("Backup")
    settings.get_by_role("button", name="Create token").click()
    secret = settings.get_by_role("textbox", name="The token").input_value()
    expect(settings.get_by_text("it is not shown again")).to_be_visible()
    settings.get_by_role("button", name="Copy", exact=True).click()
    expect(settings.get_by_text("Copied.")).to_be_visible()
    assert settings.evaluate("navigator.clipboard.readText()") == secret
    with site.client(Authorization=f"Bearer {secret}") as program:
        assert program.get("/api/conversations").status_code == 200
        assert program.post("/api/conversations", json={}).status_code == 403
        settings.get_by_role("button", name="Done").click()
        settings.reload()
        assert secret not in settings.content()
        settings.get_by_role("button", name="Revoke Backup").click()
        settings.get_by_role("button", name="Revoke “Backup”").click()
        expect(settings.get_by_text("1 revoked token")).to_be_visible()
        assert program.get("/api/conversations").status_code == 401


# --- how things stand, and leaving ---


def test_the_index_is_made_again(settings: Page, api: httpx.Client):
    made = api.post("/api/chat", json={"message": "The albatross."}).json()["conversationId"]
    settings.get_by_role("button", name="Rebuild the index").click()
    expect(settings.get_by_text("It is new.")).to_be_visible()
    listed = api.get("/api/conversations").json()["conversations"]
    assert [one["id"] for one in listed] == [made]


@pytest.mark.parametrize("form", FORMATS)
def test_everything_is_downloaded(settings: Page, api: httpx.Client, tmp_path: Path, form: str):
    for number in range(3):
        api.post("/api/chat", json={"message": f"Albatross {number}."})
    link = section(settings, "Export everything").locator(f"a[href$='format={form}']")
    with settings.expect_download() as downloading:
        link.click()
    file = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(file)
    assert file.stem == "palaver"
    assert all(f"Albatross {number}." in file.read_text() for number in range(3))
    if form == "jsonl":
        assert all(json.loads(line) for line in file.read_text().splitlines())


def test_somebody_signs_out(settings: Page, site: Site, visits: Visits):
    visits.witness(settings).allow(REFUSED, "HTTP Authentication failed")
    settings.get_by_role("button", name="Sign out").click()
    expect(settings).to_have_url(re.compile("/login"))
    settings.goto(f"{site.url}/settings")
    expect(settings).to_have_url(re.compile(r"/login\?to=%2Fsettings"))
    expect(settings.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()


def test_everything_fits_a_phone(site: Site, visits: Visits):
    phone = visits.phone(site, path="/settings")
    expect(phone.get_by_role("heading", name="Settings")).to_be_visible()
    phone.get_by_role("button", name="New token…").click()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert phone.evaluate(wide) == 0
    room = "document.querySelector('.settings').scrollWidth - innerWidth"
    assert phone.evaluate(room) <= 0
