"""A witness: sees what a tab must never do, and says so at the end of the test.

Whatever the page writes to the console as an error, every error that nobody caught, everything that
the policy stopped, and every request to another place.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError

UNREACHABLE = (
    r"ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|"
    r"ERR_INCOMPLETE_CHUNKED_ENCODING|WebSocket connection to .* failed"
)
"""What Chromium itself writes when the server is gone."""
REFUSED = r"the server responded with a status of [45]\d\d|HTTP Authentication failed"
"""What Chromium itself writes when a request is refused."""


class Witness:
    """What happened in the tabs of one context that must not happen."""

    def __init__(self, context: BrowserContext) -> None:
        self.seen: list[str] = []
        self.hosts: set[str] = set()
        """Every place that something was asked of."""
        self._allowed: list[str] = []
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("page", self._page)

    def allow(self, *patterns: str) -> None:
        """What a test brings about itself, for example `UNREACHABLE`."""
        self._allowed += patterns

    def check(self) -> None:
        """Raises AssertionError if something happened that was not allowed."""
        found = [one for one in self.seen if not any(re.search(p, one) for p in self._allowed)]
        assert not found, "\n".join(found)
        assert len(self.hosts) <= 1, f"Requests went to several places: {self.hosts}"

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.seen.append(f"console: {message.text} ({message.location.get('url')})")

    def _error(self, error: WebError) -> None:
        self.seen.append(f"uncaught: {error.error}")

    def _request(self, request: Request) -> None:
        self._asked(request.url)

    def _page(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._asked(socket.url))

    def _asked(self, url: str) -> None:
        if host := urlsplit(url).netloc:
            self.hosts.add(host)
