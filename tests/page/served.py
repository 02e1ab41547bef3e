"""A server that is a process of its own, which a test can kill and start again at its address."""

from __future__ import annotations

import signal
from pathlib import Path

from playwright.sync_api import Page

from tests.models.server import ModelServer
from tests.server.process import Process

SECRET = "sk-a1b2c3d4e5"


def connect(home: Path, provider: ModelServer) -> None:
    """The home's usual model is at `provider`, which says what a test scripts:

    provider.script(Text("It is "), hold := Hold(), Text("blue."))
    ...  # ask on the page; `hold.reached.wait(10)`, look, then `hold.release()`
    """
    home.mkdir(parents=True, exist_ok=True)
    where = f"{{apiKey: {SECRET}, baseUrl: '{provider.anthropic_url}'}}"
    (home / "config.yaml").write_text(
        f"agent: {{model: sonnet, providers: {{anthropic: {where}}}}}"
    )


class Served:
    """`palaver serve` on a home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._process = Process(home)
        self._port = self._process.port

    @property
    def url(self) -> str:
        return self._process.url

    @property
    def link(self) -> str:
        """Signs in, once."""
        return self._process.link

    def open(self, page: Page) -> Page:
        """Signs the tab in by the link."""
        page.goto(self.link)
        page.wait_for_url(lambda url: "/login" not in url)
        return page

    def kill(self) -> None:
        """As a power failure would."""
        self._process.kill()

    def stop(self) -> None:
        """As the user does with Ctrl-C."""
        self._process.signal(signal.SIGINT)
        self._process.wait()

    def start(self) -> None:
        """Again, on the same home at the same address."""
        self._process = Process(self.home, self._port)

    def close(self) -> None:
        self._process.__exit__(None, None, None)
