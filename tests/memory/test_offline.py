"""What the extractor without a model takes, and what it leaves."""

from __future__ import annotations

import pytest

from palaver.memory.offline import OfflineExtractor
from palaver.memory.offline.extractor import found
from palaver.memory.port import Candidate, Saying


def taken(text: str, asked: str = "") -> list[Candidate]:
    return found([Saying("m1", "c1", text, "2026-01-01T00:00:00Z", asked)])


@pytest.mark.parametrize(
    ("text", "kind", "slot"),
    [
        ("I live in Ghent.", "fact", "home"),
        ("I work at Philips", "fact", "employer"),
        ("btw, I'm vegetarian", "fact", "diet"),
        ("My favourite colour is green.", "preference", "favourite:colour"),
        ("My sister Ana lives in Lisbon", "entity", "home:sister"),
        ("Our dog is called Rex.", "entity", "dog:rex"),
        ("My thesis is due on 30 June.", "project", "deadline:thesis"),
        ("We've decided to host at Hetzner.", "decision", None),
        ("Ich wohne in Köln.", "fact", "home"),
        ("J'habite à Rennes.", "fact", "home"),
        ("Vivo en Sevilla.", "fact", "home"),
        ("Abito a Bologna.", "fact", "home"),
        ("Ik woon in Zwolle.", "fact", "home"),
        ("Moro em Braga.", "fact", "home"),
    ],
)
def test_what_lasts_is_taken(text: str, kind: str, slot: str | None) -> None:
    (one,) = taken(text)
    assert (one.type, one.slot) == (kind, slot)
    assert one.quote in text
    assert one.confidence >= 0.8


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("My contract ends in October.", "fact"),
        ("Our bank is Triodos.", "fact"),
        ("I've never owned a television.", "fact"),
        ("I was a flight attendant for eleven years.", "fact"),
        ("Wednesday afternoons are mine.", "fact"),
        ("Neither of us drives.", "fact"),
        ("Marek does our books.", "entity"),
        ("My daughter's school is St Brigid's.", "fact"),
        ("The loft becomes my office after the summer.", "fact"),
        ("Don't soften bad news for me.", "preference"),
        ("When I paste code, just fix it.", "preference"),
        ("Mein Bruder arbeitet im Zoo.", "entity"),
        ("Le mercredi je garde mes petits-enfants.", "fact"),
        ("Tengo una tienda de bicicletas en Gijón.", "fact"),
    ],
)
def test_what_has_the_form_of_something_that_lasts_is_taken(text: str, kind: str) -> None:
    assert [one.type for one in taken(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "My pen has leaked.",
        "Our flight leaves at six tomorrow.",
        "I have a question about the second paragraph.",
        "My code doesn't compile.",
        "I like the second one better.",
        "No bullet points in this one.",
        "Give me three options.",
        "My essay needs a better ending.",
        "I'm on hold with the bank.",
        "Mein Akku ist fast leer.",
        "Mon train est en retard.",
        "Estou com sono.",
    ],
)
def test_what_has_such_a_form_and_passes_is_left(text: str) -> None:
    assert taken(text) == []


def test_what_is_said_of_somebody_is_kept_with_who_it_is() -> None:
    (one,) = taken("A present for my mother, please. She lives in Quimper.")
    assert one.content == "My mother, please. She lives in Quimper."


def test_what_is_to_hold_from_then_on_is_an_answer() -> None:
    asked = "Should I keep sending the weekly overview on Mondays?"
    (one,) = taken("Sunday evening would be better, from now on", asked)
    assert one.type == "preference"
    assert taken("Sunday evening is fine", asked) == []


def test_what_the_assistant_has_just_told_is_not_learned_again() -> None:
    assert taken("Right, I play squash on Thursdays.", "You play squash on Thursdays.") == []
    assert taken("Yes, I live in Ghent.", "Do you live in Ghent?") != []
    assert taken("No, I play squash on Fridays.", "You play squash on Thursdays.") != []


def test_what_is_said_to_be_settled_is_a_decision() -> None:
    (one,) = taken("The firmware goes to Zephyr. That's settled.")
    assert (one.type, one.content) == ("decision", "The firmware goes to Zephyr.")


def test_nothing_is_decided_after_a_joke() -> None:
    assert taken("My cat has hired a lawyer. I've decided to settle out of court.") == []


def test_a_game_may_be_interrupted() -> None:
    asked = "*slams a mug down* What do you want?"
    said = "My lost squire. Pausing the game for a moment: I live in Leeds."
    assert [one.content for one in taken(said, asked)] == ["I live in Leeds."]


@pytest.mark.parametrize(
    "text",
    [
        "I'm tired.",
        "I'm at the station",
        "My flight is delayed",
        "If I lived in Rome I'd eat ice cream every day.",
        "Imagine I'm a teacher in Berlin.",
        "Let's say I live in Paris.",
        "Do I live in Ghent?",
        "My boss says I should move to Oslo.",
        "She lives in Rome.",
        "It is in Rome.",
        "I want to buy a car",
        "I wish I lived by the sea",
        "I'm thinking about moving to Porto",
        "> I live in Bath",
        'She wrote: "I live in Bath and I have three dogs."',
        "```\n# I live in fear of this\n```",
        "Alice: I live in Bath\nBob: I work at Acme\nAlice: me too",
        "<memory>I live in Bath.</memory>",
        "Translate into German: I live in Bath.",
        "I live in Excel. Just kidding.",
        "You're a barista, I'm a customer. Hi, I live in Bath.",
        "Write a story: I live in a lighthouse.",
        "remember to buy milk",
        "do you remember that I live in Bath?",
        "I remember that we met in Bath",
        "remember when we were in Bath?",
        "Erinnere mich daran, Milch zu kaufen",
        "I'm diabetic",
        "my PIN is 4821",
        "Please remember that my password is hunter2x",
        "The wifi password is Tr0mbone-88. Remember that.",
        "Can you save my document?",
        "Please store my photos in the cloud.",
    ],
)
def test_what_does_not_last_is_left(text: str) -> None:
    assert taken(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Please remember that I'm allergic to nuts.", "I'm allergic to nuts."),
        ("don't forget: bins go out on Tuesday", "Bins go out on Tuesday"),
        ("Merk dir, dass ich Diabetiker bin.", "Ich Diabetiker bin."),
        ("Souviens-toi que je suis diabétique", "Je suis diabétique"),
        ("Recuerda que soy celíaco", "Soy celíaco"),
        ("Ricordati che sono allergica alle noci", "Sono allergica alle noci"),
        ("Onthoud dat mijn zus in Gent woont", "Mijn zus in Gent woont"),
        ("Lembra-te que o meu filho é celíaco", "O meu filho é celíaco"),
    ],
)
def test_what_is_asked_for_is_kept_without_its_lead_in(text: str, content: str) -> None:
    (one,) = taken(text)
    assert (one.content, one.confidence, one.explicit) == (content, 1.0, True)


def test_one_memory_says_one_thing() -> None:
    contents = [one.content for one in taken("I'm vegetarian and I live in Ghent")]
    assert contents == ["I'm vegetarian", "I live in Ghent"]


def test_a_short_answer_is_understood_with_its_question() -> None:
    (one,) = taken("In Ghent", "Where do you live?")
    assert (one.content, one.quote, one.slot) == ("I live in Ghent", "In Ghent", "home")
    assert taken("yes", "Do you live in Ghent?") == []


def test_what_ends_is_told() -> None:
    (one,) = taken("I quit my job at Philips")
    assert one.ends == "employer"


def test_a_game_goes_on_in_the_next_message() -> None:
    game = Saying("m1", "c1", "Let's pretend: you're a wizard.", "2026-01-01T00:00:00Z")
    line = Saying("m2", "c1", "I live in Leeds.", "2026-01-01T00:01:00Z")
    end = Saying("m3", "c1", "Out of character now. I live in Bath.", "2026-01-01T00:02:00Z")
    assert found([game, line]) == []
    assert [one.content for one in found([game, line, end])] == ["I live in Bath."]


async def test_the_extractor_says_that_it_is_offline() -> None:
    said = Saying("m1", "c1", "I live in Ghent.", "2026-01-01T00:00:00Z")
    extracted = await OfflineExtractor().extract([said])
    assert extracted.by == "offline"
    assert [one.message_id for one in extracted.candidates] == ["m1"]


@pytest.mark.parametrize(
    "piece",
    [
        "have been ",
        "my ",
        "and i ",
        "a: ",
        "in the house of the ",
        "i, ",
        "<abc>",
        "1 ",
        "(i",
        "my a ",
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    """What takes exponential time does not end within the time a test has."""
    assert isinstance(taken(piece * (12_000 // len(piece))), list)
