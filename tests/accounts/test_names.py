from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palaver.accounts.names import check_name, folded
from palaver.errors import BadValue


@pytest.mark.parametrize("name", ["ann", "Ann Bell", "Žofie", "安", "o'neill", "a" * 64, " ann "])
def test_most_things_are_names(name: str):
    assert check_name(name) == name.strip()


@pytest.mark.parametrize(
    "name",
    ["", "  ", "a" * 65, "a\nb", "a\0b", "a\u202eb", "a\u200bb", "\ud800", "usr-ann", "ＵＳＲ-ann"],
)
def test_what_nobody_can_be_called(name: str):
    with pytest.raises(BadValue):
        check_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "ANN"), ("ａｎｎ", "ann"), ("Straße", "STRASSE"), ("ﬁg", "fig"), ("é", "e\u0301")],
)
def test_names_that_people_take_for_the_same(one: str, other: str):
    assert folded(one) == folded(other)


@given(st.text(max_size=64))
@example("\u00b4")  # it becomes a space and an accent
def test_folding_twice_is_folding_once(name: str):
    assert folded(folded(name)) == folded(name)
