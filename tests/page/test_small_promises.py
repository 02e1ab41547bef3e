"""What the built page promises: small, from one place, nothing inline, and names that stay."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from scripts.page import OUTPUT as FOLDER
from tests.page.elements import box, conversations, replies, send, write
from tests.page.visits import Visits
from tests.server.site import Site

MOST = 250_000
"""Bytes of JavaScript, gzipped, before somebody can write."""
PAGES = ("index", "login", "docs")
_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*["']([^"']+\.js)["']""")
_SCRIPT = re.compile(r'<script\b[^>]*\bsrc="/page/([^"]+)"')
_FOREIGN = re.compile(r"""(?:https?:)?//[\w-]+(?:\.[\w-]+)+[^\s"'`)\\]*""")
_NAMED = ("www.w3.org", "react.dev", "github.com", "reactjs.org")
"""Names of formats, and places that libraries tell developers to read; nothing asks them."""


def built(*endings: str) -> list[Path]:
    found = [path for path in FOLDER.iterdir() if path.suffix in endings]
    assert found, "The page is not built: make page."
    return found


def first_load(page: str) -> set[Path]:
    """Every script that a page loads before anything is asked for, by following its imports."""
    waiting = [FOLDER / name for name in _SCRIPT.findall((FOLDER / f"{page}.html").read_text())]
    found: set[Path] = set()
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        waiting += [(file.parent / name).resolve() for name in _IMPORT.findall(file.read_text())]
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_first_load_is_small(page: str):
    files = first_load(page)
    assert files
    size = sum(len(gzip.compress(file.read_bytes(), 6)) for file in files)
    assert size <= MOST, f"{size} bytes: {sorted(file.name for file in files)}"


def test_what_is_seldom_needed_comes_later():
    """Other rooms, and the colours of code, are not in the first load."""
    names = " ".join(file.name for file in first_load("index"))
    rooms = ("Continuous", "Memories", "Dialogs", "Settings", "Search", "Insights", "Inspector")
    for room in (*rooms, "python", "typescript"):
        assert room not in names
        assert any(file.name.startswith(room) for file in built(".js"))


def test_the_browser_loads_no_more_than_that(site: Site, visits: Visits):
    page = visits.profile().new_page()
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url.rsplit("/", 1)[-1]))
    page.context.add_cookies(
        [{"name": site.cookie, "value": site.accounts.sign_in("local"), "url": site.url}]
    )
    page.goto(site.url)
    expect(box(page)).to_be_visible()
    scripts = {name for name in asked if name.endswith(".js")}
    assert scripts
    assert scripts <= {file.name for file in first_load("index")}


def test_nothing_comes_from_elsewhere():
    for file in built(".js", ".css", ".html"):
        found = [one for one in _FOREIGN.findall(file.read_text()) if not _is_named(one)]
        assert not found, f"{file.name}: {found}"


def _is_named(address: str) -> bool:
    return any(name in address for name in _NAMED)


def test_there_are_no_fonts_and_no_data_addresses():
    assert not [path for path in FOLDER.iterdir() if path.suffix in {".woff", ".woff2", ".ttf"}]
    for file in built(".css"):
        text = file.read_text()
        assert "@font-face" not in text
        assert "@import" not in text
        assert not re.search(r"url\((?!['\"]?#)", text), file.name


def test_nothing_is_inline():
    for file in built(".html"):
        text = file.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), file.name
        assert not re.search(r"<style|\sstyle=|\son\w+=", text), file.name


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/continuous",
        "/continuous/2026-02-14",
        "/search?q=a",
        "/memories",
        "/insights",
        "/settings",
        "/login",
        "/docs",
        "/nothing",
    ],
)
def test_every_page_has_the_strict_policy(site: Site, path: str):
    with site.client(Accept="text/html") as client:
        policy = client.get(path).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if " " in rule.strip())
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    assert not re.search(r"(?<!\w)(?:https?:|data:|blob:|\*)", policy)
    for kind in ("script-src", "style-src", "img-src", "connect-src"):
        assert rules.get(kind, "'none'") in {"'self'", "'none'"}


def test_the_names_that_were_promised(page: Page):
    expect(box(page)).to_be_visible()
    expect(send(page)).to_be_visible()
    expect(page.get_by_role("button", name="New conversation", exact=True)).to_be_visible()
    expect(page.get_by_role("searchbox", name="Search", exact=True)).to_be_visible()
    write(page, "We moved the team lunch to Thursday.")
    expect(replies(page)).to_be_visible()
    expect(conversations(page)).to_have_count(1)
    for name in ("Rename", "Archive", "Delete", "Context"):
        expect(page.get_by_role("button", name=name, exact=True).first).to_be_visible()


def test_every_conversation_is_one_link(page: Page, api: httpx.Client):
    for number in range(3):
        api.post("/api/chat", json={"message": f"Number {number}."})
    expect(conversations(page)).to_have_count(3)
    for link in conversations(page).all():
        assert re.fullmatch(r"/c/conv-\w+", link.get_attribute("href") or "")
