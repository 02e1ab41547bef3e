"""Where things come from: the heading of a conversation, its footnotes, and what the model saw."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from palaver.ledger.lines import event
from tests.models.server import ModelServer
from tests.page.elements import answered, conversations, own, write
from tests.page.visits import PATIENCE, PHONE, Visits
from tests.page.witness import REFUSED
from tests.server.site import Site
from tests.server.speaker import Model

LOOP = "Remind me to call Ann."
Json = dict[str, Any]


def kept(api: httpx.Client, *texts: str, title: str | None = "The roof") -> str:
    """A conversation in which the user and the assistant say these texts by turns."""
    made = api.post("/api/conversations", json={"title": title}).json()["id"]
    for number, text in enumerate(texts):
        body = {"role": ("user", "assistant")[number % 2], "content": text}
        assert api.post(f"/api/conversations/{made}/messages", json=body).status_code == 201
    return made


def long(api: httpx.Client) -> str:
    """One that begins with something that is left open, and goes on for some pages."""
    return kept(api, f"It rains. {LOOP}", *(f"Part {n}. " + "It goes on. " * 30 for n in range(40)))


def opened(site: Site, visits: Visits, conversation: str, **profile: Any) -> Page:
    page = visits.tab(site, into=visits.profile(**profile), path=f"/c/{conversation}")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("New conversation")
    return page


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def heading(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("heading", level=1)


def meta(api: httpx.Client, conversation: str) -> Json:
    return api.get(f"/api/conversations/{conversation}").json()["conversation"]


def is_named(api: httpx.Client, conversation: str, title: str) -> Json:
    """The conversation once it has that title: the page shows it before it is stored."""
    deadline = time.monotonic() + PATIENCE / 1000
    while (found := meta(api, conversation))["title"] != title:
        assert time.monotonic() < deadline, found["title"]
        time.sleep(0.02)
    return found


def model_of(page: Page, conversation: str, such: str) -> str | None:
    """The model of a conversation, once the server has one that is such: the page is quicker."""
    page.wait_for_function(
        "id => fetch('/api/conversations/' + id).then(found => found.json())"
        f".then(({{conversation: {{model}}}}) => {such})",
        arg=conversation,
    )
    return page.evaluate(
        "id => fetch('/api/conversations/' + id).then(found => found.json())"
        ".then(found => found.conversation.model)",
        conversation,
    )


def source(page: Page, number: int = 1) -> Locator:
    return page.get_by_role("link", name=f"Source {number}", exact=True).first


# --- the name ---


def test_a_name_given_by_hand_is_never_replaced(page: Page, api: httpx.Client, model: Model):
    write(page, "The roof above the kitchen leaks.")
    answered(page)
    mine = page.url.rsplit("/", 1)[1]
    page.get_by_role("main").get_by_role("button", name="Rename", exact=True).click()
    page.get_by_label("Title").fill("Mine")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Mine")
    assert is_named(api, mine, "Mine")["manuallyNamed"]
    # As much is said as names another conversation; that one is named, and this one is not.
    other = kept(api, title=None)
    for text in ("The roof above the kitchen leaks.", "The gutter is full of leaves.", "Thanks."):
        api.post("/api/chat", json={"message": text, "conversationId": other})
        write(page, text)
        expect(own(page).last).to_contain_text(text)
    answered(page, 4)
    page.wait_for_function(
        "id => fetch('/api/conversations/' + id).then(found => found.json())"
        ".then(found => found.conversation.title !== null)",
        arg=other,
    )
    expect(heading(page)).to_have_text("Mine")
    assert meta(api, mine)["title"] == "Mine"


def test_a_title_and_topics_appear_by_themselves(site: Site, page: Page, api: httpx.Client):
    name = kept(api, "One.", "Two.", title=None)
    page.goto(f"{site.url}/c/{name}")
    expect(heading(page)).to_have_text("New conversation")
    page.evaluate("window.stays = true")
    title = {"title": "Counting", "topics": ["numbers"], "by": "offline", "turn": 1}
    site.append(event(name, "title_assigned", **title))
    expect(heading(page)).to_have_text("Counting")
    expect(page.get_by_label("Topics")).to_have_text("numbers")
    expect(conversations(page)).to_have_text([re.compile("Counting")])
    assert page.evaluate("window.stays")


def test_notes_are_made_when_the_last_page_has_left(site: Site, page: Page, api: httpx.Client):
    name = kept(api, "The roof leaks.", "Since when?", "Since Monday.", "I see.", title=None)
    other = kept(api, "Something else.", "Yes?", title=None)
    page.goto(f"{site.url}/c/{name}")
    expect(own(page)).to_have_count(2)
    page.get_by_role("navigation", name="Conversations").locator(f"a[href='/c/{other}']").click()
    expect(page).to_have_url(f"{site.url}/c/{other}")
    page.wait_for_function(
        "name => fetch(`/api/conversations/${name}`)"
        ".then(found => found.json()).then(found => found.conversation.abbreviation !== null)",
        arg=name,
    )
    assert meta(api, other)["abbreviation"] is None


def test_a_half_typed_name_outlives_what_others_do(site: Site, visits: Visits, api: httpx.Client):
    made = kept(api, "Hello.", "Hello!")
    page = opened(site, visits, made)
    page.keyboard.press("F2")
    field = page.get_by_label("Title")
    field.fill("The roof, again")
    api.patch(f"/api/conversations/{made}", json={"title": "Named elsewhere"})
    expect(page.get_by_role("navigation").get_by_text("Named elsewhere")).to_be_visible()
    expect(field).to_have_value("The roof, again")
    page.reload()
    expect(field).to_have_value("The roof, again")
    field.press("Enter")
    expect(heading(page)).to_have_text("The roof, again")
    expect(page).to_have_title("The roof, again · Palaver")
    is_named(api, made, "The roof, again")


def test_escape_leaves_the_name(site: Site, visits: Visits, api: httpx.Client):
    made = kept(api, "Hello.")
    page = opened(site, visits, made)
    heading(page).get_by_text("The roof").click()
    page.get_by_label("Title").fill("Something else")
    page.keyboard.press("Escape")
    expect(heading(page)).to_have_text("The roof")
    assert meta(api, made)["title"] == "The roof"


# --- the model ---


def test_the_model_is_chosen_for_a_conversation(
    site: Site, visits: Visits, api: httpx.Client, provider: ModelServer
):
    made = kept(api, "Hello.")
    page = opened(site, visits, made)
    page.get_by_role("button", name=re.compile("^Model: ?sonnet")).click()
    menu = page.get_by_role("menu", name="Model")
    expect(menu.get_by_role("menuitemradio", name=re.compile("^Usual"))).to_be_checked()
    opus = menu.get_by_role("menuitemradio", name=re.compile("^opus"))
    expect(opus).to_contain_text("per million tokens")
    page.keyboard.press("o")  # offline, then opus: letters jump
    page.keyboard.press("o")
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^Model: ?o")).wait_for()
    chosen = model_of(page, made, "['offline', 'opus'].includes(model)")
    page.reload()
    page.get_by_role("button", name=re.compile(f"^Model: ?{chosen}")).click()
    page.get_by_role("menuitemradio", name=re.compile("^Usual")).click()
    page.get_by_role("button", name=re.compile("^Model: ?sonnet")).wait_for()
    model_of(page, made, "model === null")


def test_a_model_that_is_not_connected_leads_to_where_it_is(
    site: Site, visits: Visits, api: httpx.Client
):
    page = opened(site, visits, kept(api, "Hello."))
    page.get_by_role("button", name=re.compile("^Model: ?offline")).click()
    page.get_by_role("menuitemradio", name=re.compile("^opus.*Not connected")).click()
    page.wait_for_url("**/settings")


# --- what is left open, and footnotes ---


def standing(page: Page) -> float:
    """How far down the transcript is, as where its last message stands."""
    box = page.get_by_role("article").last.bounding_box()
    assert box
    return box["y"]


def test_what_is_left_open_leads_to_where_it_was_said_and_back(
    site: Site, visits: Visits, api: httpx.Client
):
    page = opened(site, visits, long(api))
    last = page.get_by_role("article").last
    expect(last).to_contain_text("Part 39. It goes on.")
    expect(last).to_be_in_viewport()
    before = standing(page)
    button(page, "1 open loop").click()
    panel = page.get_by_role("dialog", name="Left open")
    expect(panel).to_contain_text(LOOP)
    source(page).click()
    expect(panel).to_be_hidden()
    assert re.search(r"#msg-\w+$", page.url)
    said = own(page).filter(has_text=LOOP)
    expect(said).to_be_in_viewport()
    expect(said).to_have_class(re.compile(r"\blit\b"))
    page.go_back()
    expect(page.get_by_role("article").filter(has_text="Part 39. It goes on.")).to_be_in_viewport()
    page.wait_for_function(
        """before => {
            const all = document.querySelectorAll("article");
            return Math.abs(all[all.length - 1].getBoundingClientRect().y - before) <= 2;
        }""",
        arg=before,
    )


def test_a_footnote_by_keyboard(site: Site, visits: Visits, api: httpx.Client):
    page = opened(site, visits, long(api))
    button(page, "1 open loop").press("Enter")
    page.keyboard.press("Tab")
    expect(source(page)).to_be_focused()
    card = page.get_by_role("note")
    expect(card.locator("mark")).to_have_text(LOOP)
    expect(card).to_contain_text("It rains.")
    expect(card).to_contain_text("You")
    expect(card).to_contain_text("today, ")
    page.keyboard.press("Escape")  # first the card, then the panel
    expect(card).to_be_hidden()
    panel = page.get_by_role("dialog", name="Left open")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(button(page, "1 open loop")).to_be_focused()


def test_chips_follow_the_conversation(site: Site, visits: Visits, api: httpx.Client, model: Model):
    made = kept(api, "Hello.", "Hello!")
    page = opened(site, visits, made)
    expect(page.get_by_role("article")).to_have_count(2)
    expect(page.get_by_role("button", name="open loop")).to_have_count(0)
    write(page, LOOP)
    expect(button(page, "1 open loop")).to_be_visible()


def noted(site: Site, api: httpx.Client, conversation: str, *texts: str) -> Sequence[Json]:
    """Notes of a conversation, of which each line stands on one message. Returns those."""
    said = api.get(f"/api/conversations/{conversation}/messages").json()["messages"]
    sources = [
        {"messageId": one["id"], "quote": one["content"][:12], "turn": 1, "point": point}
        for point, one in enumerate(said[: len(texts)])
    ]
    text = "\n".join(f"- {text}" for text in texts)
    site.append(
        event(conversation, "abbreviation", text=text, through=1, by="offline", sources=sources)
    )
    return said


def test_notes_stand_on_messages_and_an_erased_one_is_told(
    site: Site, visits: Visits, api: httpx.Client
):
    made = kept(api, "It rains all day.", "Take an umbrella.")
    said = noted(site, api, made, "Rain.", "An umbrella helps.")
    page = opened(site, visits, made)
    button(page, "Notes").click()
    panel = page.get_by_role("dialog", name="Notes")
    expect(panel).to_contain_text("An umbrella helps.")
    source(page, 2).hover()
    card = page.get_by_role("note")
    expect(card).to_contain_text("Assistant")
    expect(card.locator("mark")).to_have_text("Take an umbr")
    page.mouse.move(0, 0)
    expect(card).to_be_hidden()
    api.delete(f"/api/conversations/{made}/messages/{said[0]['id']}")
    expect(page.get_by_role("article").first).to_contain_text("erased")
    expect(panel).not_to_contain_text("Rain.")  # a line goes with the words it stood on


# --- what the model saw ---


def pieces(page: Page) -> dict[str, int]:
    """What each piece of the bar says it costs."""
    bar = page.get_by_role("group", name="The budget, in tokens", exact=True)
    expect(bar).to_be_visible()
    texts = [one.get_attribute("title") or "" for one in bar.locator("> *").all()]
    found = [re.fullmatch(r"(.+): ([\d,]+) tokens?, .+ %", text) for text in texts]
    return {one[1]: int(one[2].replace(",", "")) for one in found if one}


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_the_bar_adds_up_to_what_the_api_says(
    site: Site, visits: Visits, api: httpx.Client, size: tuple[int, int]
):
    made = long(api)
    page = opened(site, visits, made, size=size)
    if size == PHONE:
        button(page.get_by_role("main"), "More").click()
    button(page, "Context").click()
    page.get_by_role("heading", name="What the model would see next").wait_for()
    packet = api.get(f"/api/conversations/{made}/context").json()
    shown = pieces(page)
    assert sum(shown.values()) == packet["budget"]
    assert shown.pop("Free") == packet["budget"] - packet["tokens"]
    assert list(shown.values()) == [one["tokens"] for one in packet["sections"] if one["tokens"]]
    for reason in packet["leftOut"]:
        expect(page.get_by_text(reason["reason"])).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="What the model would see next")).to_be_hidden()


def test_the_inspector_shows_each_turn_as_it_was_sent(
    page: Page, api: httpx.Client, model: Model, visits: Visits
):
    visits.witness(page).allow(REFUSED)
    for number, text in enumerate(("First, the roof.", "Then, the gutter."), 1):
        write(page, text)
        answered(page, number)
    made = page.url.rsplit("/", 1)[1]
    button(page, "Context").click()
    panel = page.get_by_role("complementary", name="Context")
    button(panel, "Previous turn").click()
    panel.get_by_role("heading", name="What the model saw in turn 2").wait_for()
    packet = api.get(f"/api/conversations/{made}/context", params={"turn": 2}).json()
    assert sum(pieces(page).values()) == packet["budget"]
    panel.get_by_text("Exactly as sent").click()
    sent = panel.locator("pre")
    expect(sent).to_have_count(len(packet["messages"]))
    expect(sent).to_have_text([one["content"] for one in packet["messages"]])
    button(panel, "Previous turn").click()
    panel.get_by_role("heading", name="What the model saw in turn 1").wait_for()
    expect(sent).to_have_text(["First, the roof."])
    panel.locator("summary").filter(has_text="Messages").click()
    panel.get_by_role("link", name=re.compile("First, the roof")).click()
    expect(own(page).first).to_have_class(re.compile(r"\blit\b"))
    button(panel, "Close").click()
    expect(button(page, "Context")).to_be_focused()


def test_a_preview_stores_nothing(site: Site, visits: Visits, api: httpx.Client):
    made = kept(api, "Hello.", "Hello!")
    page = opened(site, visits, made)
    page.keyboard.press("Alt+i")
    page.get_by_label("With a message you might send").fill("What about the roof?")
    button(page, "Show").click()
    page.get_by_text("Exactly as it would be sent").click()
    expect(page.locator("pre").last).to_have_text("What about the roof?")
    said = api.get(f"/api/conversations/{made}/messages").json()["messages"]
    assert [one["content"] for one in said] == ["Hello.", "Hello!"]


# --- taking it away ---


FORMS = [("Markdown", "markdown"), ("Web page", "html"), ("JSON lines", "jsonl")]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_it_can_be_taken_away(site: Site, visits: Visits, api: httpx.Client, name: str, form: str):
    made = kept(api, "Hello.", "Hello!")
    page = opened(site, visits, made)
    button(page, "Export").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name=re.compile(f"^{name}")).click()
    given = api.get(f"/api/conversations/{made}/export", params={"format": form})
    assert saved.value.suggested_filename in given.headers["Content-Disposition"]
    assert saved.value.path().read_bytes() == given.content


# --- a small phone ---


def is_inside(shown: Locator) -> bool:
    box = shown.bounding_box()
    assert box
    width, height = PHONE
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= width
        and box["y"] + box["height"] <= height
    )


def test_on_a_phone_everything_is_in_one_panel_and_inside_the_screen(
    site: Site, visits: Visits, api: httpx.Client
):
    page = opened(site, visits, long(api), size=PHONE, touch=True)
    main = page.get_by_role("main")
    expect(button(main, "Context")).to_be_hidden()
    button(main, "More").tap()
    panel = page.get_by_role("dialog", name="More")
    for name in ("Rename", "Notes", "Context", "Export", "Archive", "Delete"):
        expect(button(panel, name)).to_be_visible()
    assert is_inside(panel)
    page.keyboard.press("Escape")
    button(page, "1 open loop").tap()
    source(page).tap()  # shows the card, and goes nowhere yet
    card = page.get_by_role("note")
    expect(card.locator("mark")).to_have_text(LOOP)
    assert is_inside(card)
    assert "#" not in page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    card.get_by_role("link", name="Go to message").tap()
    expect(own(page).filter(has_text=LOOP)).to_be_in_viewport()
    expect(card).to_be_hidden()
