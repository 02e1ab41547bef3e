"""Snippets show why a text was found, whatever the text."""

from hypothesis import given
from hypothesis import strategies as st

from palaver.recall.snippet import ELLIPSIS, LENGTH, Snippet, snippet
from palaver.text import query_terms, words


def shown(text: str, query: str, length: int = LENGTH) -> Snippet:
    return snippet(text, query_terms(query, ["en", "fr"]), length=length)


def marked(text: str, query: str) -> list[str]:
    found = shown(text, query)
    return [found.text[start:end] for start, end in found.highlights]


def test_a_short_text_is_shown_whole():
    found = shown("The login bug is fixed.", "login bug")
    assert found.text == "The login bug is fixed."
    assert found.highlights == [(4, 9), (10, 13)]


def test_a_long_text_is_cut_between_words_around_the_best_match():
    filler = "lorem ipsum dolor sit amet " * 40
    found = shown(f"{filler}the bug. {filler}the login bug {filler}", "login bug")
    assert found.text.startswith(ELLIPSIS)
    assert found.text.endswith(ELLIPSIS)
    assert "login bug" in found.text
    assert len(found.text) <= LENGTH + 2
    assert set(found.text.strip(ELLIPSIS).split()) <= set(f"{filler} the bug. login bug".split())


def test_the_words_are_marked_in_any_spelling():
    assert marked("CAFÉ, cafe\u0301 and cafe", "café") == ["CAFÉ", "cafe\u0301", "cafe"]


def test_line_breaks_become_spaces():
    assert shown("one\n\n\ttwo\u2028three", "two").text == "one two three"


def test_a_text_without_a_space_is_cut_all_the_same():
    found = shown("登" * 5000, "录")
    assert found.text == "登" * LENGTH + ELLIPSIS


def test_no_cut_goes_through_a_character():
    family = "👩\u200d👩\u200d👧\u200d👦"
    text = family * 200
    beginning = shown(text, "x").text.removesuffix(ELLIPSIS)
    assert text.startswith(beginning)
    assert len(beginning) % len(family) == 0


def test_a_word_longer_than_a_snippet_is_kept_whole_enough_to_be_marked():
    assert marked(f"start {'a' * 500} end", "a" * 500) == ["a" * 500]


def test_many_matches_in_a_long_text_are_quick():
    found = shown("bug " * 250_000, "bug absent")
    assert found.highlights


def test_other_forms_of_a_word_are_marked():
    assert marked("We run; the démarrages fail.", "running demarrage") == ["run", "démarrages"]


def test_of_a_script_without_spaces_the_pairs_are_marked():
    assert marked("我们昨天去了东京的铁塔。", "东京铁塔") == ["东京", "铁塔"]


def test_the_best_match_is_the_one_with_the_most_words_not_the_most_marks():
    filler = "lorem ipsum dolor sit amet " * 20
    text = f"bug bug bug bug {filler} the login bug {filler}"
    assert "the login bug" in shown(text, "login bug").text


def test_a_part_of_a_text_shows_that_the_text_goes_on():
    terms = query_terms("bug", ["en"])
    found = snippet("the bug", terms, before=True, after=True)
    assert found.text == f"{ELLIPSIS}the bug{ELLIPSIS}"
    assert found.highlights == [(5, 8)]
    assert snippet("the bug", terms, after=True).text == f"the bug{ELLIPSIS}"


def test_without_any_term_the_beginning_is_shown():
    assert snippet("the bug", []) == Snippet("the bug", [])


@given(st.text(), st.text(), st.integers(20, 300))
def test_highlights_lie_inside_the_snippet_in_order(text: str, query: str, length: int):
    found = shown(text, query, length)
    places = [place for span in found.highlights for place in span]
    assert places == sorted(places)
    assert all(0 <= place <= len(found.text) for place in places)
    assert "\n" not in found.text


@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs", "P"])), st.data())
def test_a_word_of_the_text_is_always_marked(text: str, data: st.DataObject):
    said = words(text)
    if said:
        assert shown(text, data.draw(st.sampled_from(said))).highlights
