"""A trap: a profile of the browser that notices whatever runs, and whatever asks a stranger."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

import orjson
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Dialog,
    Page,
    Request,
    Route,
    WebSocketRoute,
    expect,
)

from tests.page.poison import poisoned
from tests.page.visits import PATIENCE
from tests.server.site import Site

TALL = (1280, 6000)
"""So high that many messages are made at once."""
_PLACES = ("/api/", "/page/", "/c/conv-", "/external/ext-")
_PAGES = {
    "/",
    "/continuous",
    "/search",
    "/memories",
    "/external",
    "/insights",
    "/settings",
    "/login",
    "/ws",
    "/icon.svg",
}
_WATCH = """
Object.defineProperty(window, 'ran', { value: (...how) => {
  window.hasRun = true;
  noted(how.join());
} });
document.addEventListener('securitypolicyviolation', (event) =>
  violated(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
for (const name of ['alert', 'confirm', 'prompt', 'print']) {
  Object.defineProperty(window, name, { value: () => ran(name) });
}
"""


@dataclass
class Trap:
    """What fell into it."""

    site: Site
    context: BrowserContext
    poisons: bool = False
    """Whether every text in what the server tells is a payload."""
    ran: list[str] = field(default_factory=list[str])
    violations: list[str] = field(default_factory=list[str])
    tried: list[str] = field(default_factory=list[str])
    """Requests that the page has no reason for, whether or not the policy stopped them."""
    asked: list[str] = field(default_factory=list[str])
    """Those to a stranger that would have left the machine."""

    def open(self, path: str) -> Page:
        page = self.context.new_page()
        page.on("dialog", self._asked_back)
        page.goto(f"{self.site.url}{path}")
        return page

    def install(self) -> None:
        # Playwright does not say what a callback gives back.
        expose = cast("Any", self.context).expose_function
        expose("noted", self._noted)
        expose("violated", self._violated)
        self.context.add_init_script(_WATCH)
        self.context.on("request", self._notice)
        self.context.route("**/*", self._answer)
        self.context.route_web_socket("**/*", self._connect)

    def _asked_back(self, dialog: Dialog) -> None:
        self.ran.append(dialog.type)
        dialog.dismiss()

    def _noted(self, how: str) -> None:
        self.ran.append(how)

    def _violated(self, what: str) -> None:
        self.violations.append(what)

    def _connect(self, socket: WebSocketRoute) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.site.url).netloc:
            self.tried.append(socket.url)
            return
        server = socket.connect_to_server()
        server.on_message(lambda frame: socket.send(self._frame(frame)))

    def _frame(self, frame: str | bytes) -> str | bytes:
        return orjson.dumps(poisoned(orjson.loads(frame))).decode() if self.poisons else frame

    def _notice(self, request: Request) -> None:
        path = urlsplit(request.url).path
        is_known = path in _PAGES or path.startswith(_PLACES)
        if self.is_foreign(request) or not is_known:
            self.tried.append(f"{request.resource_type} {request.url}")

    def is_foreign(self, request: Request) -> bool:
        parts = urlsplit(request.url)
        return f"{parts.scheme}://{parts.netloc}" != self.site.url

    def _answer(self, route: Route) -> None:
        request = route.request
        path = urlsplit(request.url).path
        if self.is_foreign(request):
            self.asked.append(f"{request.resource_type} {request.url}")
            route.abort()
        elif self.poisons and request.method == "GET" and path.startswith("/api/"):
            answer = route.fetch()
            try:
                told = orjson.loads(answer.body())
            except orjson.JSONDecodeError:
                route.fulfill(response=answer)
            else:
                route.fulfill(response=answer, body=orjson.dumps(poisoned(told)))
        else:
            route.continue_()


@contextmanager
def trapped(browser: Browser, site: Site) -> Generator[Trap]:
    """A profile that is signed in."""
    width, height = TALL
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    secret = site.accounts.sign_in("local")
    context.add_cookies([{"name": site.cookie, "value": secret, "url": site.url}])
    trap = Trap(site, context)
    trap.install()
    try:
        yield trap
    finally:  # or its tabs would ask a server that is gone, in the next test
        context.close()
