"""What a later memory does to an earlier one."""

from __future__ import annotations

import pytest

from palaver.memory.sameness import Known, relation


def told(first: str, second: str, similarity: float | None = None) -> str:
    return relation(Known(first, "fact"), Known(second, "fact"), similarity)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live in Berlin", "We moved to Oslo last week!"),
        ("User lives in Berlin.", "User lives in Oslo."),
        ("I work at Acme", "I quit my job at Acme"),
        ("My manager is Petra", "My manager is Yusuf"),
        ("My favourite band is Radiohead", "My favourite band is The National"),
        ("Ich wohne in Kassel.", "Wir sind nach Freiburg gezogen!"),
        ("My thesis is due on 30 June.", "My thesis is due on 15 September."),
        ("My daughter goes to karate", "My daughter has given up karate"),
        ("Please answer me in English.", "Ab jetzt bitte immer auf Deutsch antworten."),
        ("The working title of the book is Salt Roads.", "The book will be called Grey Herring."),
    ],
)
def test_a_contradiction_takes_its_place(first: str, second: str) -> None:
    assert told(first, second) == "supersedes"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My brother lives in Rome", "My sister lives in Paris"),
        ("I work at Acme", "My wife works at Globex"),
        ("I'm a teacher", "My husband is a teacher"),
        ("I'm a dental hygienist.", "My partner's a dental technician."),
        ("I like tea", "I like coffee"),
        ("I live in Swansea", "I grew up in Nairobi"),
        ("I speak French", "I speak German"),
        ("My brother Tom is a vet", "My brother Jan is a pilot"),
        ("I play the piano", "I also play the guitar"),
    ],
)
def test_what_goes_together_stays(first: str, second: str) -> None:
    assert told(first, second) == "both"
    assert told(first, second, 0.6) == "both"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live in Berlin", "i live in berlin."),
        ("I'm a vegetarian", "I don't eat meat."),
        ("My wife is called Nora", "Nora is my wife"),
        ("My wife's name is Nora", "I'm married to Nora"),
        ("User lives in Oslo", "I live in Oslo"),
    ],
)
def test_the_same_in_other_words_is_the_same(first: str, second: str) -> None:
    assert told(first, second) == "same"


def test_vectors_tell_what_words_do_not() -> None:
    first, second = "I get up at six every day", "I rise with the lark"
    assert told(first, second) == "both"
    assert told(first, second, 0.8) == "same"


def test_the_slot_that_a_memory_was_given_counts() -> None:
    old = Known("Vim, for everything", "preference", "editor")
    new = Known("Helix these days", "preference", "editor")
    assert relation(old, new) == "supersedes"


def test_an_end_of_something_else_takes_no_place() -> None:
    """What fills a slot is not ended by what has no word in common with it."""
    home, gone = Known("I live in Oslo.", "fact", "home"), Known("I gave up my job.", "fact")
    assert relation(home, gone, 0.25) == "both"
    assert relation(Known("I play tennis.", "fact"), Known("I gave up tennis.", "fact")) == (
        "supersedes"
    )
