"""The page in a real browser: how soon it shows what is written, what comes, and what was said."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from benchmarks.homes import fill, index_everything, scratch_home
from benchmarks.paced import Paced, first_piece
from benchmarks.result import Result
from benchmarks.served import Served, serving
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.page.elements import box, conversations, replies, stop
from tests.page.visits import running_browser

MESSAGES = 10_000
LONG = f"conv-{0:026d}"
WRITTEN = 30
SWITCHES = 12
TYPED = "Nothing that is typed here may ever have to wait for what was said before it. " * 3
PIECES = tuple(
    f"Line {number} comes in **pieces**, one after the other.\n\n" for number in range(80)
)
APART = 0.02
"""Seconds between two pieces."""
DESK = (1280, 800)


def run() -> list[Result]:
    result = Result(
        "The page",
        f"In Chromium without a screen, {DESK[0]} pixels wide, against a server in another "
        f"process. {WRITTEN} messages are written; each reply comes in pieces {APART * 1000:g} ms "
        f"apart. The long conversation has {MESSAGES:,} messages, and is opened {SWITCHES} times "
        "from another one after a reload. Times end when the browser has painted.",
        axis="ms",
    )
    with _served() as (served, link), running_browser() as browser:
        width, height = DESK
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_init_script(path=Path(__file__).with_suffix(".js"))
        page = context.new_page()
        page.goto(link)
        expect(box(page)).to_be_visible()
        loaded = _loaded(browser, context, served)
        result.at_most("JavaScript of the first load, gzipped", loaded, "kB", 250)
        _write(page, served, result)
        _stream(page, result)
        _switch(page, served, result)
        _type(page, served, result)
        context.close()
    return [result]


@contextmanager
def _served() -> Generator[tuple[Served, str]]:
    """A server, and a link with which a browser signs in."""
    with scratch_home() as home:
        fill(home, 1, MESSAGES + 1, words=40)
        index_everything(home)
        with closing(open_accounts(Settings.load(home.root))) as accounts:
            code = accounts.create_link("local")
        with serving(home.root, None, Paced(PIECES, APART)) as served:
            yield served, f"{served.url}/login?code={code}"


def _loaded(browser: Browser, context: BrowserContext, served: Served) -> float:
    """How many kB of JavaScript come over the line until the first conversation is there."""
    fresh, sizes = browser.new_context(storage_state=context.storage_state()), list[int]()
    page = fresh.new_page()

    def note(request: Request) -> None:
        if request.resource_type == "script":
            sizes.append(request.sizes()["responseBodySize"])

    page.on("requestfinished", note)
    page.goto(served.url, wait_until="networkidle")
    expect(box(page)).to_be_visible()
    fresh.close()
    return sum(sizes) / 1000


def _write(page: Page, served: Served, result: Result) -> None:
    """A new conversation: from the key press to one's own words, and from the arrival of the first
    piece of a reply to its paint."""
    page.goto(f"{served.url}/?new")
    own, first = list[float](), list[float]()
    for number in range(WRITTEN):
        text = f"Message number {number:03} of the bench."
        box(page).fill(text)
        page.evaluate(
            "([own, reply]) => { window.own = measured.until('keydown', own);"
            " window.first = measured.afterArrival(reply); }",
            [text, first_piece(text).strip()],
        )
        box(page).press("Enter")
        own.append(page.evaluate("window.own"))
        first.append(page.evaluate("window.first"))
        stop(page).click()
        expect(stop(page)).to_have_count(0)
    _tell(result, "from the key press to one's own message", own, 50)
    _tell(result, "from the arrival of the first piece to its paint", first, 50)


def _stream(page: Page, result: Result) -> None:
    """A whole reply, while one watches."""
    page.evaluate("measured.begin()")
    box(page).fill("All of it, please.")
    box(page).press("Enter")
    expect(replies(page).last).to_contain_text(f"Line {len(PIECES) - 1} comes")
    expect(stop(page)).to_have_count(0)
    result.at_most("layout shift while a reply comes", page.evaluate("measured.shift()"), "", 0.05)
    result.note(
        "the longest frame while a reply comes", page.evaluate("measured.longestFrame()"), "ms"
    )


def _switch(page: Page, served: Served, result: Result) -> None:
    """To the long conversation, which this page has not shown yet."""
    answer = page.request.get(f"{served.url}/api/conversations/{LONG}/messages?limit=1")
    last = answer.json()["messages"][-1]["content"]
    short, spent = page.url, list[float]()
    for _ in range(SWITCHES):
        page.goto(short)
        expect(replies(page).last).to_be_visible()
        link = conversations(page).and_(page.locator(f"[href='/c/{LONG}']"))
        expect(link).to_be_visible()
        page.evaluate("text => { window.there = measured.until('click', text); }", last)
        link.click()
        spent.append(page.evaluate("window.there"))
    _tell(result, f"switching to {MESSAGES:,} messages", spent, 200)


def _type(page: Page, served: Served, result: Result) -> None:
    page.goto(f"{served.url}/c/{LONG}")
    expect(replies(page).last).to_be_visible()
    box(page).focus()
    page.evaluate("measured.begin()")
    page.keyboard.type(TYPED, delay=10)
    longest = page.evaluate("measured.longestFrame()")
    result.at_most("the longest frame while one types there", longest, "ms", 50)


def _tell(result: Result, name: str, spent: list[float], most: float) -> None:
    p95 = quantiles(spent, n=20, method="inclusive")[18]
    result.note(f"{name}, p50", median(spent), "ms")
    result.at_most(f"{name}, p95", p95, "ms", most)
    result.bars.append((name, p95))
