"""The days of a year: how soon any of them is on the page, also right after the index was made
again, and also one on which very much was said."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles

import httpx
from playwright.sync_api import Page, expect

from benchmarks.homes import scratch_home
from benchmarks.page import DESK
from benchmarks.result import Result
from benchmarks.served import Served, serving
from palaver import Palaver
from palaver.conversation.records import NewMessage
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.library import Clock
from tests.page.elements import box
from tests.page.visits import running_browser
from tests.proofs.diary import Page as Written
from tests.proofs.diary import written

DAYS, TURNS, MANY = 365, 20, 300
FIRST = 20
"""So many days are opened first, while nothing is known of how the conversation stands."""
WALKED = 120
MOST = 200.0


def run() -> list[Result]:
    result = Result(
        "The days of a year",
        f"{DAYS} days of {2 * TURNS} messages, but for the newest, which has {2 * MANY}; all told. "
        f"The index was made again just before. The first {FIRST} days are read while the "
        "conversation is looked through again in the background, then every day; "
        f"then {WALKED} days are walked through on the page with the arrow keys, in Chromium. "
        "Times on the page end when the browser has painted the summary of the day.",
        axis="ms",
    )
    with scratch_home() as home:
        settings = Settings.load(home.root, user__timezone="UTC")
        labels = asyncio.run(_live(settings))
        with closing(open_accounts(settings)) as accounts:
            code = accounts.create_link("local")
        with serving(home.root, None) as served:
            told = _read(served, labels, result)
            _walk(served, f"{served.url}/login?code={code}", told, result)
    return [result]


async def _live(settings: Settings) -> list[str]:
    """Lives through the year; its labels, the newest first."""
    begin = datetime.now(UTC).date() - timedelta(days=DAYS)
    clock = Clock()
    diary = written(DAYS, TURNS, begin=begin, moves={0: "UTC"}, slept=0)
    quiet = Palaver.open(settings=settings, clock=clock, index_vectors=False, digests=False)
    async with quiet as palaver:
        conversation = (await palaver.continuous.ensure()).id
        for page in diary.pages:
            await _say(palaver, clock, conversation, page)
        today = datetime.now(UTC).replace(hour=0, minute=0)
        for number in range(MANY):
            clock.now = today
            await palaver.append_many(conversation, _turn(f"Tile {number} is blue.", "Noted."))
    clock.now = datetime.now(UTC) + timedelta(days=2)
    async with Palaver.open(settings=settings, clock=clock, index_vectors=False) as palaver:
        await palaver.settle()
        await palaver.rebuild()
        return [day.label for day in reversed(await palaver.every_day(conversation))]


async def _say(palaver: Palaver, clock: Clock, conversation: str, page: Written) -> None:
    for one in page.spoken:
        clock.now = one.at
        await palaver.append_many(conversation, _turn(one.text, one.answer))


def _turn(asked: str, answer: str) -> list[NewMessage]:
    return [
        NewMessage(role="user", content=asked),
        NewMessage(role="assistant", content=answer),
    ]


def _read(served: Served, labels: Sequence[str], result: Result) -> dict[str, str]:
    """Reads each day; the first line of each summary, by day."""
    told: dict[str, str] = {}
    first, others = list[float](), list[float]()
    headers = {"Authorization": f"Bearer {served.token}"}
    with httpx.Client(base_url=served.url, headers=headers, timeout=60) as client:
        client.get("/api/me").raise_for_status()
        for number, label in enumerate((*labels[:FIRST], *labels)):
            began = time.perf_counter()
            answer = client.get(f"/api/continuous/days/{label}")
            (first if number < FIRST else others).append(1000 * (time.perf_counter() - began))
            told[label] = answer.raise_for_status().json()["summaryLines"][0]["text"]
    result.note(f"the newest day, of {2 * MANY} messages, read first of all", first[0], "ms")
    result.at_most(f"the slowest of the first {FIRST} days", max(first), "ms", MOST)
    _tell(result, "reading any day", others)
    return told


def _walk(served: Served, link: str, told: dict[str, str], result: Result) -> None:
    """From the key press until the summary of the day before stands on the page."""
    labels, spent = list(told), list[float]()
    width, height = DESK
    with running_browser() as browser:
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_init_script(path=Path(__file__).with_name("page.js"))
        page = context.new_page()
        page.goto(link)
        expect(box(page)).to_be_visible()
        page.goto(f"{served.url}/continuous/{labels[1]}")
        expect(page.locator("main")).to_contain_text(told[labels[1]])
        for label in labels[2 : 2 + WALKED]:
            spent.append(_pressed(page, "ArrowLeft", told[label]))
        for label in reversed(labels[1 : 1 + WALKED]):  # each of them was on the page once
            spent.append(_pressed(page, "ArrowRight", told[label]))
        newest = _pressed(page, "ArrowRight", told[labels[0]])
        context.close()
    _tell(result, "walking to a day on the page", spent)
    result.at_most(f"walking to the day of {2 * MANY} messages", newest, "ms", MOST)


def _pressed(page: Page, key: str, text: str) -> float:
    page.get_by_role("heading", level=1).focus()
    page.evaluate("text => { window.there = measured.until('keydown', text, 'main'); }", text)
    page.keyboard.press(key)
    return page.evaluate("window.there")


def _tell(result: Result, name: str, spent: list[float]) -> None:
    result.note(f"{name}, p50", median(spent), "ms")
    p95 = quantiles(spent, n=20, method="inclusive")[18]
    result.at_most(f"{name}, p95", p95, "ms", MOST)
    result.at_most(f"{name}, the slowest", max(spent), "ms", MOST)
    result.bars.append((name, p95))
