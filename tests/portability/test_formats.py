"""Formats that people read: whatever was said stays inside its message."""

from __future__ import annotations

from datetime import UTC
from html.parser import HTMLParser
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from palaver.index.records import ConversationMeta, Message
from palaver.portability import html, markdown
from palaver.portability.text import Entry, first_words, show_controls, speaker

BERLIN = ZoneInfo("Europe/Berlin")
HOSTILE = [
    "```\n# not a heading\n```",
    "~~~~\n``````\nstill inside",
    "</p></article><script>alert(1)</script>",
    "<!-- ",
    "![](http://evil.example/pixel.png) [x]: http://evil.example",
    "\r\n# heading\r# another",
    "\x1b]0;title\x07 \x9b31m \u202e reversed",
    "---\ntitle: front matter\n---",
    "&lt;script&gt; &amp;",
]


def conversation(**fields: Any) -> ConversationMeta:
    times = {"created": "2026-02-14T09:00:00.000Z", "updated": "2026-02-14T23:30:00.000Z"}
    return ConversationMeta.model_validate({"id": "conv-1", **times, **fields})


def message(content: str, **fields: Any) -> Message:
    given = {"id": "msg-1", "conversation_id": "conv-1", "seq": 1, "role": "user"}
    when = {"timestamp": "2026-02-14T23:30:00.000Z", "turn_number": 1}
    return Message.model_validate({**given, **when, "content": content, **fields})


class Outline(HTMLParser):
    """Collects the tags of a page and the text of each message."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self._inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "p":
            self._inside = True
            self.words.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "p"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.words[-1] += data


def blocks(text: str) -> list[Token]:
    return MarkdownIt("commonmark").parse(text)


PLAIN = {"text", "text_special", "softbreak", "hardbreak"}
PARAGRAPH = {"paragraph_open", "inline", "paragraph_close"}
QUOTATION = ["blockquote_open", "blockquote_close"]


def inline_types(tokens: list[Token]) -> set[str]:
    return {child.type for token in tokens for child in token.children or ()}


def seen(tokens: list[Token]) -> str:
    children = [child for token in tokens for child in token.children or ()]
    return "".join("\n" if child.type.endswith("break") else child.content for child in children)


def packed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_hostile_words_as_they_were_said(text: str) -> None:
    page = markdown.heading(conversation(title=text), UTC) + markdown.message(message(text), UTC)
    tokens = blocks(page)
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1"]
    assert inline_types(tokens) <= {*PLAIN, "strong_open", "strong_close"}
    assert packed(show_controls(text)) in packed(seen(tokens))


@given(st.text() | st.text(alphabet="ab1.)#>-+=*_`~<&;!|[]():\\ \t\n"))
def test_markdown_keeps_any_text_in_one_quotation(text: str) -> None:
    tokens = blocks(markdown.quoted(show_controls(text)))
    assert [token.type for token in tokens if token.level == 0] == QUOTATION
    assert {token.type for token in tokens if token.level} <= PARAGRAPH
    assert inline_types(tokens) <= PLAIN
    assert packed(seen(tokens)) == packed(show_controls(text))


@given(st.text(alphabet="ab1.)#>-+=*_`~<&;!|[]():\\ \t\n"))
def test_an_assistants_markdown_stays_inside_its_message(text: str) -> None:
    said = message(text + "x", role="assistant")
    tokens = blocks(markdown.message(said, UTC))
    outside = [token.type for token in tokens if token.level == 0]
    assert outside == ["paragraph_open", "paragraph_close", *QUOTATION]
    assert {token.type for token in tokens} <= {*PARAGRAPH, *QUOTATION, "fence"}
    assert inline_types(tokens) <= {*PLAIN, "strong_open", "strong_close", "code_inline"}
    assert set(Outline(html.message(said, UTC)).tags) <= {
        *("article", "header", "b", "time", "p", "blockquote", "strong", "code", "pre")
    }


def test_an_assistants_markdown_is_shown_and_its_links_are_text() -> None:
    text = "In [Team lunch](/c/conv-1#msg-1), **bold** \\* `a<b`:\n\n> We said\n> so.\n\n"
    said = message(f"{text}```\n1 < 2\n```", role="assistant")
    assert html.message(said, UTC).partition("</header>\n")[2] == (
        '<p dir="auto" lang="">In Team lunch, <strong>bold</strong> * <code>a&lt;b</code>:</p>\n'
        '<blockquote><p dir="auto" lang="">We said\nso.</p>\n</blockquote>\n'
        "<pre><code>1 &lt; 2</code></pre>\n</article>\n"
    )
    assert markdown.message(said, UTC).partition("\n\n")[2] == (
        "> In Team lunch, **bold** \\* `a<b`:\n>\n> > We said  \n> > so.\n>\n"
        "> ```\n> 1 < 2\n> ```\n\n"
    )


def test_a_users_words_are_not_taken_as_markdown() -> None:
    said = message("> [x](/y) **b**\n    four spaces\n\n1. one")
    assert markdown.message(said, UTC).partition("\n\n")[2] == (
        "> \\> \\[x\\](/y) \\*\\*b\\*\\*  \n"
        "> \u00a0\u00a0\u00a0\u00a0four spaces\n>\n> 1\\. one\n\n"
    )
    assert "&gt; [x](/y) **b**" in html.message(said, UTC)


@pytest.mark.parametrize("renderer", [markdown, html])
def test_an_index_tells_conversations_without_a_title_apart(renderer: Any) -> None:
    begins = first_words([message("", role="system"), message("When is *lunch*? " + "So " * 40)])
    assert begins == "When is *lunch*? " + "So " * 13 + "So…"
    shown = "".join(renderer.contents([Entry(conversation(), "conv-1.x", begins)], UTC))
    assert "New conversation" in shown
    assert "lunch" in shown
    assert "So…" in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_html_shows_hostile_words_as_they_were_said(text: str) -> None:
    page = (
        html.opening(text)
        + html.heading(conversation(title=text), UTC)
        + html.message(message(text, sender=text), UTC)
        + html.closing()
    )
    outline = Outline(page)
    assert outline.words == [show_controls(text)]
    assert "script" not in outline.tags
    assert outline.tags.count("article") == 1
    assert "img" not in outline.tags


def test_html_allows_nothing_but_its_own_style() -> None:
    page = html.opening("Figs")
    assert "default-src 'none'; style-src 'sha256-" in page
    assert "<link" not in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


@pytest.mark.parametrize("renderer", [markdown, html])
def test_times_are_those_of_the_reader(renderer: Any) -> None:
    assert "2026-02-15 00:30" in renderer.message(message("hello"), BERLIN)
    assert "2026-02-14 10:00" in renderer.heading(conversation(), BERLIN)


@pytest.mark.parametrize("renderer", [markdown, html])
def test_an_erased_message_says_so(renderer: Any) -> None:
    shown = renderer.message(message("", status="redacted"), UTC)
    assert "This message was erased." in shown


@pytest.mark.parametrize("renderer", [markdown, html])
def test_tool_calls_and_models_are_shown(renderer: Any) -> None:
    call = {"toolName": "clock", "input": {"zone": "UTC"}, "output": "<b>noon</b>```"}
    shown = renderer.message(
        message("", role="assistant", tool_calls=[call], model="some-model"), UTC
    )
    assert "Used clock" in shown
    assert "some-model" in shown
    assert "zone" in shown


@pytest.mark.parametrize(
    ("role", "sender", "expected"),
    [
        ("user", None, "You"),
        ("assistant", None, "Assistant"),
        ("user", "Ada\nLovelace", "Ada Lovelace"),
        ("tool", "", "Tool"),
    ],
)
def test_who_said_it(role: str, sender: str | None, expected: str) -> None:
    assert speaker(message("x", role=role, sender=sender)) == expected


def test_control_characters_control_nothing() -> None:
    assert show_controls("a\x1b[2Jb\x9b\x00\x7f\tc\r\nd") == "a\\x1b[2Jb\\x9b\\x00\\x7f\tc\nd"
