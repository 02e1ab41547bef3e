"""The page in a real browser, from the sign-in link to the receipt of an erasure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from palaver.embedding import weights
from palaver.ledger.files import Home
from palaver.ledger.lines import Draft, event
from tests import browser as provided
from tests.server.process import Process
from tests.server.site import Site, running_site
from tests.server.test_openapi import PROMISED

PATIENCE = 20_000


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=provided.chromium(), args=provided.FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """A new browser profile with one tab."""
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path) as site:
        yield site


@pytest.fixture
def api(site: Site) -> Iterator[httpx.Client]:
    with site.program() as client:
        yield client


@pytest.fixture
def page(site: Site, tab: Page) -> Page:
    """A tab that is signed in."""
    tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
    expect(box(tab)).to_be_visible()
    return tab


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message")


def article(page: Page, who: str) -> Locator:
    return page.get_by_role("article", name=who)


def conversations(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Conversations").get_by_role("link")


def write(page: Page, text: str) -> None:
    box(page).fill(text)
    page.get_by_role("button", name="Send").click()


def test_the_whole_journey(tab: Page, tmp_path: Path):
    with Process(tmp_path) as first:
        tab.goto(first.link)
        write(tab, "The retro moved to Friday.")
        expect(article(tab, "You")).to_contain_text("The retro moved to Friday.")
        expect(article(tab, "Assistant")).to_contain_text("No model is connected")
        expect(tab).to_have_url(re.compile(r"/c/conv-"))
        first.kill()
        expect(tab.get_by_text("Palaver does not answer")).to_be_visible()
        with Process(tmp_path, port=first.port):
            tab.reload()
            expect(article(tab, "You")).to_contain_text("The retro moved to Friday.")
            expect(article(tab, "Assistant")).to_have_count(1)
            expect(conversations(tab)).to_have_count(1)


def test_a_message_into_a_dead_connection_is_kept_and_sent_once(tab: Page, tmp_path: Path):
    with Process(tmp_path) as first:
        tab.goto(first.link)
        write(tab, "First things first.")
        expect(article(tab, "Assistant")).to_be_visible()
        first.kill()
        write(tab, "Said into the void.")
        expect(tab.get_by_text("Not sent — ")).to_be_visible()
        with Process(tmp_path, port=first.port):
            expect(article(tab, "Assistant")).to_have_count(2)
            expect(article(tab, "You")).to_have_count(2)
            expect(tab.get_by_text("Not sent — ")).to_have_count(0)
            tab.reload()
            expect(article(tab, "You")).to_have_count(2)


def test_a_message_that_was_not_sent_is_sent_after_a_reload(tab: Page, tmp_path: Path):
    with Process(tmp_path) as first:
        tab.goto(first.link)
        write(tab, "First things first.")
        expect(article(tab, "Assistant")).to_be_visible()
        first.kill()
        write(tab, "Said into the void.")
        article(tab, "You").last.get_by_role("button", name="Try again").click()
        expect(tab.get_by_text("Not sent — ")).to_be_visible()
    with Process(tmp_path, port=first.port):
        tab.reload()
        expect(article(tab, "Assistant")).to_have_count(2)
        expect(article(tab, "You")).to_have_count(2)


def test_a_message_that_was_not_sent_can_be_discarded_and_brought_back(page: Page):
    write(page, "First things first.")
    expect(article(page, "Assistant")).to_be_visible()
    page.route("**/api/chat", lambda route: route.fulfill(status=500, json={"detail": "No."}))
    write(page, "Never mind this.")
    page.get_by_role("button", name="Discard").click()
    expect(article(page, "You")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(article(page, "You")).to_have_count(2)
    page.get_by_role("button", name="Discard").click()
    page.reload()
    expect(article(page, "You")).to_have_count(1)


def test_the_names_that_were_promised_are_there(page: Page):
    write(page, "Hello there, this is the first message.")
    expect(article(page, "You")).to_be_visible()
    expect(article(page, "Assistant")).to_be_visible()
    expect(page.get_by_role("searchbox", name="Search")).to_be_visible()
    for name in ("Send", "New conversation", "Rename", "Archive", "Delete"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(conversations(page)).to_have_count(1)


def test_enter_sends_and_shift_enter_begins_a_line(page: Page):
    box(page).press_sequentially("one")
    box(page).press("Shift+Enter")
    box(page).press_sequentially("two")
    box(page).press("Enter")
    expect(article(page, "You").locator(".body")).to_have_text("one\ntwo")
    expect(box(page)).to_have_value("")


def test_nothing_blank_can_be_sent(page: Page, api: httpx.Client):
    send = page.get_by_role("button", name="Send")
    expect(send).to_be_disabled()
    write(page, "Something.")
    expect(article(page, "Assistant")).to_be_visible()
    here = urlsplit(page.url).path.removeprefix("/c/")
    api.patch(f"/api/conversations/{here}", json={"title": "Looked at again"})
    expect(page.get_by_role("heading", name="Looked at again")).to_be_visible()
    expect(send).to_be_disabled()
    box(page).fill("  \n ")
    expect(send).to_be_disabled()
    box(page).fill("x")
    expect(send).to_be_enabled()


def test_a_new_conversation_writes_nothing_until_its_first_message(site: Site, page: Page):
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_text("What is on your mind?")).to_be_visible()
    assert site.stored() == {}
    write(page, "Now it begins.")
    expect(article(page, "Assistant")).to_be_visible()
    assert len([name for name in site.stored() if name.startswith("conv-")]) == 1


def test_a_draft_survives_switching_and_reloading(page: Page):
    write(page, "The first conversation.")
    expect(article(page, "Assistant")).to_be_visible()
    box(page).fill("half a thou")
    page.get_by_role("button", name="New conversation").click()
    expect(box(page)).to_have_value("")
    box(page).fill("something new")
    conversations(page).first.click()
    expect(box(page)).to_have_value("half a thou")
    page.reload()
    expect(box(page)).to_have_value("half a thou")


def test_what_other_programs_write_appears(page: Page, api: httpx.Client):
    write(page, "I am here.")
    expect(article(page, "Assistant")).to_have_count(1)
    here = urlsplit(page.url).path.removeprefix("/c/")
    body = {"role": "assistant", "content": "Written **elsewhere**."}
    api.post(f"/api/conversations/{here}/messages", json=body)
    expect(article(page, "Assistant")).to_have_count(2)
    expect(article(page, "Assistant").last.locator("strong")).to_have_text("elsewhere")
    api.patch(f"/api/conversations/{here}", json={"title": "Named elsewhere"})
    expect(page.get_by_role("heading", name="Named elsewhere")).to_be_visible()
    expect(conversations(page).first).to_contain_text("Named elsewhere")


def test_search_leads_to_the_message_and_back(page: Page, api: httpx.Client):
    made = api.post("/api/conversations", json={"title": "Long one"}).json()["id"]
    address = f"/api/conversations/{made}/messages"
    for number in range(70):
        text = "The zeppelin leaves at noon." if number == 5 else f"Filler number {number}."
        api.post(address, json={"role": "user", "content": text})
    page.get_by_role("searchbox", name="Search").fill("zeppelin")
    result = page.get_by_role("main").get_by_role("link", name="Long one")
    expect(result.locator("mark")).to_have_text("zeppelin")
    result.click()
    lit = page.locator("article.lit")
    expect(lit).to_contain_text("The zeppelin leaves at noon.")
    expect(lit).to_be_in_viewport()
    page.get_by_role("button", name="Later messages").click()
    page.go_back()
    expect(result).to_be_visible()


def test_the_time_in_a_search_is_shown_and_can_be_dropped(page: Page, api: httpx.Client):
    for title, month in (("Winter", "02"), ("Spring", "03")):
        made = api.post("/api/conversations", json={"title": title, "channel": "email"}).json()
        at = f"2026-{month}-12T12:00:00Z"
        body = {"role": "user", "content": "The zeppelin leaves.", "timestamp": at}
        api.post(f"/api/conversations/{made['id']}/messages", json=body)
    hits = page.locator(".hit")
    page.get_by_role("searchbox", name="Search").fill("zeppelin in March 2026")
    expect(page.get_by_text("Said in March 2026.")).to_be_visible()
    expect(hits).to_have_count(1)
    expect(hits).to_contain_text("Spring")
    expect(hits.locator(".side")).to_contain_text("12 Mar 2026")
    expect(hits.locator(".side")).to_contain_text("email · turn 1")
    page.get_by_role("link", name="Search all time").click()
    expect(hits).to_have_count(2)
    page.reload()
    expect(hits).to_have_count(2)
    page.get_by_role("link", name="Go by the time that is named").click()
    expect(hits).to_have_count(1)


def test_a_search_that_finds_nothing_or_asks_nothing_says_so(site: Site, page: Page):
    page.goto(f"{site.url}/search?q=zeppelin")
    expect(page.get_by_role("heading", name="Nothing was found")).to_be_visible()
    page.goto(f"{site.url}/search?q=*")
    expect(page.get_by_text("There is no word in that search.")).to_be_visible()
    page.goto(f"{site.url}/search")
    expect(page.get_by_text("Type a few words")).to_be_visible()


def test_a_missing_model_is_told_where_one_searches(
    tab: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(weights, "PACKAGE", "no-such-package")
    with running_site(tmp_path, index_vectors=True) as site, site.program() as api:
        api.post("/api/chat", json={"message": "The zeppelin leaves."})
        api.get("/api/search?q=zeppelin")
        tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
        expect(box(tab)).to_be_visible()
        expect(tab.get_by_text("Only words are found")).to_have_count(0)
        tab.get_by_role("searchbox", name="Search").fill("zeppelin")
        expect(tab.get_by_text("Only words are found, not meaning.")).to_be_visible()
        expect(tab.locator("#banner")).to_be_empty()


def test_a_quotation_leads_to_what_was_said(page: Page):
    write(page, "The plumber comes on Tuesday at nine.")
    expect(article(page, "Assistant")).to_be_visible()
    first = urlsplit(page.url).path
    page.get_by_role("button", name="New conversation").click()
    write(page, "When does the plumber come?")
    source = article(page, "Assistant").get_by_role("link")
    expect(source).to_be_visible()
    expect(article(page, "Assistant").locator("blockquote")).to_contain_text("plumber")
    second = page.url
    source.click()
    expect(page.locator("article.lit")).to_contain_text("The plumber comes on Tuesday")
    assert urlsplit(page.url).path == first
    page.go_back()
    expect(page).to_have_url(second)
    expect(article(page, "You")).to_contain_text("When does the plumber come?")


def test_a_conversation_is_renamed_in_place(page: Page):
    write(page, "Something about the garden.")
    page.get_by_role("button", name="Rename").click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("The Garden")
    title.press("Enter")
    expect(page.get_by_role("heading", name="The Garden")).to_be_visible()
    expect(conversations(page).first).to_contain_text("The Garden")
    page.get_by_role("button", name="Rename").click()
    title.fill("Never mind")
    title.press("Escape")
    expect(page.get_by_role("heading", name="The Garden")).to_be_visible()


def test_a_conversation_is_archived_and_brought_back(page: Page):
    write(page, "Something for later.")
    expect(conversations(page)).to_have_count(1)
    page.get_by_role("button", name="Archive", exact=True).click()
    expect(conversations(page)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(conversations(page)).to_have_count(1)
    page.get_by_role("button", name="Archive", exact=True).click()
    page.get_by_role("button", name="Archived").click()
    conversations(page).first.click()
    expect(page.get_by_text("It stays searchable.")).to_be_visible()
    page.get_by_role("button", name="Unarchive").click()
    expect(page.get_by_text("It stays searchable.")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.get_by_role("button", name="Archived")).to_have_attribute("aria-pressed", "false")
    expect(conversations(page)).to_have_count(1)


def test_a_toast_covers_no_text(page: Page):
    write(page, "word " * 900)
    expect(article(page, "Assistant")).to_be_visible()
    page.get_by_role("button", name="Archive", exact=True).click()
    toast = page.get_by_text("It stays searchable.")
    expect(toast).to_be_visible()
    expect(article(page, "Assistant")).to_be_in_viewport(ratio=1)
    shown, scroller = toast.bounding_box(), page.locator("#scroller").bounding_box()
    assert shown
    assert scroller
    assert scroller["y"] + scroller["height"] <= shown["y"]


def test_search_by_keyboard(page: Page, api: httpx.Client):
    write(page, "The first zeppelin.")
    expect(article(page, "Assistant")).to_be_visible()
    where = page.url
    api.post("/api/chat", json={"message": "The second zeppelin."})
    page.keyboard.press("Control+k")
    page.keyboard.type("zeppelin")
    hits = page.locator(".hit")
    expect(hits).to_have_count(2)
    page.keyboard.press("ArrowDown")
    expect(hits.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(hits.last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(hits.last).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page).to_have_url(where)
    expect(box(page)).to_be_focused()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("")
    page.keyboard.press("Control+k")
    page.keyboard.type("second")
    expect(hits).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("article.lit")).to_contain_text("The second zeppelin.")


def test_escape_leaves_a_search_that_was_opened_by_its_address(site: Site, page: Page):
    page.goto(f"{site.url}/search?q=zeppelin")
    expect(page.get_by_text("Nothing was found")).to_be_visible()
    page.keyboard.press("Escape")
    expect(box(page)).to_be_visible()


def test_erasing_shows_what_goes_then_the_receipt(site: Site, page: Page):
    write(page, "The canary sings.")
    expect(article(page, "Assistant")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Erase this conversation?")
    expect(dialog.get_by_role("listitem").first).to_be_visible()
    expect(dialog).to_contain_text("New conversation: “The canary sings.”")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Erase 2 messages").click()
    receipt = page.get_by_role("dialog", name="Erased")
    expect(receipt.get_by_role("listitem").first).to_be_visible()
    receipt.get_by_role("button", name="Close").click()
    expect(page.get_by_text("What is on your mind?")).to_be_visible()
    assert b"canary" not in b"".join(site.stored().values())


def test_one_message_is_erased(site: Site, page: Page):
    write(page, "The albatross flies.")
    expect(article(page, "Assistant")).to_be_visible()
    article(page, "You").get_by_role("button", name="Erase").click()
    page.get_by_role("button", name=re.compile("^Erase 1 message")).click()
    page.get_by_role("dialog", name="Erased").get_by_role("button", name="Close").click()
    expect(page.get_by_text("The albatross flies.")).to_have_count(0)
    expect(page.get_by_text("This message has been erased.").first).to_be_visible()
    expect(article(page, "You").get_by_role("button", name="Erase")).to_have_count(0)
    assert b"albatross" not in b"".join(site.stored().values())


PAYLOADS = [
    "<script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    "<svg/onload=window.hit=1>",
    "[click](javascript:window.hit=1)",
    "[click](data:text/html,<script>window.hit=1</script>)",
    "[click](//evil.example/x)",
    "[click](/\\evil.example)",
    "![picture](https://evil.example/p.png)",
    "[a](<javascript:window.hit=1>)",
    '[x](https://evil.example/"onmouseover=window.hit=1)',
    "> <iframe srcdoc='<script>parent.hit=1</script>'>",
    "`<b onclick=window.hit=1>`",
    "**[b](JaVaScRiPt:window.hit=1)**",
    "\u202e<script>window.hit = 1</script>\u202c",
    "&lt;script&gt;window.hit=1&lt;/script&gt;",
    "# <style>*{display:none}</style>",
    "```\n</code></pre><script>window.hit=1</script>\n```",
    "<base href=https://evil.example/>",
    "<form action=https://evil.example><button>Send</button></form>",
]


def test_nobodys_text_becomes_code_or_a_request(site: Site, page: Page, api: httpx.Client):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).netloc))
    made = api.post("/api/conversations", json={"title": PAYLOADS[1]}).json()["id"]
    for number, payload in enumerate(PAYLOADS * 2):
        role = "user" if number < len(PAYLOADS) else "assistant"
        api.post(f"/api/conversations/{made}/messages", json={"role": role, "content": payload})
    page.goto(f"{site.url}/c/{made}")
    expect(page.get_by_role("article")).to_have_count(2 * len(PAYLOADS))
    page.goto(f"{site.url}/search?q=script")
    expect(page.locator(".hit").first).to_be_visible()
    page.goto(f"{site.url}/c/{made}")
    view = page.locator("#view")
    expect(page.get_by_role("article")).to_have_count(2 * len(PAYLOADS))
    assert page.evaluate("window.hit") is None
    assert view.locator("script, img, svg, iframe, style, form, base, object").count() == 0
    targets: list[str] = view.locator("a").evaluate_all("links => links.map((link) => link.href)")
    assert {urlsplit(target).scheme for target in targets} <= {"http", "https"}
    for target in targets:
        if urlsplit(target).netloc != urlsplit(site.url).netloc:
            link = view.locator(f'a[href="{target}"]').first
            assert link.get_attribute("rel") == "noopener noreferrer"
    assert set(asked) == {urlsplit(site.url).netloc}


def test_invisible_characters_are_shown_and_keep_their_place(page: Page):
    write(page, "Is \u202egnp.exe\u202c safe? zero\u200bwidth 👩\u200d🚀 می\u200cخواهم")
    labels = article(page, "You").locator(".hidden-character")
    expect(labels).to_have_text(["RLO", "PDF", "ZWSP"])
    assert article(page, "You").locator(".body").get_attribute("dir") == "auto"


def test_a_used_link_says_so_unless_the_browser_is_signed_in(
    site: Site, page: Page, chromium: Browser
):
    used = site.accounts.create_link("local")
    site.accounts.sign_in_by_link(used)
    page.goto(f"{site.url}/login?code={used}")
    expect(box(page)).to_be_visible()
    other = chromium.new_context().new_page()
    other.goto(f"{site.url}/login?code={used}")
    expect(other.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(other.get_by_text("prints a new link")).to_be_visible()
    other.context.close()


def test_without_signing_in_the_page_says_how(site: Site, tab: Page):
    tab.goto(f"{site.url}/")
    expect(tab.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()


def test_signing_out_leads_to_the_sign_in_page(site: Site, page: Page):
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="Sign out of this browser?")
    expect(dialog).to_contain_text("it prints a new link")
    dialog.get_by_role("button", name="Stay signed in").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    dialog.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()
    expect(page.get_by_text("The link works once.")).to_be_visible()
    page.goto(f"{site.url}/")
    expect(page.get_by_role("heading", name="Sign in to Palaver")).to_be_visible()


def test_it_fits_a_phone(page: Page, api: httpx.Client):
    page.set_viewport_size({"width": 360, "height": 740})
    write(page, "word " * 40 + "x" * 300)
    expect(article(page, "Assistant")).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    page.get_by_role("button", name="Menu", exact=True).click()
    expect(conversations(page).first).to_be_in_viewport()
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_text("What is on your mind?")).to_be_visible()
    expect(conversations(page).first).not_to_be_visible()


def test_erasing_is_in_sight_on_touch(site: Site, chromium: Browser):
    context = chromium.new_context(has_touch=True, is_mobile=True)
    tab = context.new_page()
    tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
    write(tab, "Touched.")
    erase = article(tab, "You").get_by_role("button", name="Erase")
    expect(erase).to_be_visible()
    expect(erase).to_have_css("opacity", "1")
    context.close()


def test_a_broken_index_is_told_and_one_can_still_write(tab: Page, tmp_path: Path):
    Home(tmp_path).create()
    Home(tmp_path).index.mkdir()
    with running_site(tmp_path) as site:
        tab.goto(f"{site.url}/login?code={site.accounts.create_link('local')}")
        expect(tab.locator("p.wrong")).to_be_visible()
        write(tab, "Keep this, please.")
        expect(article(tab, "You")).to_contain_text("Keep this, please.")
        expect(article(tab, "Assistant")).to_be_visible()
        tab.reload()
        expect(tab.locator("p.wrong")).to_be_visible()
        write(tab, "And this.")
        expect(article(tab, "Assistant")).to_be_visible()
        expect(tab.get_by_text("Not sent")).to_have_count(0)
        assert b"Keep this, please." in b"".join(site.stored().values())


def test_the_reference_lists_every_route(site: Site, page: Page):
    page.goto(f"{site.url}/docs")
    route = "/api/conversations/{conversationId}/messages/{messageId}/regenerate"
    expect(page.get_by_text(route, exact=True)).to_be_visible()
    expect(page.locator("details.route")).to_have_count(len(PROMISED))


# -- titles, topics and notes ---------------------------------------------------------------------


def brought(api: httpx.Client, turns: int) -> tuple[str, list[dict[str, Any]]]:
    """A conversation that is longer than what the page shows at first, and its first messages."""
    name = api.post("/api/conversations", json={}).json()["id"]
    for number in range(turns):
        for role in ("user", "assistant"):
            body = {"role": role, "content": f"{role} says number {number}."}
            api.post(f"/api/conversations/{name}/messages", json=body)
    return name, api.get(f"/api/conversations/{name}/messages?limit=200").json()["messages"]


def abbreviation(name: str, said: list[dict[str, Any]], *texts: str) -> Draft:
    sources = [
        {"messageId": one["id"], "quote": one["content"], "turn": one["turnNumber"], "point": point}
        for point, one in enumerate(said)
    ]
    text = "\n".join(f"- {one}" for one in texts)
    return event(name, "abbreviation", text=text, through=30, by="offline", sources=sources)


def test_a_title_appears_by_itself(site: Site, page: Page, api: httpx.Client):
    name, _ = brought(api, 1)
    page.goto(f"{site.url}/c/{name}")
    expect(page.get_by_role("heading", name="New conversation", level=1)).to_be_visible()
    page.evaluate("window.stays = true")
    site.append(
        event(name, "title_assigned", title="Counting", topics=["numbers"], by="offline", turn=1)
    )
    expect(page.get_by_role("heading", name="Counting", level=1)).to_be_visible()
    expect(page.get_by_label("Topics")).to_have_text("numbers")
    expect(conversations(page).first).to_contain_text("Counting")
    assert page.evaluate("window.stays")


def test_a_note_leads_to_where_it_was_said(site: Site, page: Page, api: httpx.Client):
    name, said = brought(api, 35)
    page.goto(f"{site.url}/c/{name}")
    notes = page.get_by_role("button", name="Notes")
    notes.click()
    empty = "Notes appear when the conversation has been quiet for a while."
    expect(page.get_by_role("region", name="Notes")).to_have_text(empty)
    site.append(abbreviation(name, [said[2], said[60]], "They count.", "And go on."))
    panel = page.get_by_role("region", name="Notes")
    expect(panel.get_by_role("link")).to_have_text(["They count.", "And go on."])
    expect(page.locator(f"#{said[2]['id']}")).to_have_count(0)
    panel.get_by_role("link", name="They count.").click()
    expect(page).to_have_url(f"{site.url}/c/{name}#{said[2]['id']}")
    expect(page.locator(f"#{said[2]['id']}")).to_be_in_viewport()
    expect(page.locator(f"#{said[2]['id']}")).to_be_focused()
    expect(panel).to_be_hidden()
    site.append(event(name, "title_assigned", title="Counting", by="offline", turn=35))
    expect(page.get_by_role("heading", name="Counting", level=1)).to_be_visible()
    notes.click()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(notes).to_have_attribute("aria-expanded", "false")


def test_notes_are_made_when_the_last_page_has_left(site: Site, page: Page, api: httpx.Client):
    name, _ = brought(api, 2)
    other, _ = brought(api, 1)
    page.goto(f"{site.url}/c/{name}")
    expect(page.get_by_role("heading", name="New conversation", level=1)).to_be_visible()
    page.get_by_role("navigation", name="Conversations").locator(f"a[href='/c/{other}']").click()
    expect(page).to_have_url(f"{site.url}/c/{other}")
    page.wait_for_function(
        "name => fetch(`/api/conversations/${name}`)"
        ".then(found => found.json()).then(found => found.conversation.abbreviation !== null)",
        arg=name,
    )
    assert api.get(f"/api/conversations/{other}").json()["conversation"]["abbreviation"] is None
