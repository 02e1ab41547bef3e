"""The words of a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.errors import BadText, BadValue
from palaver.recall.query import MAX_WORDS, content_words, fold, query_words, words_in


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("login bug", ["login", "bug"]),
        ("What did we decide about the Login BUG?", ["decide", "login", "bug"]),
        ("bug, bug; BUG", ["bug"]),
        ("snake_case and it's", ["snake", "case"]),
        ("the who", ["the", "who"]),
        ("ﬁle №5", ["file", "no5"]),
        ("cafe\u0301", ["café"]),
        ("Straße", ["straße", "strasse"]),
        ("登录错误", ["登录错误"]),
        ('"quoted" -minus NEAR( col:x *', ["quoted", "minus", "near", "col", "x"]),
    ],
)
def test_words_of_a_query(query: str, words: list[str]):
    assert query_words(query) == words


@pytest.mark.parametrize("query", ["", "   ", "?!", "___", "👍", "\u200b"])
def test_a_query_without_a_word_is_refused_with_a_remedy(query: str):
    with pytest.raises(BadValue, match="no word") as caught:
        query_words(query)
    assert "at least one word" in caught.value.remedy


@pytest.mark.parametrize("query", ["a\0b", "a\ud800b"])
def test_text_that_cannot_be_stored_cannot_be_searched_for(query: str):
    with pytest.raises(BadText):
        query_words(query)


def test_a_long_query_keeps_its_first_words():
    found = content_words(" ".join(f"word{number}" for number in range(100)))
    assert found == [f"word{number}" for number in range(MAX_WORDS)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Café", "cafe"), ("ÉCOLE", "école"), ("STRASSE", "Straße"), ("Ångström", "angstrom")],
)
def test_neither_case_nor_diacritics_make_another_word(one: str, other: str):
    assert fold(one) == fold(other)


@given(st.text())
def test_any_text_has_words_that_are_single_words(text: str):
    for word in words_in(text):
        assert word
        assert "_" not in word
        assert not any(char.isspace() for char in word)
