"""What is printed cannot drive a terminal, whatever was said."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.cli.output import one_line, say_json, visible

TURNING = {"\u061c", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


@given(st.text())
def test_nothing_visible_controls_anything(text: str) -> None:
    shown = visible(text)
    assert all(unicodedata.category(mark) != "Cc" or mark in "\n\t" for mark in shown)
    assert TURNING.isdisjoint(shown)


def test_harmless_text_stays_as_it_is() -> None:
    text = "\u05e9\u05dc\u05d5\u05dd\u200f \U0001f469\u200d\U0001f467 na\u00efve\n\ttab \u200bzero"
    assert visible(text) == text


def test_one_line() -> None:
    assert one_line(" two\nlines\x1b ") == "two lines\\x1b"


def test_json_is_escaped_and_reads_back_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    document = {"text": "\x1b[2J \x9b \u202e \x7f \\u202e ünï 🎈", "number": 1}
    say_json(document)
    out = capsys.readouterr().out
    assert visible(out) == out
    assert "ünï 🎈" in out
    assert json.loads(out) == document
