"""A question that names several things falls into clauses; one that names one does not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palaver.recall.clauses import MOST, clauses


def test_a_question_for_two_things_has_two_clauses():
    question = "How many days were there between my Sunday mass and the festival of colours?"
    assert clauses(question) == [
        "How many days were there",
        "my Sunday mass",
        "the festival of colours",
    ]


def test_a_question_for_one_thing_has_none():
    assert clauses("Where did I get my guitar serviced?") == []


def test_a_word_or_two_are_no_clause():
    assert clauses("What is the name of my cat and dog?") == []


def test_other_languages_have_joints_of_their_own():
    question = "Wie lange war ich in Berlin und wann war ich in Hamburg?"
    assert clauses(question) == ["Wie lange war ich in Berlin", "wann war ich in Hamburg"]


def test_nothing_has_no_clauses():
    assert clauses("") == clauses("?!") == []


@given(st.text(max_size=400))
def test_clauses_are_few_and_from_the_question(question: str):
    found = clauses(question)
    assert len(found) <= MOST
    assert all(clause in question for clause in found)


def test_a_long_question_takes_no_long_time():
    assert len(clauses("and, " * 20_000)) == 0
