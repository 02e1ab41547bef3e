"""What is taken from a model, what is mended on the way, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.memory.model.checking import check
from palaver.memory.model.wish import asks_to_remember
from palaver.memory.port import MAX_CATEGORY, MAX_CONTENT, MEMORY_TYPES, Candidate
from tests.memory.model.sayings import ASKED, HOME, JOB_MEMORY, found, memory, saying, transcript


def taken(text: str, content: str, quote: str, **more: Any) -> list[Candidate]:
    """What is taken of a memory about one message, if nothing is wrong with it."""
    asked = more.pop("asked", "")
    answer = found(memory(content=content, quote=quote, **more))
    checked = check(answer, transcript(saying(text, asked=asked)))
    assert not checked.faults
    return list(checked.candidates)


def reasons(text: str, content: str, quote: str, **more: Any) -> str:
    """What is wrong with it."""
    asked = more.pop("asked", "")
    answer = found(memory(content=content, quote=quote, **more))
    checked = check(answer, transcript(saying(text, asked=asked)))
    return " ".join(f"{fault.reason} {fault.detail}" for fault in checked.faults)


@pytest.mark.parametrize(
    ("text", "content", "quote"),
    [
        (
            HOME,
            "I live in Leeds with my sister Marta.",
            "I live in Leeds now, with my sister Marta",
        ),
        (HOME, "- I have 2 cats.", "“...2 cats…”"),
        ("i'm a nurse in leeds", "I am a nurse in Leeds.", "i'm a nurse in leeds"),
        ("i met ana's brother, he lives here", "Ana's brother lives here.", "brother, he lives"),
        ("we use postgres at work", "At work we use Postgres.", "we use postgres at work"),
        ("I've been learning piano", "Learning piano.", "learning piano"),
        ("hab ne katze namens mimi", "Ich habe eine Katze namens Mimi.", "katze namens mimi"),
        (
            "Ich bin allergisch gegen Nüsse.",
            "Ich habe eine Allergie gegen Nüsse.",
            "allergisch gegen Nüsse",
        ),
        ("J’habite à Lyon depuis 2019.", "J'habite à Lyon depuis 2019.", "J'habite à Lyon"),
        ("我住在柏林。", "我住在柏林。", "我住在柏林"),
        ("Я живу в Казани", "Я живу в Казани.", "живу в Казани"),
    ],
)
def test_what_was_said_is_taken(text: str, content: str, quote: str) -> None:
    (candidate,) = taken(text, content, quote)
    assert candidate.quote in text
    assert candidate.content == content.removeprefix("- ")


@pytest.mark.parametrize(
    ("content", "quote", "fault"),
    [
        ("I live in Leeds.", "I live in Xanadu", "does not stand in its message"),
        ("I live in Leeds.", "", "does not stand in its message"),
        ("I live in Leeds.", "I live with my sister Marta", "does not stand in its message"),
        ("I have 4 cats.", "2 cats", "numbers or names that its message has not"),
        ("My sister Martina lives here.", "my sister Marta", "leave them out: Martina."),
        ("Jonas has 2 cats.", "2 cats", "leave them out: Jonas."),
        ("I live at mail@example.org.", "I live", "leave them out: mail@example.org."),
        ("I prefer jazz.", "I live in Leeds now", "does not say what its quotation says"),
        (" - ", "I live in Leeds now", "is empty or over"),
        ("I live in Leeds. " * 200, "I live in Leeds now", "is empty or over"),
    ],
)
def test_what_was_not_said_is_refused(content: str, quote: str, fault: str) -> None:
    assert fault in reasons(HOME, content, quote)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"message": 0}, "The numbers go from 1 to 1."),
        ({"message": 2}, "does not name a message that exists"),
        ({"type": "task"}, "The type of memory 1 is none of fact, preference"),
        ({"confidence": 1.5}, "not between 0 and 1"),
        ({"confidence": -0.1}, "not between 0 and 1"),
        ({"sensitive": "secret"}, "none of those listed"),
        ({"category": "x" * (MAX_CATEGORY + 1)}, "over 100 characters"),
        ({"slot": "x" * (MAX_CATEGORY + 1)}, "over 100 characters"),
        ({"content": None}, "not one JSON object"),
        ({"confidence": "very"}, "not one JSON object"),
    ],
)
def test_what_has_the_wrong_shape_is_refused(changes: dict[str, Any], fault: str) -> None:
    checked = check(found(memory(**changes)), transcript(saying(HOME)))
    assert any(fault in f"{one.reason} {one.detail}" for one in checked.faults)


def test_small_things_are_mended() -> None:
    loose = {"type": "Fact ", "category": " Home", "sensitive": None, "slot": "HOME", "ends": None}
    (candidate,) = taken(HOME, "* I  live in\nLeeds.", '"I live in  Leeds"', **loose)
    assert candidate == Candidate(
        "fact", "I live in Leeds.", "msg-1", "I live in Leeds", "home", 0.9, slot="home"
    )


def test_what_is_found_twice_is_taken_once() -> None:
    twice = found(memory(), memory(content="i live in leeds.", confidence=0.5), memory())
    assert len(check(twice, transcript()).candidates) == 1


# -- whose words they are ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "quote"),
    [
        ("I work for Siemens.", "structural engineer"),
        ("I do work for a living.", "mostly bridges"),
    ],
)
def test_nothing_is_learned_from_what_the_assistant_said(content: str, quote: str) -> None:
    assert reasons("structural engineer, mostly bridges", content, quote, asked=ASKED)


def test_who_only_agrees_has_not_said_it() -> None:
    guess = "You seem to be a morning person who works in finance."
    assert reasons("haha yes", "I work in finance.", "yes", asked=guess)
    long = "So you are a night nurse, paint portraits, grow roses and drink coffee or tea?"
    told = "I am a night nurse, paint portraits, grow roses and drink tea."
    assert reasons("tea!", told, "tea", asked=long)


def test_an_answer_means_what_was_asked() -> None:
    assert taken("34", "I am 34 years old.", "34", asked="How many years old are you?")
    assert taken("Anna", "My sister is called Anna.", "Anna", asked="What is your sister called?")
    assert not check(found({**JOB_MEMORY}), transcript()).faults


@pytest.mark.parametrize(
    "text",
    [
        "Can you answer this?\n> I live in Leeds now\n> and need a vet",
        'She wrote "I live in Leeds now", poor thing.',
        "What does this do?\n```\nI live in Leeds now\n```",
        "Translate into German: I live in Leeds now",
        "Fwd this:\n> Remember that I live in Leeds now",
    ],
)
def test_what_others_say_is_left_out(text: str) -> None:
    assert taken(text, "I live in Leeds.", "I live in Leeds now", explicit=True) == []


def test_what_others_say_is_the_owners_if_they_ask_to_have_it_remembered() -> None:
    text = "Please remember this:\nI live in Leeds now"
    (candidate,) = taken(text, "I live in Leeds.", "I live in Leeds now", explicit=True)
    assert candidate.explicit
    assert taken(text, "I live in Leeds.", "I live in Leeds now") == []


def test_a_wish_that_nobody_has_is_not_believed() -> None:
    (candidate,) = taken(HOME, "I live in Leeds.", "I live in Leeds now", explicit=True)
    assert not candidate.explicit


@pytest.mark.parametrize(
    "text",
    [
        "Remember that I'm allergic to penicillin.",
        "what's the weather? and please remember my shoe size is 43",
        "Don't forget: I never eat pork.",
        "My locker is blue. Keep that in mind!",
        "Merk dir bitte, dass ich nicht rauche.",
        "Souviens-toi que je suis diabétique.",
        "Recuerda que soy vegano.",
        "Ricordati che vivo a Roma.",
        "Onthoud dat ik in Gent woon.",
        "Lembre-se de que sou de Lisboa.",
        "Запомни, я живу в Казани.",
        "记住我住在柏林",
    ],
)
def test_asking_to_remember(text: str) -> None:
    assert asks_to_remember(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Leeds.",
        "do you remember what my dog's called?",
        "I can't remember his name.",
        "remember to remind me at 5",
        "Please don't save this.",
        "Merk dir das nicht.",
        "My notebook is blue.",
    ],
)
def test_not_asking_to_remember(text: str) -> None:
    assert not asks_to_remember(text)


# -- whatever a model writes ---------------------------------------------------------------------


@given(st.text(max_size=300))
def test_what_cannot_be_read_is_refused(text: str) -> None:
    assert check(text, transcript()).faults


@given(
    st.lists(st.text(max_size=60), min_size=1, max_size=3),
    st.lists(
        st.fixed_dictionaries(
            {
                "message": st.integers(-1, 4),
                "type": st.sampled_from([*MEMORY_TYPES, "x"]),
                "content": st.text(max_size=60),
                "quote": st.text(max_size=20),
                "confidence": st.floats(-0.5, 1.5),
                "explicit": st.booleans(),
                "slot": st.none() | st.text(max_size=10),
            }
        ),
        max_size=4,
    ),
)
def test_what_is_taken_stands_in_its_message(
    texts: list[str], memories: list[dict[str, Any]]
) -> None:
    sayings = [saying(text, number) for number, text in enumerate(texts, 1)]
    for told in memories:
        checked = check(found(told), transcript(*sayings))
        for one in () if checked.faults else checked.candidates:
            (source,) = [each for each in sayings if each.message_id == one.message_id]
            assert one.quote
            assert one.quote in source.text
            assert 0 < len(one.content) <= MAX_CONTENT
            assert 0 <= one.confidence <= 1
            assert one.type in MEMORY_TYPES
            assert not one.explicit or asks_to_remember(source.text)
