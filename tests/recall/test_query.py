"""What can be searched for."""

import pytest

from palaver.errors import BadText, BadValue
from palaver.recall.query import check_query, search_terms


@pytest.mark.parametrize("query", ["", "   ", "?!", "___", "\u200b", '"', "*", "( -", "…"])
def test_a_query_without_a_word_is_refused_with_a_remedy(query: str):
    with pytest.raises(BadValue, match="no word") as caught:
        check_query(query)
    assert "at least one word" in caught.value.remedy


@pytest.mark.parametrize(
    "query", ["login bug", "the", "5", "东", "👍", "NEAR(", "col:x", "x" * 100_000]
)
def test_a_query_with_a_word_is_taken_as_it_is(query: str):
    assert check_query(query) == query


@pytest.mark.parametrize("query", ["a\0b", "a\ud800b"])
def test_text_that_cannot_be_stored_cannot_be_searched_for(query: str):
    with pytest.raises(BadText):
        check_query(query)


def test_what_is_left_of_a_query_that_names_a_time_may_ask_for_nothing_in_particular():
    assert search_terms("what did we do", ["en"], timed=True) == []
    assert search_terms("", ["en"], timed=True) == []
    assert search_terms("what did we do", ["en"], timed=False)
    assert [one.word for one in search_terms("what was the bug", ["en"], timed=True)] == ["bug"]
