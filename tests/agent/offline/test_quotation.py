"""Quotations stand in their message, word for word."""

from hypothesis import given
from hypothesis import strategies as st

from palaver.agent.offline.quotation import MAX_QUOTE, is_question, quote
from palaver.index.records import Message
from palaver.text import query_terms, words

NEEDLE = query_terms("needle", ["en"])


def said(content: str) -> Message:
    return Message(
        id="msg-1",
        conversation_id="conv-1",
        seq=1,
        role="user",
        content=content,
        timestamp="2026-02-14T09:00:00.000Z",
        turn_number=1,
    )


def quoted(content: str, *wanted: str) -> str:
    found = quote(said(content), query_terms(" ".join(wanted), ["en"]))
    assert found is not None
    return found.text


def test_a_short_message_is_quoted_by_the_sentence():
    text = "We met on Monday. The login bug came from the cookie. Lunch was good."
    assert quoted(text, "login", "bug") == "The login bug came from the cookie."
    assert quoted(text, "monday") == "We met on Monday."
    assert quoted(text, "lunch") == "Lunch was good."


def test_neighbouring_sentences_are_quoted_together():
    text = "We met on Monday. The login failed. It was a bug. Lunch was good."
    assert quoted(text, "login", "bug") == "The login failed. It was a bug."


def test_a_dot_inside_a_number_ends_no_sentence():
    assert quoted("The price rose by 3.5 percent in May.", "percent") == (
        "The price rose by 3.5 percent in May."
    )


def test_a_long_sentence_is_cut_between_words():
    text = "word " * 100 + "needle " + "word " * 100
    found = quoted(text, "needle")
    assert len(found) <= MAX_QUOTE
    assert set(found.split()) == {"word", "needle"}


def test_a_message_without_the_words_has_no_quotation():
    assert quote(said("Nothing of that kind."), NEEDLE) is None


def test_questions_are_told_from_statements():
    assert is_question("What did we decide?")
    assert is_question("where is the key")
    assert is_question("Is it raining")
    assert not is_question("We decided to wait.")
    assert not is_question("")


@given(st.text(), st.data())
def test_any_quotation_stands_in_its_message_and_is_short(content: str, data: st.DataObject):
    there = words(content)
    if there:
        word = data.draw(st.sampled_from(there))
        found = quote(said(content), query_terms(word, ()))
        assert found is not None
        assert found.text
        assert found.text in content
        assert len(found.text) <= MAX_QUOTE


@given(
    st.lists(
        st.sampled_from(["needle", "word", "word.", "?", "\n", "。", "x" * 150, "👩\u200d👧"])
    ),
    st.sampled_from([" ", "", "\n"]),
)
def test_long_messages_too(pieces: list[str], glue: str):
    content = glue.join(pieces)
    found = quote(said(content), NEEDLE)
    if found is not None:
        assert found.text in content
        assert "needle" in found.text or len(found.held) == 0
        assert len(found.text) <= MAX_QUOTE
