"""Takes pictures of every page, in both themes and on a phone, into `docs/images/`.

    python -m scripts.pictures [NAME…]

A server of its own serves the example conversations of `scripts.demo`. Its clock and the browser's
stand still, so that the same page gives the same picture.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from zoneinfo import ZoneInfo

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from palaver.app import Palaver
from scripts.correspondents import OWNER, STRANGER, examples
from scripts.demo import QUESTION, fill
from tests import browser as provided
from tests.server.site import Site, running_site

FOLDER = Path(__file__).parents[1] / "docs" / "images"
ZONE = "Europe/Lisbon"
NOW = datetime(2026, 11, 16, 10, 40, tzinfo=ZoneInfo(ZONE))
COLOURS = 128
"""Text and a few tints need no more, and a picture is a third as large."""
LARGEST = 150_000
"""Bytes of a picture: a README with all of them still opens at once."""
PATIENCE = 20_000
TITLE = "Safari signs people out"
TALK = f"/c/{{{TITLE}}}"

Scheme = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a picture is taken."""

    name: str
    scheme: Scheme
    size: tuple[int, int]

    @property
    def is_phone(self) -> bool:
        return self.name == "phone"


KINDS = (
    Kind("light", "light", (1280, 800)),
    Kind("dark", "dark", (1280, 800)),
    Kind("phone", "light", (360, 740)),
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A page, and how to know that it is ready."""

    name: str
    path: str
    """A conversation by its title in braces, or somebody by their name."""
    ready: Callable[[Page], None]
    is_new_home: bool = False
    is_signed_in: bool = True


def _heading(name: str) -> Callable[[Page], None]:
    return lambda page: expect(page.get_by_role("heading", name=name).first).to_be_visible()


def _conversation(page: Page) -> None:
    expect(page.get_by_role("article", name="You").last).to_contain_text("post-mortem")


def _answer(page: Page) -> None:
    expect(page.get_by_role("article", name="You").last).to_contain_text(QUESTION)
    expect(page.get_by_role("article", name="Assistant").last).to_contain_text("Max-Age")


def _context(page: Page) -> None:
    _conversation(page)
    page.keyboard.press("Alt+i")  # on a phone the button is in a menu
    expect(page.get_by_text("tokens").first).to_be_visible()


def _found(page: Page) -> None:
    expect(page.get_by_text(TITLE).last).to_be_visible()


def _palette(page: Page) -> None:
    expect(page.get_by_role("article").last).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find anything").fill("kitchen")
    expect(page.get_by_role("option").first).to_be_visible()


def _today(page: Page) -> None:
    expect(page.get_by_role("article", name="You").last).to_contain_text("antifouling")
    summary = page.get_by_role("region", name="Day summary", exact=True)
    expect(summary).to_contain_text("Made offline")
    page.get_by_role("button", name="Summary", exact=True).click()


def _days(page: Page) -> None:
    expect(page.get_by_role("region", name="Day summary", exact=True)).to_be_visible()
    page.get_by_role("button", name=re.compile("^(All days|Days)$")).click()
    grid = page.get_by_role("dialog").get_by_role("grid")
    expect(grid.get_by_role("link")).to_have_count(4)


def _channel(page: Page) -> None:
    expect(page.get_by_role("note").first).to_contain_text("goes on in WhatsApp")
    expect(page.get_by_text("Sent", exact=True).first).to_be_visible()


def _external(page: Page) -> None:
    expect(page.get_by_role("region", name="Need you")).to_contain_text("Grete")


def _exchange(page: Page) -> None:
    expect(page.get_by_role("article", name="Grete", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.reload()  # who opens it first has seen it; it looks the same from then on
    answer = page.get_by_role("textbox", name="Answer", exact=True)
    answer.fill("Yes, it is. Saturday at ten, at the slipway?")
    answer.scroll_into_view_if_needed()


def _channels(page: Page) -> None:
    section = page.get_by_role("region", name="Channels", exact=True).last
    expect(section).to_contain_text("Connected since")
    section.get_by_role("button", name="Test WhatsApp").click()
    expect(section).to_contain_text("Connected to this process.")
    section.scroll_into_view_if_needed()


PICTURES = (
    Picture("welcome", "/", _heading("Welcome to Palaver"), is_new_home=True),
    Picture("answer", "/", _answer),
    Picture("conversation", TALK, _conversation),
    Picture("context", TALK, _context),
    Picture("today", "/continuous", _today),
    Picture("days", "/continuous/2026-11-15", _days),
    Picture("palette", "/", _palette),
    Picture("search", "/search?q=login+bug", _found),
    Picture("insights", "/insights", _heading("Insights")),
    Picture("settings", "/settings", _heading("Settings")),
    Picture("channel", f"/c/{{{OWNER.name}}}", _channel),
    Picture("external", "/external", _external),
    Picture("exchange", f"/external/{{{STRANGER.name}}}", _exchange),
    Picture("channels", "/settings#channels", _channels),
    Picture("login", "/login", _heading("Sign in to Palaver"), is_signed_in=False),
)


def take(wanted: set[str]) -> list[Path]:
    """Takes the pictures of these names, or all; returns the files."""
    taken: list[Path] = []
    with TemporaryDirectory() as folder, _sites(Path(folder)) as (used, new), _browser() as browser:
        for picture in PICTURES:
            if wanted and picture.name not in wanted:
                continue
            for kind in KINDS:
                site = new if picture.is_new_home else used
                taken.append(_taken(browser, site, picture, kind))
    return taken


@contextmanager
def _sites(folder: Path) -> Generator[tuple[Site, Site]]:
    """A home with the examples, and an empty one."""
    for name in ("used", "new"):
        (folder / name).mkdir()
        (folder / name / "config.yaml").write_text(f"user: {{timezone: {ZONE}}}\n")
    asyncio.run(fill(folder / "used", NOW, index_vectors=False))

    def clock() -> datetime:
        return NOW.astimezone(UTC)

    with (
        running_site(folder / "used", clock=clock, channels=[*examples(clock).values()]) as used,
        running_site(folder / "new", clock=clock) as new,
    ):
        yield used, new


@contextmanager
def _browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=provided.chromium(), args=provided.FLAGS
        )
        yield browser
        browser.close()


def _taken(browser: Browser, site: Site, picture: Picture, kind: Kind) -> Path:
    width, height = kind.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=kind.scheme,
        has_touch=kind.is_phone,
        is_mobile=kind.is_phone,
        reduced_motion="reduce",
        timezone_id=ZONE,
        locale="en-GB",
    )
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    if picture.is_signed_in:
        secret = site.accounts.sign_in("local")
        context.add_cookies([{"name": site.cookie, "value": secret, "url": site.url}])
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    page.goto(f"{site.url}{_address(site, picture.path)}")
    picture.ready(page)
    page.wait_for_load_state("networkidle")
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{picture.name}-{kind.name}.png"
    shot = page.screenshot(caret="hide", animations="disabled")
    Image.open(BytesIO(shot)).convert("RGB").quantize(COLOURS).save(file, optimize=True)
    context.close()
    return file


def _address(site: Site, path: str) -> str:
    found = re.search(r"{(.+)}", path)
    if not found:
        return path
    name = found[1]

    async def named(palaver: Palaver) -> str:
        if path.startswith("/external"):
            return (await palaver.external.page(q=name)).external[0].id
        return (await palaver.conversations(q=name)).conversations[0].id

    return path.replace(found[0], site.within(named))


def main() -> None:
    names = [picture.name for picture in PICTURES]
    parser = argparse.ArgumentParser(description="Take pictures of the page into docs/images/.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    wanted: list[str] = parser.parse_args().names
    if unknown := set(wanted) - set(names):
        parser.error(f"There is no picture called {', '.join(sorted(unknown))}.")
    for file in take(set(wanted)):
        size = file.stat().st_size
        sys.stderr.write(f"{file.name}: {size // 1000} kB\n")
        if size > LARGEST:
            raise SystemExit(f"{file.name} is too large: take it smaller.")


if __name__ == "__main__":
    main()
