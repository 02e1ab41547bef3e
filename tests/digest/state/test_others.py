"""The words of others inside a message are not read as the speaker's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.digest.state import fold_all
from palaver.digest.state.others import own_words
from palaver.digest.state.sentences import sentences
from tests.digest.state.scoring import said

OTHERS = [
    'She texted "can you call me?" and left.',
    "She texted \u201ccan you call me?\u201d and left.",
    "She texted 'can you call me?' and left.",
    "Elle a dit \u00abtu peux m'appeler ?\u00bb hier.",
    "She wrote: can you call me?",
    "My boss wrote:\n> can you call me?\n> I still need to pay.",
    "The code says:\n```\n# TODO: fix this\n```",
    "It prints `can you call me?` twice.",
    "The mail:\n\nHi Tom,\n\ncould you call me?\n\nBest,\nAnna",
    "Agent: How can I help?\nCustomer: Can you call me?\nAgent: I will call you tomorrow.",
    "The message reads:\ncan you call me?\nI still need to pay the rent.",
]


@pytest.mark.parametrize("text", OTHERS)
def test_what_others_say_opens_nothing(text: str):
    assert fold_all([said("user", text, 1, 1)]).open_loops == ()


def test_what_is_said_around_a_quotation_counts():
    text = '"Can you call me?" she wrote. What should I answer?'
    (loop,) = fold_all([said("user", text, 1, 1)]).open_loops
    assert loop.text == "What should I answer?"


@given(st.text() | st.lists(st.sampled_from(OTHERS)).map("\n".join))
def test_every_character_keeps_its_place(text: str):
    own = own_words(text)
    assert len(own) == len(text)
    assert all(one in (other, " ") for one, other in zip(own, text, strict=True))


def test_of_a_long_message_the_ends_are_read():
    text = f"The beginning. {'Many words. ' * 5000}The middle! {'Many words. ' * 5000}The end."
    found = [sentence.text for sentence in sentences(text, "en")]
    assert len(found) <= 100
    assert (found[0], found[-1]) == ("The beginning.", "The end.")
    assert "The middle!" not in found


def test_of_a_message_without_sentences_little_is_read():
    text = f"{'many words ' * 5000}middle {'many words ' * 5000}"
    (first, last) = sentences(text, "en")
    assert "middle" not in first.low + last.low
