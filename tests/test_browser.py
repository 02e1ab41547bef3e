"""The browser that `make test` provides shows a page from localhost."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests import browser

PAGE = b"""<!doctype html><title>Page</title>
<button onclick="this.textContent = 'pressed'">press</button>"""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


async def test_a_page_is_shown_and_a_button_pressed(address: str, tmp_path: Path):
    picture = tmp_path / "page.png"
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=browser.chromium(), args=browser.FLAGS
        )
        page = await chromium.new_page()
        await page.goto(address)
        await page.get_by_role("button", name="press").click()
        assert await page.get_by_role("button").inner_text() == "pressed"
        await page.screenshot(path=picture)
        await chromium.close()
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_wrong_path_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(browser.VARIABLE, "/nowhere/chromium")
    browser.chromium.cache_clear()
    with pytest.raises(browser.NoBrowserError, match="/nowhere/chromium"):
        browser.provide()
    browser.chromium.cache_clear()
