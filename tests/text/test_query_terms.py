"""The terms of a query, and that they find what they should."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from palaver.text import Form, Term, language, query_terms, terms, words
from palaver.text.query import MAX_CHARACTERS, MAX_LANGUAGES, MAX_WORDS


def looked_for(text: str, *languages: str) -> list[str]:
    return [term.word for term in query_terms(text, languages)]


def found(query: str, text: str, *languages: str) -> bool:
    """Whether every term of a query occurs in a text, as an index would count them."""
    said = words(text)
    spoken = language(said)
    held = {term for word in said for term in terms(word, spoken)}
    asked = query_terms(query, languages or (spoken,))
    return bool(asked) and all(
        any(held & set(form.parts) for form in term.forms if form.fits(spoken)) for term in asked
    )


def test_a_term_has_its_forms():
    stem = Form(("~run", "run"), frozenset({"en"}))
    assert query_terms("running", ["en"]) == [Term("running", (Form(("running",)), stem))]
    assert query_terms("run", ["en"]) == [Term("run", (Form(("run",)), stem))]
    assert query_terms("running", []) == [Term("running", (Form(("running",)),))]
    assert query_terms("1234", ["en", "fr"]) == [Term("1234", (Form(("1234",)),))]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("note", "It was not sudden at all, and we do not know why."),
        ("forêt", "This is for the backend, and that is for Christmas."),
        ("billets", "We paid the bill of the billing service."),
    ],
)
def test_a_stem_of_one_language_is_no_word_of_another(query: str, text: str):
    assert language(words(text)) == "en"
    assert not found(query, text, "en", "de", "fr", "es", "it", "pt")


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("What did we decide about the Login BUG?", ["decide", "login", "bug"]),
        ("bug, bug; BUG", ["bug"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("the who", ["the", "who"]),
        ('"quoted" -minus NEAR( col:x *', ["quoted", "minus", "near", "col", "x"]),
        ("👍", ["👍"]),
        ("?!", []),
        ("", []),
    ],
)
def test_stop_words_are_looked_for_only_when_there_is_nothing_else(query: str, kept: list[str]):
    assert looked_for(query, "en") == kept


def test_stop_words_are_those_of_the_language_of_the_query():
    assert looked_for("die hard", "en", "fr") == ["die", "hard"]
    assert looked_for("Wo ist die Rechnung?", "en", "de") == ["rechnung"]
    assert looked_for("où est la facture", "fr") == ["facture"]
    assert looked_for("where is the invoice") == ["invoice"]


def test_stop_words_can_be_left_out_always():
    assert query_terms("what did we do", ["en"], telling=True) == []


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("demarrages", "Le démarrage échoue encore."),
        ("démarrage", "Les demarrages sont lents."),
        ("haus", "Die Häuser sind alt."),
        ("hauser", "Die Häuser sind alt."),
        ("HÄUSER", "Das Haus ist alt."),
        ("runs", "I was running yesterday."),
        ("running", "We run every day."),
        ("laptop", "laptops delivered"),
        ("东京", "我们昨天去了东京的铁塔。"),
        ("데이터베이스", "데이터베이스를 고쳤다."),
        ("สวัสดี", "เขาพูดว่าสวัสดีครับ"),
        ("err-1234", "It says ERR-1234 again."),
        ("ERR1234", "It says ERR-1234 again."),
        ("err 1234", "It says ERR-1234 again."),
        ("wifi", "The Wi‑Fi is down."),
        ("dont", "dont do that"),
        ("example.org", "See https://example.org/a?b=c"),
        ("foo_bar.baz", "call foo_bar.baz() first"),
        ("baz", "call foo_bar.baz() first"),
        ("1500", "It costs $1,500 now."),
        ("👍🏿", "ok 👍"),
        ("obrien", "Mr O’Brien called."),
        ("Привет", "привет, как дела?"),
        ("ключ", "Где мои ключи?"),
    ],
)
def test_what_is_found_by_what(query: str, text: str):
    assert found(query, text)


def test_a_query_is_stemmed_in_every_language():
    assert found("demarrages", "Le démarrage échoue encore.", "en", "de", "fr")


def test_a_long_query_keeps_its_first_words():
    numbers = [f"word{number}" for number in range(100)]
    assert looked_for(" ".join(numbers), "en") == numbers[:MAX_WORDS]


def test_a_very_long_query_is_read_up_to_a_whole_word():
    padding = "x " * (MAX_CHARACTERS // 2 - 2)
    assert looked_for(f"{padding}needle{'s' * 100_000}", "en") == ["x"]
    assert looked_for(f"{padding[:-8]}needle end", "en") == ["x", "needle", "end"]
    assert looked_for("y" * 100_000, "en")
    assert looked_for(" " * 100_000, "en") == []


def test_only_the_most_used_languages_count():
    languages = ["en", "de", "nl", "sv", "da", "no", "fr"]
    counted = query_terms("chevaux", languages)
    assert counted == query_terms("chevaux", languages[:MAX_LANGUAGES])
    (french,) = query_terms("chevaux", ["fr"])
    assert french.forms[-1] not in counted[0].forms


@given(st.text(), st.data())
def test_every_word_of_a_text_finds_it(text: str, data: st.DataObject):
    said = words(text)
    assume(said)
    word = data.draw(st.sampled_from(said))
    spoken = language(said)
    held = {term for one in said for term in terms(one, spoken)}
    asked = query_terms(word, [spoken])
    assert any(held & set(form.parts) for term in asked for form in term.forms if form.fits(spoken))


@given(st.text(), st.lists(st.sampled_from(["en", "fr", "uk", "", "xx"]), max_size=3))
def test_any_text_is_a_query(text: str, languages: list[str]):
    asked = query_terms(text, languages)
    assert len(asked) == len({term.word for term in asked}) <= MAX_WORDS
    assert all(form.parts for term in asked for form in term.forms)
    assert bool(asked) == bool(words(text[:MAX_CHARACTERS])) or len(text) > MAX_CHARACTERS
