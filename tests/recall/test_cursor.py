"""Cursors come back as they went out, or not at all."""

import base64
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.errors import BadCursor
from palaver.recall.cursor import decode, encode


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))))
def test_a_cursor_survives_the_journey(values: list[str]):
    assert decode(encode(values)) == values


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "?",
        "é",
        "a",
        "A" * 20_000,
        base64.urlsafe_b64encode(b'{"a":1}').decode(),
        base64.urlsafe_b64encode(b"[1,2]").decode(),
        base64.urlsafe_b64encode(b'["\\ud800"]').decode(),
        base64.urlsafe_b64encode(b'["a"').decode(),
        encode(["a"])[:2] + " " + encode(["a"])[2:],
        encode(["a"])[:2] + "?!" + encode(["a"])[2:],
        encode(["a"]) + "\n",
    ],
)
def test_anything_else_is_refused(cursor: str):
    with pytest.raises(BadCursor):
        decode(cursor)


@given(st.text())
def test_no_text_breaks_the_reader(cursor: str):
    with suppress(BadCursor):
        assert isinstance(decode(cursor), list)
