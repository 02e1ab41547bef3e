"""What conversations are called."""

from __future__ import annotations

import pytest

from palaver.digest.offline.wording import nothing
from palaver.text import LANGUAGES
from tests.digest.offline.talks import digest, message, naming, talk, title

LISBON = ("Sure, I can help.", "The hotel should cost at most 120 euros.")


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("Can you help me plan a trip to Lisbon in May?", *LISBON), "Trip to Lisbon in May"),
        (("Debug the login flow, it breaks after the redirect",), "Login Flow"),
        (("I'm looking for some tips on editing photos of landscapes.",), "Photos of Landscapes"),
        (("Is there a good day trip from Bilbao?",), "Day Trip from Bilbao"),
        (("What should I see in New Orleans?",), "New Orleans"),
        (("PLEASE HELP ME FIX MY BROKEN WASHING MACHINE NOW",), "Broken Washing Machine"),
        (("my iPhone does not find the macOS sync service",), "macOS Sync Service"),
        (
            ("Kannst du mir helfen, eine Reise nach Lissabon im Mai zu planen?",),
            "Reise nach Lissabon im Mai",
        ),
        (
            ("Bonjour, je cherche une recette de tarte aux pommes.",),
            "Recette de tarte aux pommes",
        ),
        (
            ("Hola, ¿puedes ayudarme a planificar un viaje a Lisboa con mi familia?",),
            "Viaje a Lisboa con mi familia",
        ),
        (
            ("Vorrei organizzare una festa di compleanno per mia madre.",),
            "Festa di compleanno per mia madre",
        ),
        (("帮我计划五月去里斯本的旅行，我想住在老城区。",), "计划五月去里斯本的旅行"),
        (("リスボンへの旅行を計画したいです。",), "リスボンへの旅行を計画"),
    ],
)
def test_names_in_the_words_and_by_the_rules_of_the_language(
    texts: tuple[str, ...], expected: str
) -> None:
    assert expected in title(*texts)


ENGLISH = ("Hello there", "hi", "Thanks!", "Quick question", "Good morning! How are you today?")
OTHERS = ("ok", "?", "Guten Tag", "Bonjour !", "Hola, buenos días", "Ciao", "Yo yo yo", "Привет")


@pytest.mark.parametrize("text", [*ENGLISH, *OTHERS])
def test_a_greeting_is_no_name(text: str) -> None:
    assert title(text) in {nothing(language) for language in LANGUAGES}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wie bekomme ich rotweinflecken aus dem teppich?", "Rotweinflecken aus dem teppich"),
        (
            "Ich möchte im September mit dem Fahrrad von Passau nach Wien fahren.",
            "Fahrrad von Passau nach Wien",
        ),
        (
            "Peux-tu relire ma lettre de motivation pour le poste de comptable ?",
            "Lettre de motivation pour le poste",
        ),
        (
            "Bonjour, je cherche une recette de gratin dauphinois pour huit personnes.",
            "Gratin dauphinois pour huit personnes",
        ),
        (
            "Tengo que organizar el cumpleaños de mi abuela, cumple 90 años en mayo.",
            "Cumpleaños de mi abuela",
        ),
        ("As folhas da minha orquídea estão amarelas, o que eu faço?", "Folhas da minha orquídea"),
        (
            "Hoi, ik wil zonnepanelen op mijn dak laten leggen. Wat kost dat?",
            "Zonnepanelen op mijn dak",
        ),
        (
            "Ciao, vorrei organizzare una vacanza in Sardegna con due bambini piccoli.",
            "Vacanza in Sardegna",
        ),
        (
            "Привет! Подскажи, как выбрать зимние шины для Škoda Octavia?",
            "Зимние шины для Škoda Octavia",
        ),
        ("planuję remont łazienki w bloku", "Remont łazienki w bloku"),
        ("مرحبا، أريد تعلم اللغة الإسبانية. من أين أبدأ؟", "تعلم اللغة الإسبانية"),
        ("你好，我想学做红烧肉，需要准备什么材料？", "学做红烧肉"),
        ("会議の議事録を書くコツはありますか？", "会議の議事録を書くコツ"),
    ],
)
def test_how_somebody_asks_is_no_name(text: str, expected: str) -> None:
    assert title(text) == expected


def test_a_pair_is_not_paired_again() -> None:
    titles = naming(
        "wie bekomme ich rotweinflecken weg?", "Mit Mineralwasser und Salz, oder mit Gallseife."
    ).titles
    assert all(one.count(" und ") < 2 for one in titles)


@pytest.mark.parametrize("text", ["Добрый день", "Здравствуйте!", "Cześć", "مرحبا"])
def test_greetings_are_known_whatever_their_letters(text: str) -> None:
    assert title(text) in {nothing(language) for language in LANGUAGES}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kubernetes", "About Kubernetes"),
        ("🎉🎉", "Emoji 🎉"),
        ("https://github.com/psf/requests", "Link to github.com"),
        ("https://example.org/blog/how-to-bake-bread?x=1", "Link to How to Bake Bread"),
        ("```python\ndef parse_invoice(x):\n    return x\n```", "Python Code of parse_invoice"),
        ("42", "About 42"),
    ],
)
def test_odd_conversations_have_true_names(text: str, expected: str) -> None:
    assert title(text) == expected


def test_offers_others_when_a_name_is_taken() -> None:
    titles = naming(
        "I want to compare carbon wheels with aluminium wheels for my road bike.",
        "Carbon wheels are lighter.",
        "Does the bike computer fit on the handlebar of the road bike?",
    ).titles
    assert len(titles) >= 3
    dated = naming("Hello there").titles
    assert dated[1].endswith("2026-03-14")


def test_topics_are_in_kebab_case() -> None:
    topics = naming("Can you help me plan a trip to Lisbon in May?", *LISBON).topics
    assert topics[0] == "trip-lisbon-may"
    assert all(topic == topic.casefold() and " " not in topic for topic in topics)


def test_a_name_knows_the_words_it_stands_on() -> None:
    _, named = digest(talk("Can you help me plan a trip to Lisbon in May?", *LISBON))
    first = next(one for one in named.sources if one.kind == "title" and one.point == 0)
    assert (first.message_id, first.quote) == ("msg-0", "trip to Lisbon in May")
    for number, _ in enumerate(named.topics):
        assert any(one.kind == "topic" and one.point == number for one in named.sources)


def test_what_the_assistant_always_says_names_nothing() -> None:
    titles = naming("And?", "As an AI language model, I cannot feel the wind in Hamburg.").titles
    assert not any("Language Model" in one for one in titles)


def test_of_a_tool_something_is_named() -> None:
    _, named = digest([message("msg-0", '{"detail": "upstream timed out"}', role="tool")])
    assert named.titles[0] == "About Detail"


def test_single_letters_name_nothing() -> None:
    named = title("Beseech:\n(A) starving\n(B) implore\n(C) weak")
    assert all(len(word) > 1 for word in named.split())
