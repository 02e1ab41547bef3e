"""Where a text holds what was looked for."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from palaver.text import matches, query_terms, words


def marked(text: str, query: str, *languages: str) -> list[str]:
    found = matches(text, query_terms(query, languages or ("en",)))
    return [text[start:end] for start, end in found]


@pytest.mark.parametrize(
    ("text", "query", "parts"),
    [
        ("The login bug is fixed.", "login bugs", ["login", "bug"]),
        ("CAFÉ, cafe\u0301s and cafe", "café", ["CAFÉ", "cafe\u0301s", "cafe"]),
        ("We run, she runs, all running", "ran runs", ["run", "runs", "running"]),
        ("我们去了东京塔。", "东京塔", ["东京塔"]),
        ("我们去了东京。", "东京塔", ["东京"]),
        ("It says ERR-1234.", "err1234", ["ERR-1234"]),
        ("It says ERR-1234.", "1234", ["1234"]),
        ("It says ERR-1234.", "err-1234", ["ERR-1234"]),
        ("Mr O\u2019Brien", "obrien", ["O\u2019Brien"]),
        ("die ﬁle №5", "file no5", ["ﬁle", "№5"]),
        ("die Straße.", "strasse", ["Straße"]),
        ("soft\u00adhyphen", "softhyphen", ["soft\u00adhyphen"]),
        ("ok 👍🏽!", "👍", ["👍"]),
        ("ok 👩\u200d👧!", "👧", ["👧"]),
        ("nothing", "something", []),
        ("", "something", []),
        ("nothing", "", []),
    ],
)
def test_what_is_marked(text: str, query: str, parts: list[str]):
    assert marked(text, query) == parts


def test_stems_are_those_of_the_languages_asked_for():
    assert marked("Les démarrages sont lents.", "demarrage", "en", "fr") == ["démarrages"]
    assert marked("Die Häuser.", "haus", "de") == ["Häuser"]


@given(st.text(), st.text())
def test_parts_lie_in_the_text_in_order(text: str, query: str):
    places = [place for part in matches(text, query_terms(query, ["en", "fr"])) for place in part]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)


@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs", "P", "So"])), st.data())
def test_every_word_of_a_text_is_marked(text: str, data: st.DataObject):
    said = words(text)
    assume(said)
    assert matches(text, query_terms(data.draw(st.sampled_from(said)), ["en"]))
