"""How a text falls into words."""

from collections import Counter
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.text import fold, words
from palaver.text.folding import normal
from palaver.text.words import MAX_LENGTH, located, query_words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Login BUG, again!", ["the", "login", "bug", "again"]),
        ("", []),
        ("?! -- … ___ \u200b", []),
        ("don't", ["don", "t"]),
        ("don\u2019t", ["don", "t"]),
        ("l'eau", ["l", "eau", "leau"]),
        ("O\u2019Brien", ["o", "brien", "obrien"]),
        ("ERR-1234", ["err", "1234", "err1234"]),
        ("ERR1234", ["err1234"]),
        ("e\u2011mail", ["e", "mail", "email"]),
        ("foo_bar.baz", ["foo", "bar", "baz", "foobar.baz"]),
        ("ada@example.org.", ["ada", "example", "org", "ada@example.org"]),
        ("v1.2.3", ["v1", "2", "3", "v1.2.3"]),
        ("1.2", ["1", "2", "1.2"]),
        ("$1,500", ["1", "500", "1500"]),
        ("3,5", ["3", "5"]),
        ("U.S.", ["u", "s", "us"]),
        ("and/or -x- a--b", ["and", "or", "x", "a", "b"]),
        ("Straße ﬁle №5 ＡＢＣ", ["strasse", "file", "no5", "abc"]),
        ("cafe\u0301 naïve", ["café", "naïve"]),
        ("soft\u00adhyphen zero\u200dwidth", ["softhyphen", "zerowidth"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("شكرا جزيلا", ["شكرا", "جزيلا"]),
        ("好", ["好"]),
        ("东京塔", ["东", "京", "塔", "东京", "京塔"]),
        ("第5章", ["第", "5", "章"]),
        ("ﾃｽﾄ", ["テ", "ス", "ト", "テス", "スト"]),
        ("집에", ["집", "에", "집에"]),
        ("ไป", ["ไ", "ป", "ไป"]),
        ("👍🏽 ❤️", ["👍", "❤"]),
        ("👩\u200d👧🇫🇷🇩🇪", ["👩", "👧", "🇫🇷", "🇩🇪"]),
        ("1️⃣", ["1\u20e3"]),
    ],
)
def test_the_words_of_a_text(text: str, found: list[str]):
    assert words(text) == found


def test_of_scripts_without_spaces_only_pairs_are_looked_for():
    assert query_words("东京塔 好 ERR-1 👍") == ["东京", "京塔", "好", "err", "1", "👍", "err1"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "cafe"),
        ("ÉCOLE", "école"),
        ("STRASSE", "Straße"),
        ("Ångström", "angstrom"),
        ("Łódź", "lodz"),
        ("SMØRREBRØD", "smorrebrod"),
        ("İstanbul", "istanbul"),
        ("Œuvre", "oeuvre"),
        ("ΟΔΟΣ", "οδός"),
        ("ёж", "еж"),
        ("كِتَاب", "كتاب"),
        ("1\u20e3", "1"),
    ],
)
def test_neither_case_nor_diacritics_make_another_word(one: str, other: str):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("が", "か"), ("가", "나"), ("कि", "की")])
def test_marks_that_make_another_letter_stay(one: str, other: str):
    assert fold(one) == normal(one)
    assert fold(one) != fold(other)


def test_no_mark_ends_a_word():
    marks = [char for char in map(chr, range(0xFFFF)) if category(char).startswith("M")]
    broken = [mark for mark in marks if words(f"a{mark}b")[:2] == ["a", "b"]]
    assert broken == [], [hex(ord(mark)) for mark in broken]


def test_a_very_long_word_is_known_by_its_beginning():
    assert words("x" * 100_000) == ["x" * MAX_LENGTH]
    assert query_words("é" * 100_000) == words("é" * 100_000) == ["é" * MAX_LENGTH]


@given(st.text())
def test_any_text_has_words(text: str):
    for word in words(text):
        assert word
        assert len(word) <= MAX_LENGTH
        assert not any(char.isspace() for char in word)
        assert fold(word)


@given(st.text())
def test_the_form_of_the_text_makes_no_difference(text: str):
    assert words(normalize("NFD", text)) == words(normalize("NFC", text))


@given(st.text())
def test_a_normal_spelling_is_not_changed_again(text: str):
    assert Counter(words(normal(text))) == Counter(words(text))


@given(st.text(alphabet="abÉ'’-_.@,1 \n东京가ก👍\u0301\u200d"))
def test_words_are_the_same_with_and_without_their_places(text: str):
    spelled = normal(text)
    assert Counter(word for _, _, word in located(spelled)) == Counter(words(spelled))
