"""Visits: tabs of a real browser that are signed in, each with a profile of its own."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import browser as provided
from tests.page.witness import Witness
from tests.server.site import Site

PATIENCE = 20_000
"""Milliseconds: a busy machine is not a failing test."""
AFTER_PAINT = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
DESK = (1280, 800)
PHONE = (360, 740)


@contextmanager
def running_browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=provided.chromium(), args=provided.FLAGS
        )
        yield browser
        browser.close()


@dataclass(slots=True)
class Visits:
    """Opens profiles and tabs; `check()` and `close()` at the end."""

    browser: Browser
    witnesses: dict[BrowserContext, Witness] = field(default_factory=dict[BrowserContext, Witness])

    def profile(
        self,
        *,
        size: tuple[int, int] = DESK,
        scheme: Literal["light", "dark"] = "light",
        touch: bool = False,
        calm: bool = False,
    ) -> BrowserContext:
        """A new profile, which nobody is signed in to; `calm` asks for no motion."""
        width, height = size
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce" if calm else "no-preference",
            permissions=["clipboard-read", "clipboard-write"],
            locale="en-GB",
        )
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        self.witnesses[context] = Witness(context)
        return context

    def tab(self, site: Site, *, into: BrowserContext | None = None, path: str = "/") -> Page:
        """A tab that is signed in and shows `path`; in a new profile, unless one is given."""
        context = into or self.profile()
        if not any(cookie.get("name") == site.cookie for cookie in context.cookies()):
            secret = site.accounts.sign_in("local")
            context.add_cookies([{"name": site.cookie, "value": secret, "url": site.url}])
        page = context.new_page()
        page.goto(f"{site.url}{path}")
        page.locator("h1").first.wait_for()
        page.evaluate(AFTER_PAINT)  # from then on it hears keys, too
        return page

    def phone(self, site: Site, *, path: str = "/") -> Page:
        """A tab as wide as a small phone, that is touched."""
        return self.tab(site, into=self.profile(size=PHONE, touch=True), path=path)

    def witness(self, page: Page) -> Witness:
        return self.witnesses[page.context]

    def check(self) -> None:
        for witness in self.witnesses.values():
            witness.check()

    def close(self) -> None:
        for context in self.witnesses:
            context.close()
