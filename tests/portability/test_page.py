"""An exported page in a real browser: nothing in it runs, and nothing is loaded."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

from playwright.sync_api import sync_playwright

from palaver.portability import html
from tests.browser import FLAGS, chromium
from tests.portability.test_formats import HOSTILE, conversation, message

ACTIVE = [
    "<script>document.title = 'owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</p><iframe srcdoc=\"<script>top.document.title='owned'</script>\"></iframe>",
    "<style>body { display: none }</style>",
    '<link rel=stylesheet href="http://127.0.0.1:9/x.css">',
]


def test_a_page_full_of_hostile_words(tmp_path: Path) -> None:
    texts = [*HOSTILE, *ACTIVE]
    said = [html.message(message(text, sender=text), UTC) for text in texts]
    page_file = tmp_path / "page.html"
    page_file.write_text(
        html.opening("Export")
        + html.heading(conversation(title=ACTIVE[0]), UTC)
        + "".join(said)
        + html.closing()
    )
    asked: list[str] = []
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda said: complaints.append(said.text))
        page.goto(page_file.as_uri())
        assert page.title() == "Export"
        assert page.locator("article").count() == len(texts)
        assert page.locator("article p").last.inner_text() == texts[-1]
        assert page.locator("main").evaluate("it => getComputedStyle(it).maxWidth") != "none"
        browser.close()
    assert asked == [page_file.as_uri()]
    assert complaints == []
