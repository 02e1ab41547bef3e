"""Quoted words stay words, whatever Markdown would make of them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from palaver.agent.markdown import blockquote, escaped, link, one_line

BLOCKQUOTE = [
    "blockquote_open",
    "paragraph_open",
    "inline",
    "paragraph_close",
    "blockquote_close",
]
READER = MarkdownIt("gfm-like", {"linkify": False})

texts = st.text(min_size=1).filter(one_line)
tricky = st.text(alphabet="#>-+*_=`~[]()<>!&|:;.\\/ \n\tab1x", min_size=1).filter(one_line)


def inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or ()]


def shown(tokens: list[Token]) -> str:
    return "".join(token.content for token in inline(tokens))


@given(texts | tricky)
@example("# Heading")
@example("> out\n\nof the quote")
@example("---")
@example("1. item")
@example("1) item")
@example("- item")
@example("+ item")
@example("```\ncode")
@example("~~~")
@example("    code")
@example("<script>alert(1)</script>")
@example("![](http://example.org/x.png)")
@example("[^1]: note")
@example("a | b\n--|--\n1 | 2")
@example("&lt;b&gt; &#60;")
@example("ends with a backslash \\")
@example("\\*not emphasis*")
@example("<http://example.org>")
def test_a_quotation_is_one_paragraph_in_one_quote(text: str):
    tokens = READER.parse(f"before\n\n{blockquote(text)}\n\nafter")
    quote = tokens[3:-3]
    assert [token.type for token in quote] == BLOCKQUOTE
    assert {token.type for token in inline(quote)} <= {"text", "text_special"}
    assert shown(quote) == one_line(text).replace("\0", "\ufffd")


@pytest.mark.parametrize(
    "text", ["It's fine (really), 3.5 € - yes!", "don't", "a-b c+d #5", "x = 1"]
)
def test_ordinary_text_is_left_alone(text: str):
    assert escaped(text) == text


@given(texts | tricky)
def test_a_link_keeps_its_own_target(text: str):
    tokens = READER.parse(f"in {link(text, '/c/conv-1#msg-1')}:")
    links = [token for token in inline(tokens) if token.type == "link_open"]
    assert [token.attrs["href"] for token in links] == ["/c/conv-1#msg-1"]
    assert tokens[0].type == "paragraph_open"
    assert len(tokens) == 3


def test_a_title_cannot_turn_the_line_round():
    assert link("\u202eevil\u2066", "/x") == "[evil](/x)"
