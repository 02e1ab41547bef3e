"""Markdown made plain: what a reader sees of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.recall.plain import plain_lines, plain_text


@pytest.mark.parametrize(
    ("markdown", "seen"),
    [
        ("in [Team lunch](/c/conv-1#msg-2):", "in Team lunch:"),
        (r"[Server \[trouble\]](/c/conv-1)", "Server [trouble]"),
        ("![alt](https://x.example/p.png)", "alt"),
        ("**bold [x](/y)** text", "bold x text"),
        (r"2 \* 3 and `a\*b`", r"2 * 3 and `a\*b`"),
        ("no [link] here (at all)", "no [link] here (at all)"),
        ("> quoted\n> > twice\nnot > quoted", "quoted\ntwice\nnot > quoted"),
    ],
)
def test_what_is_seen(markdown: str, seen: str):
    assert plain_text(markdown) == seen


def test_quotations_may_keep_their_mark():
    assert plain_lines("> [a](/b)") == "> a"


@given(st.text(alphabet="ab \n"))
def test_plain_text_stays_as_it_is(text: str):
    assert plain_text(text) == text


def test_hostile_text_takes_no_time():
    for text in ("[" * 100_000, "**" * 50_000, "`" * 100_000, "[a](" * 30_000, "\\" * 100_000):
        plain_text(text)
