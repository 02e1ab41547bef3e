"""What there is one of at a time, read out of the words."""

from __future__ import annotations

import pytest

from palaver.memory.slots import ends_of, slot_of


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I live in Berlin", "home"),
        ("Lives in Berlin", "home"),
        ("The user lives in Berlin", "home"),
        ("We moved to Oslo last week!", "home"),
        ("My wife works at Globex", "employer:partner"),
        ("I'm a plumber", "job"),
        ("I don't eat meat", "diet"),
        ("My name is Ana", "name"),
        ("My birthday is 4 May", "birthday"),
        ("My manager is Petra Lindholm", "manager"),
        ("My favourite band is Radiohead", "favourite:band"),
        ("The project is called Tin Whistle", "name:project"),
        ("My phone is a Pixel 6", "phone"),
        ("I like tea", None),
    ],
)
def test_a_slot_is_read_out_of_the_words(text: str, slot: str | None) -> None:
    assert slot_of(text) == slot


def test_what_ends_leaves_its_slot_empty() -> None:
    assert ends_of("I quit my job at Acme") == "employer"
    assert ends_of("I live in Berlin") is None
