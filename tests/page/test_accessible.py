"""Everybody can use the page: axe-core finds nothing serious on any of it.

In both themes, at a desk and on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from playwright.sync_api import Page, expect

from palaver.channels.port import Place
from tests.page.elements import box, own
from tests.page.post import OTHER, OWNER, posted
from tests.page.visits import DESK, PHONE, Visits
from tests.page.witness import REFUSED
from tests.server.site import Site

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FINDINGS = """async () => {
  const { violations } = await axe.run(document);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map((one) => `${id}: ${one.target.join(" ")}: ${one.failureSummary}`));
}"""
SAID = """Two seats are left.

| train | at |
|---|---|
| IC 612 | 09:14 |

```python
print(1)
```"""

State = Callable[[Page, str], None]


def wrote(api: httpx.Client) -> str:
    """A conversation with something in it. Returns its id."""
    here: str = api.post("/api/conversations", json={"title": "Tickets"}).json()["id"]
    for role, words in (("user", "Are there **seats**?"), ("assistant", SAID)):
        message = {"role": role, "content": words}
        api.post(f"/api/conversations/{here}/messages", json=message).raise_for_status()
    other = {"title": "Hanan", "channel": "whatsapp"}
    channel = api.post("/api/conversations", json=other).raise_for_status().json()["id"]
    api.patch(f"/api/conversations/{channel}", json={"pinned": True}).raise_for_status()
    return here


def conversation(page: Page, url: str) -> None:
    expect(own(page)).to_be_visible()
    expect(page.get_by_role("article", name="Assistant").get_by_role("table")).to_be_visible()


def searched(page: Page, url: str) -> None:
    page.goto(f"{url}/search?q=seats")
    expect(page.get_by_role("main").get_by_role("link").first).to_be_visible()


def room(path: str) -> State:
    def show(page: Page, url: str) -> None:
        page.goto(f"{url}{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()

    return show


def greeted(page: Page, url: str) -> None:
    page.goto(f"{url}/?new")
    expect(box(page)).to_be_visible()


def palette(page: Page, url: str) -> None:
    conversation(page, url)
    page.keyboard.press("Control+k")
    page.keyboard.type("seats")
    expect(page.get_by_role("group", name="Messages")).to_be_visible()


def keys(page: Page, url: str) -> None:
    conversation(page, url)
    page.keyboard.press("Control+/")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def list_shown(page: Page) -> None:
    shows = page.get_by_role("button", name="Show the list")
    if shows.is_visible():
        shows.click()


def row_menu(page: Page, url: str) -> None:
    conversation(page, url)
    list_shown(page)
    actions = page.get_by_role("button", name="Actions for Tickets")
    actions.scroll_into_view_if_needed()  # the list may still be coming in
    actions.click(force=True)
    expect(page.get_by_role("menuitem", name="Rename")).to_be_visible()


def renaming(page: Page, url: str) -> None:
    row_menu(page, url)
    page.get_by_role("menuitem", name="Rename").click()
    expect(page.get_by_role("textbox", name="New name of")).to_be_visible()


def erasing(page: Page, url: str) -> None:
    row_menu(page, url)
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("button", name=re.compile("^Erase 2"))).to_be_visible()


def noticed(page: Page, url: str) -> None:
    row_menu(page, url)
    page.get_by_role("menuitem", name="Archive").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def inspected(page: Page, url: str) -> None:
    conversation(page, url)
    page.keyboard.press("Control+k")
    page.keyboard.type("context")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("saw|see|sees", re.I))).to_be_visible()


def day(page: Page, url: str) -> None:
    page.goto(f"{url}/continuous")
    expect(page.get_by_role("region", name="Day summary", exact=True)).to_be_visible()
    expect(own(page)).to_be_visible()


def day_found(page: Page, url: str) -> None:
    page.goto(f"{url}/continuous?q=seats")
    expect(page.get_by_role("list", name="Results").get_by_role("link").first).to_be_visible()


def day_edited(page: Page, url: str) -> None:
    day(page, url)
    page.get_by_role("button", name="Edit", exact=True).first.click()
    expect(page.get_by_role("textbox", name="Summary as Markdown")).to_be_visible()


def all_days(page: Page, url: str) -> None:
    day(page, url)
    page.get_by_role("button", name=re.compile("^(All days|Days)$")).click()
    expect(page.get_by_role("dialog").get_by_role("grid").get_by_role("link")).to_have_count(1)


def remembered(page: Page, url: str) -> None:
    page.goto(f"{url}/memories")
    expect(page.get_by_role("article", name="Allergic to walnuts.")).to_be_visible()


def memory_edited(page: Page, url: str) -> None:
    remembered(page, url)
    page.get_by_role("article", name="Allergic to walnuts.").focus()
    page.keyboard.press("h")
    expect(page.get_by_role("region", name="History")).to_be_visible()
    page.get_by_role("article", name="Likes tea.").focus()
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="What to remember")).to_be_visible()


def forgetting(page: Page, url: str) -> None:
    remembered(page, url)
    page.get_by_role("article", name="Allergic to walnuts.").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="Forget 1 memory")).to_be_visible()


def extracting(page: Page, url: str) -> None:
    remembered(page, url)
    page.get_by_role("button", name="Extract…").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Tickets")).click()
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()


MEMORIES: dict[str, State] = {
    "memories": remembered,
    "memory edited": memory_edited,
    "forgetting": forgetting,
    "extracting": extracting,
    "waiting": room("/memories?show=waiting"),
    "audit": room("/memories?show=audit"),
}


def exchange(page: Page, url: str) -> None:
    page.goto(f"{url}/external")
    page.get_by_role("region", name="Need you").get_by_role("link").first.click()
    expect(page.get_by_role("article", name=re.compile("^Draft to"))).to_be_visible()


def exchange_changed(page: Page, url: str) -> None:
    exchange(page, url)
    page.get_by_role("button", name="Change…").click()
    page.get_by_role("article", name=re.compile("^Draft to")).focus()
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="What is sent instead")).to_be_focused()


def exchange_erased(page: Page, url: str) -> None:
    exchange(page, url)
    page.get_by_role("button", name="Erase this exchange").click()
    expect(page.get_by_role("button", name="Erase 2 messages")).to_be_visible()


def choir(page: Page, url: str) -> None:
    page.goto(url)
    list_shown(page)
    page.get_by_role("link", name="The choir").click()
    expect(page.get_by_role("note").filter(has_text="along.")).to_be_visible()


def exchange_found(page: Page, url: str) -> None:
    page.goto(f"{url}/search?q=flat&kind=external")
    page.get_by_role("list", name="Results").get_by_role("link").first.click()
    expect(page.locator("article.found")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("list", name="Results").get_by_role("link")).to_have_count(2)


EXTERNAL: dict[str, State] = {
    "exchanges": room("/external"),
    "exchange": exchange,
    "exchange found": exchange_found,
    "exchange changed": exchange_changed,
    "exchange erased": exchange_erased,
    "channels": room("/settings#channels"),
    "group": choir,
}
DAYS: dict[str, State] = {
    "day": day,
    "days searched": day_found,
    "all days": all_days,
    "day edited": day_edited,
}
STATES: dict[str, State] = {
    "conversation": conversation,
    "search": searched,
    "insights": room("/insights"),
    "settings": room("/settings"),
    "docs": room("/docs"),
    "new": greeted,
    "palette": palette,
    "keys": keys,
    "menu": row_menu,
    "renaming": renaming,
    "erasing": erasing,
    "inspector": inspected,
    "notice": noticed,  # the last: it archives the conversation
}


def look(page: Page) -> list[str]:
    page.evaluate(AXE.read_text())  # as a debugger does it: the policy is for the page's own
    found: list[str] = page.evaluate(FINDINGS)
    return found


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> Literal["light", "dark"]:
    return request.param


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_serious_is_found_anywhere(
    site: Site, api: httpx.Client, visits: Visits, scheme: Any, size: tuple[int, int]
):
    here = wrote(api)
    context = visits.profile(scheme=scheme, size=size, touch=size == PHONE, calm=True)
    looked_through(STATES, partial(visits.tab, site, into=context, path=f"/c/{here}"), site.url)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_serious_is_found_on_a_day(
    site: Site, api: httpx.Client, visits: Visits, scheme: Any, size: tuple[int, int]
):
    today = {"message": "I will ask for **seats** tomorrow."}
    api.post("/api/continuous/messages", json=today).raise_for_status()
    written = {"summaryMarkdown": "## Summary\n- Seats.\n\n## Open loops\n- Ask for seats."}
    day = api.get("/api/continuous").json()["day"]
    api.put(f"/api/continuous/days/{day}/summary", json=written).raise_for_status()
    context = visits.profile(scheme=scheme, size=size, touch=size == PHONE, calm=True)
    looked_through(DAYS, partial(visits.tab, site, into=context, path="/continuous"), site.url)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_serious_is_found_among_memories(
    site: Site, api: httpx.Client, visits: Visits, scheme: Any, size: tuple[int, int]
):
    wrote(api)
    for type_, content in (("fact", "Allergic to walnuts."), ("preference", "Likes tea.")):
        memory = {"type": type_, "content": content, "pinned": type_ == "fact"}
        api.post("/api/memories", json=memory).raise_for_status()
    context = visits.profile(scheme=scheme, size=size, touch=size == PHONE, calm=True)
    looked_through(MEMORIES, partial(visits.tab, site, into=context, path="/memories"), site.url)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_serious_is_found_in_channels(
    home: Path, visits: Visits, scheme: Any, size: tuple[int, int]
):
    with posted(home) as post:
        post.exchange("a flat for rent")
        post.write("Who sings?", OWNER, place=Place("group", "choir", "The choir"), others=[OTHER])
        context = visits.profile(scheme=scheme, size=size, touch=size == PHONE, calm=True)
        tab = partial(visits.tab, post.site, into=context, path="/external")
        looked_through(EXTERNAL, tab, post.site.url)


def looked_through(states: dict[str, State], tab: Callable[[], Page], url: str) -> None:
    found: list[str] = []
    for name, state in states.items():
        page = tab()
        state(page, url)
        found += [f"{name}: {one}" for one in look(page)]
        beyond = page.evaluate("document.documentElement.scrollWidth - screen.width")
        assert beyond <= 0, f"{name} is {beyond} px too wide"
        page.evaluate("localStorage.clear()")  # a half-typed name is kept otherwise
        page.close()
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_serious_is_found_in_an_empty_home(
    site: Site, visits: Visits, scheme: Any, size: tuple[int, int]
):
    page = visits.tab(site, into=visits.profile(scheme=scheme, size=size, calm=True))
    expect(page.get_by_role("heading").first).to_be_visible()
    assert look(page) == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_serious_is_found_at_the_door(
    site: Site, visits: Visits, scheme: Any, size: tuple[int, int]
):
    page = visits.profile(scheme=scheme, size=size, calm=True).new_page()
    visits.witness(page).allow(REFUSED)  # nobody is signed in yet
    page.goto(f"{site.url}/login")
    expect(page.get_by_role("heading").first).to_be_visible()
    assert look(page) == []
