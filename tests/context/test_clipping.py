"""Clipping: head and tail, never more than was paid for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palaver.context.clipping import Cut, clipped, longest_cut
from palaver.context.tokens import EstimatedTokens

COUNTER = EstimatedTokens()


def test_head_and_tail_are_shown_and_the_rest_is_counted() -> None:
    assert clipped("abcdefghij", Cut(3, 2)) == "abc\n[5 characters left out]\nij"


@given(st.text(min_size=1, max_size=2000), st.integers(-5, 300))
def test_what_is_shown_costs_at_most_what_was_asked(text: str, most: int) -> None:
    cut = longest_cut(text, most, COUNTER)
    if cut is not None:
        assert COUNTER.count(clipped(text, cut)) <= most
        assert cut.head > 0
        assert sum(cut) <= len(text)


def test_most_of_what_was_paid_for_is_used() -> None:
    text = "It was a long and winding road. " * 5000
    for most in (100, 1000, 5000):
        cut = longest_cut(text, most, COUNTER)
        assert cut is not None
        assert COUNTER.count(clipped(text, cut)) > 0.8 * most
        assert cut.head > cut.tail > 0


def test_characters_stay_whole() -> None:
    text = "👨‍👩‍👧‍👦" * 400
    cut = longest_cut(text, 200, COUNTER)
    assert cut is not None
    assert cut.head % 7 == cut.tail % 7 == 0


def test_there_may_be_no_room_for_anything() -> None:
    assert longest_cut("x" * 1000, 3, COUNTER) is None
    assert longest_cut("x", 3, COUNTER) is None


def test_the_tail_goes_when_there_is_room_only_for_a_head() -> None:
    assert longest_cut("👨‍👩‍👧‍👦 " * 10, 44, COUNTER) == Cut(8, 0)


def test_a_first_character_longer_than_the_room_is_cut_rather_than_left_out() -> None:
    assert longest_cut("a" + "\u0301" * 12, 11, COUNTER) == Cut(2, 0)
